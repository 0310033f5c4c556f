import { inject } from 'vitest';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { openBitcoin } from '../chains/bitcoin-fixture.ts';
import { startService, type TestMerchant } from '../harness.ts';

export type BitcoinWorld = Awaited<ReturnType<typeof openBitcoinWorld>>;

/**
 * The service with a Bitcoin node and a wallet that pays. Nothing happens by itself: `look` is the watcher's look and
 * the jobs that follow, and `pass` moves the clocks of both.
 */
export async function openBitcoinWorld(changes: object = {}) {
  const { node, entry, wallet, close, rollBack } = await openBitcoin(inject('runFolder'));
  // As on a live chain: what is gone without a trace is waited for.
  const network = { ...bitcoin.parseNetwork({ ...entry, ...changes }), onDemand: false };
  const service = await startService({ now: new Date(), composed: { kinds: [bitcoin], networks: [network] } });
  const merchant = await service.activeMerchant();
  const { db, clock } = service;

  /** A process that watches. */
  const open = (others: Partial<WatcherDeps> = {}) =>
    createWatcher({
      ...{ db, network, reader: bitcoin.openReader(network), matchers: [paymentMatcher] },
      confirmationsOn: async (each) => each.confirmations,
      ...{ now: clock.now, worker: 'one', log: () => undefined },
      ...others,
    });
  let watcher = open();
  const look = async (): Promise<void> => {
    while ((await watcher.look()) === 'behind');
    await service.runPaymentJobs();
  };

  return {
    ...{ service, merchant, node, network, wallet, look, rollBack },
    ask: (dollars = 100) => ask(merchant, db, dollars),
    now: clock.now,
    /** Another process takes over, as after a kill: it remembers nothing. */
    restart: async (): Promise<void> => {
      await watcher.release();
      watcher = open({ worker: `worker ${Math.random()}` });
    },
    open,
    mine: async (blocks = 1): Promise<void> => {
      await node.mine(blocks);
      await look();
    },
    pass: async (minutes: number): Promise<void> => {
      clock.advance(minutes * 60_000);
      await node.setTime(clock.now());
    },
    available: async (): Promise<number> => (await merchant.client.settlements.balance()).availableBalance,
    /** Fails unless every payment, credit, quote and account agree. */
    reconcile: async (): Promise<void> => {
      const { findings } = await reconcile(db);
      if (findings.length > 0) throw new Error(JSON.stringify(findings, null, 1));
    },
    close: async (): Promise<void> => {
      await service.close();
      await close();
    },
  };
}

/** A payment in bitcoins. */
async function ask({ client }: TestMerchant, db: Db, amount: number) {
  const { id, options } = await client.payments.create({ amount, currency: 'USD', acceptedTokens: ['BTC'] });
  const read = () => client.payments.get(id);
  const address = options[0]?.address ?? '';
  return {
    ...{ id, address, read },
    /** What is to be paid by the present quote, or a share of it. */
    due: async (share = 1) => {
      const [option] = (await read()).options;
      return { address, units: BigInt(Math.round(Number(option?.amount) * 1e8 * share)) };
    },
    state: async (): Promise<string> => {
      const { status, exception, amountReceived } = await read();
      return [status, exception, amountReceived].filter((each) => each !== null).join(' ');
    },
    events: async (): Promise<string> => {
      const rows = await db
        .selectFrom('events')
        .select('type')
        .where('resource_id', '=', id)
        .orderBy('sequence')
        .execute();
      return rows.map(({ type }) => type.replace('payment.', '')).join(' ');
    },
    rows: () => db.selectFrom('credits').selectAll().where('payment_id', '=', id).orderBy('id').execute(),
  };
}
