import { type Address, getAddress } from 'viem';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { operatorJobs } from '../../src/chains/operator/jobs.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Job } from '../../src/ports/job.ts';
import { prepareSandboxNetwork, sandboxSweepKey } from '../../src/sandbox/network.ts';
import { treasuryMatcher } from '../../src/treasury/reorg.ts';
import { settleSweeps } from '../../src/treasury/settle.ts';
import { sweepCall } from '../chains/deposit-fixture.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { chainsOf } from '../support/chains.ts';
import { send as sendFrom, walletOf } from '../support/evm.ts';
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
  /** Sends what is stored, mines it deep, scans, and settles sweeps, as the service's jobs do. */
  readonly settle: (now?: Date) => Promise<void>;
  readonly run: (script: string, ...args: readonly string[]) => ReturnType<typeof runScript>;
  readonly addressOf: (payment: Payment) => string;
  readonly close: () => Promise<void>;
};

/** The sandbox's network on a node of its own, and a database with a merchant whose payments the test pays on it. */
export async function openTreasury(change: Partial<EvmNetwork> = {}): Promise<Treasury> {
  const node = await startAnvil();
  const network = { ...(await prepareSandboxNetwork({ rpcUrl: node.url })), ...change };
  const world = await createPaymentWorld({}, network);
  const faucet = createFaucet(network, MNEMONIC);
  const watcher = createWatcher({
    ...{
      db: world.db,
      network,
      reader: createEvmReader(network),
      matchers: [treasuryMatcher([network]), paymentMatcher],
      worker: 'test',
    },
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
      await sendFrom(walletOf(node), { to: network.factory as Address, data });
    },
    settle: settlerOf({ node, network, db: world.db, scan }),
    run: (script, ...args) => runScript(script, args, { DATABASE_URL: world.database.url, EVM_RPC_URL: node.url }),
    close: async () => {
      await watcher.release();
      await world.close();
      await node.stop();
    },
  };
}

type Settling = Pick<Treasury, 'node' | 'network'> & { readonly db: Db; readonly scan: () => Promise<unknown> };

/** Sends what is stored, mines it deep, scans, and settles sweeps, as the service's jobs do. */
export function settlerOf({ node, network, db, scan }: Settling): Treasury['settle'] {
  const chains = chainsOf(network);
  const faults: unknown[] = [];
  const log = (error: unknown): void => void faults.push(error);
  const [send] = operatorJobs({
    ...{ db, networks: [network], chains, accounts: [operatorOfKey(sandboxSweepKey())], listeners: [] },
    ...{ worker: 'test', log },
  }) as [Job];
  return async (now = START) => {
    for (let i = 0; i < 3; i += 1) {
      await send.run({ now: START, real: START, signal: new AbortController().signal });
      await node.rpc('anvil_mine', [2]);
      await scan();
    }
    if (faults.length > 0) throw faults[0];
    await settleSweeps({ db, chains, log }, [network], now);
    if (faults.length > 0) throw faults[0];
  };
}
