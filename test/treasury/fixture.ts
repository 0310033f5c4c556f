import { type Address, getAddress } from 'viem';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { sweepCall } from '../chains/deposit-fixture.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, walletOf } from '../support/evm.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { runScript } from '../support/run-script.ts';

export type Treasury = {
  readonly node: Anvil;
  readonly network: EvmNetwork;
  readonly world: PaymentWorld;
  /** Pays base units of a token to an address. */
  readonly pay: (to: string, units: bigint, token?: 'USDT' | 'USDC') => Promise<void>;
  /** Scans the chain to its head and applies what arrived for these payments. */
  readonly scan: (...payments: readonly Payment[]) => Promise<void>;
  /** Sweeps deposits as a stranger would: by a call of the factory, with another account than ours. */
  readonly sweepAsStranger: (...payments: readonly Payment[]) => Promise<void>;
  readonly run: (script: string, ...args: readonly string[]) => ReturnType<typeof runScript>;
  readonly addressOf: (payment: Payment) => string;
  readonly close: () => Promise<void>;
};

/** The sandbox's network on a node of its own, and a database with a merchant whose payments the test pays on it. */
export async function openTreasury(): Promise<Treasury> {
  const node = await startAnvil();
  const network = await prepareSandboxNetwork({ rpcUrl: node.url });
  const world = await createPaymentWorld({}, network);
  const faucet = createFaucet(network, MNEMONIC);
  const watcher = createWatcher({
    ...{ db: world.db, network, reader: createEvmReader(network), matchers: [paymentMatcher], worker: 'test' },
    ...{ now: () => START, confirmationsOn: async () => 2, log: () => undefined },
  });
  const addressOf = (payment: Payment): string => payment.options[0]?.address ?? '';
  const scan = async (...payments: readonly Payment[]): Promise<void> => {
    while ((await watcher.look()) !== 'level');
    for (const payment of payments) await world.apply(payment);
  };
  await scan();
  return {
    ...{ node, network, world, scan, addressOf },
    pay: async (to, units, symbol = 'USDT') => {
      const token = network.tokens.find((each) => each.symbol === symbol);
      if (token) await faucet.transfer({ token, to: getAddress(to), units });
    },
    sweepAsStranger: async (...payments) => {
      const data = sweepCall(
        payments.map(({ id }) => id),
        getAddress(network.tokens[0]?.contract ?? ''),
      );
      await send(walletOf(node), { to: network.factory as Address, data });
    },
    run: (script, ...args) => runScript(script, args, { DATABASE_URL: world.database.url, EVM_RPC_URL: node.url }),
    close: async () => {
      await watcher.release();
      await world.close();
      await node.stop();
    },
  };
}
