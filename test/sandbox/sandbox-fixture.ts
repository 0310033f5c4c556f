import { randomUUID } from 'node:crypto';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createWatchJob } from '../../src/chains/watch-job.ts';
import { startListener } from '../../src/db/listen.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import { newId } from '../../src/lib/ids.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { findPayment } from '../../src/payments/queries.ts';
import { createPayment, type PaymentDeps, type PaymentDraft } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Job } from '../../src/ports/job.ts';
import { createRpc, readHead } from '../../src/sandbox/anvil.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { createSandboxClock } from '../../src/sandbox/clock.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { startAnvil } from '../support/anvil.ts';
import { chainsOf } from '../support/chains.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { draftOf } from '../support/payments.ts';

/** A direct payment of 25 dollars. */
const smallDraft = (merchantId: string): PaymentDraft => ({
  ...draftOf(merchantId),
  ...{ amountMinor: 2_500n, metadata: {} },
});

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * A sandbox with its node, database, listener and watcher, and payments as its only feature. `jobs` are what a moved
 * clock runs, by default the payments' own; only `schedule` runs them otherwise.
 */
export async function openWorld(options: { readonly jobs?: readonly Job[] } = {}) {
  const [node, { db, database, close: closeDatabase }] = await Promise.all([startAnvil(), connectTestDatabase()]);
  const network = await prepareSandboxNetwork({ rpcUrl: node.url });
  const listener = await startListener(database.url, () => undefined);
  const clock = await createSandboxClock(db, listener.on);
  const errors: unknown[] = [];
  const log = (error: unknown): void => void errors.push(error);
  const payments = paymentsOn(network);
  const worker = randomUUID();
  const matchers = [paymentMatcher, subscriptionMatcher];
  const watchDeps = {
    db,
    networks: [network],
    chains: payments.chains,
    matchers,
    now: clock.now,
    real: clock.real,
    worker,
  };
  const watch = createWatchJob({ ...watchDeps, confirmationsOn: async (each) => each.confirmations, log });
  const jobs = options.jobs ?? paymentJobs({ ...payments, db, log });
  const sandbox = createSandbox({
    ...{ db, clock, jobs, networks: [network], settings: payments.settings, log },
    subscribing: { ...payments, chains: chainsOf(network), isForeign: async () => true },
    chain: controlChain(node.url),
    poke: watch.poke,
  });
  const endings: (() => Promise<void>)[] = [];
  const merchantId = newId('merchant', clock.now());
  await inTransaction(db, async (trx) => {
    await trx.insertInto('merchants').values(merchantRow(merchantId, clock.now())).execute();
    await openAccounts(trx, merchantId);
  });
  watch.start();
  return {
    ...{ node, db, database, listener, clock, network, sandbox, merchantId, errors },
    /** Runs the payments' jobs, and these, as the service would. */
    schedule: (more: readonly Job[] = []) => {
      const scheduled = [...jobs, ...more];
      const scheduler = createScheduler({ db, clock, jobs: scheduled, subscribe: listener.on, worker, log });
      scheduler.start();
      endings.push(scheduler.stop);
    },
    create: (draft: Partial<PaymentDraft> = {}): Promise<Payment> =>
      inTransaction(db, (trx) => createPayment(trx, payments, { ...smallDraft(merchantId), ...draft }, clock.now())),
    find: async ({ id }: Payment): Promise<Payment> => {
      const payment = await findPayment(db, { id });
      if (!payment) throw new Error(`payment ${id} is gone`);
      return payment;
    },
    head: () => readHead(createRpc(node.url)),
    close: async () => {
      for (const end of endings) await end();
      await watch.stop();
      await listener.stop();
      await closeDatabase();
      await node.stop();
    },
  };
}

const paymentsOn = (network: EvmNetwork): PaymentDeps => ({
  clock: { now: () => new Date() },
  reach: { isClosed: () => false },
  events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }),
  settings: { current: async () => SANDBOX_DEFAULTS, latest: () => SANDBOX_DEFAULTS },
  rates: {
    fiatRate: async () => null,
    coinRate: async () => null,
    lastCoinRate: async () => null,
    toMicro: async (minor) => ({
      rate: { pair: 'USD/USD', valueE8: '100000000', source: 'test', quotedAt: '2026-01-01T00:00:00.000Z' },
      amountMicro: minor * 10_000n,
    }),
  },
  networks: [network],
  chains: chainsOf(network),
  listeners: [],
  checkoutUrl: 'http://localhost/checkout',
  publicUrl: 'http://localhost',
});

const merchantRow = (id: string, now: Date) => ({
  id,
  business_name: 'Tea House',
  email: `${id}@example.org`,
  password_hash: 'none',
  phone: '+94112345678',
  business_type: 'company',
  status: 'active',
  created_at: now,
  updated_at: now,
});
