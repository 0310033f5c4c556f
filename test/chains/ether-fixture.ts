import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../../src/chains/evm/faucet.ts';
import { ETHER, type EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { createWatcher, type Watcher } from '../../src/chains/watcher.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { ChainReader } from '../../src/ports/chain-kind.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { treasuryMatcher } from '../../src/treasury/reorg.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

export const ONE_ETH = 10n ** 18n;

export type EtherStage = {
  readonly node: Anvil;
  readonly network: EvmNetwork;
  readonly world: PaymentWorld;
  readonly faucet: Faucet;
  /** Another process that watches; `reader` makes it a faulty one. */
  readonly watch: (worker: string, reader?: ChainReader, changes?: Partial<WatcherDeps>) => Watcher;
  /** Business time of all of them. */
  readonly clock: { now: Date };
  /** Looks until nothing is left to do, and applies what came for these payments. Returns them as they are then. */
  readonly scan: (...payments: readonly Payment[]) => Promise<Payment[]>;
  /** Mines blocks, the first of them at `time`, and leaves business time there. */
  readonly mine: (blocks: number, time?: Date) => Promise<void>;
  readonly addressOf: (payment: Payment) => string;
  /** What the payment asks in ETH. */
  readonly priceOf: (payment: Payment) => bigint;
  readonly pay: (to: Payment, units: bigint, by?: 'account' | 'contract') => Promise<string>;
  readonly creditsOf: (payment: Payment) => Promise<readonly CoinCredit[]>;
  /** Lets another process watch. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type CoinCredit = {
  readonly tx: string;
  readonly units: bigint;
  readonly height: number;
  readonly canonical: boolean;
  readonly place: number;
};

/** The sandbox's network, which takes ETH, on a node whose time begins with business time, and payments to be paid. */
export async function openEtherStage(change: Partial<EvmNetwork> = {}): Promise<EtherStage> {
  const node = await startAnvil({ timestamp: START.getTime() / 1000 });
  const network = { ...(await prepareSandboxNetwork({ rpcUrl: node.url })), ...change };
  const world = await createPaymentWorld({}, network, { native: ETHER, prices: { ETH: '3000' } });
  const faucet = createFaucet(network, MNEMONIC);
  const clock = { now: START };
  const watch: EtherStage['watch'] = (worker, reader = createEvmReader(network), changes = {}) =>
    createWatcher({
      ...{ db: world.db, network, reader, worker, matchers: [treasuryMatcher([network]), paymentMatcher] },
      ...{ now: () => clock.now, confirmationsOn: async () => 2, log: () => undefined },
      ...changes,
    });
  const watcher = watch('one');
  const addressOf = (payment: Payment): string => payment.options[0]?.address.toLowerCase() ?? '';
  const scan: EtherStage['scan'] = async (...payments) => {
    while ((await watcher.look()) !== 'level');
    return Promise.all(payments.map((payment) => world.apply(payment, null, clock.now)));
  };
  await scan();
  return {
    ...{ node, network, world, faucet, watch, clock, scan, addressOf },
    mine: async (blocks, time) => {
      if (time) {
        await node.rpc('evm_setTime', [time.getTime() / 1000]);
        clock.now = time;
      }
      await node.rpc('anvil_mine', [blocks]);
    },
    priceOf: (payment) => BigInt(payment.options.find(({ token }) => token === 'ETH')?.units ?? '0'),
    pay: async (payment, units, by = 'account') =>
      (await faucet.transferCoin({ to: [{ address: addressOf(payment), units }], by })).txHash,
    creditsOf: async (payment) => {
      const rows = await world.db
        .selectFrom('credits')
        .select(['tx_hash', 'amount_units', 'block_number', 'canonical', 'transfer_index'])
        .where('payment_id', '=', payment.id)
        .where('token', '=', 'ETH')
        .orderBy('block_number')
        .orderBy('transfer_index')
        .execute();
      return rows.map((row) => ({
        ...{ tx: row.tx_hash, units: row.amount_units, canonical: row.canonical },
        ...{ height: Number(row.block_number), place: row.transfer_index },
      }));
    },
    release: watcher.release,
    close: async () => {
      await watcher.release();
      await world.close();
      await node.stop();
    },
  };
}

/** A stage with a second endpoint: a proxy of its node, which lies on demand. */
export type EtherBehindLiar = EtherStage & {
  readonly liar: LiarProxy;
  /** The network for one who asks that provider, and knows nothing of how well it is. */
  readonly behindLiar: (change?: Partial<EvmNetwork>) => EvmNetwork;
};

export async function openEtherBehindLiar(): Promise<EtherBehindLiar> {
  const stage = await openEtherStage();
  const liar = await startLiar(stage.node.url);
  return {
    ...stage,
    liar,
    behindLiar: (change) => ({ ...stage.network, rpcUrl: liar.url, ...change }),
    close: async () => {
      await liar.close();
      await stage.close();
    },
  };
}
