import { afterAll, afterEach, beforeAll } from 'vitest';
import { startListener } from '../../src/db/listen.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents, type Events } from '../../src/events/record.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { createKeyRing, type KeyRing } from '../../src/lib/envelope.ts';
import { type Id, newId } from '../../src/lib/ids.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { Job } from '../../src/ports/job.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { webhookJobs } from '../../src/webhooks/jobs.ts';
import { createSigningKeys, createWebhookKeys } from '../../src/webhooks/keys.ts';
import { simulatePayment } from '../../src/webhooks/simulated.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { insertBareMerchant } from '../support/merchants.ts';
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts';

const START = Date.parse('2026-01-02T03:04:05.000Z');
const URLS = { publicUrl: 'http://localhost:3000', checkoutUrl: 'http://localhost:3000/checkout' };

export type TestWorker = {
  /** Delivers, as the scheduler runs it. */
  readonly job: Job;
  /** Delivers what is due at the clock's time; ends when nothing is due or in flight. */
  readonly deliver: (signal?: AbortSignal) => Promise<void>;
  readonly drop: () => Promise<void>;
  /** Plays the certification runs that wait. */
  readonly certify: (signal?: AbortSignal) => Promise<void>;
  readonly nextDue: NonNullable<Job['nextDue']>;
};

/** A database, a manually moved clock, merchants, events and any number of workers, each like a separate process. */
export async function makeWebhooks() {
  const { db, database, close } = await connectTestDatabase(20);
  const listener = await startListener(database.url, () => {});
  const ring = createKeyRing(Buffer.alloc(32, 7));
  const outbounds: Outbound[] = [];
  const logged: string[] = [];
  const log = (_error: unknown, message: string): void => void logged.push(message);
  const events = createEvents({ livemode: false, fanOut: fanOutToEndpoints });
  const { clock, ...moves } = makeClock();

  const openOutbound = (sandbox = true): Outbound => {
    const outbound = createOutbound({ sandbox, allowedPrivateCidrs: [] });
    outbounds.push(outbound);
    return outbound;
  };

  const makeWorker = (options: { random?: () => number; outbound?: Outbound; db?: Db } = {}): TestWorker => {
    const { random = () => 0.5, outbound = openOutbound(), db: on = db } = options;
    const keys = createSigningKeys(on, ring, log);
    const settings = { current: async () => SANDBOX_DEFAULTS, latest: () => SANDBOX_DEFAULTS };
    const shared = { ...URLS, livemode: false, db: on, settings, events, outbound, keys, clock, log, random };
    const [deliver, drop, certify] = webhookJobs({ ...shared, subscribe: listener.on }) as [Job, Job, Job];
    const run = (job: Job, signal = new AbortController().signal) =>
      job.run({ now: clock.now(), real: clock.real(), signal });
    return {
      job: deliver,
      deliver: (signal) => run(deliver, signal),
      drop: () => run(drop),
      certify: (signal) => run(certify, signal),
      nextDue: async () => (await deliver.nextDue?.()) ?? null,
    };
  };

  /** A merchant with a signing key and, if a URL is given, an endpoint. */
  const makeMerchant = async (url?: string): Promise<Id<'merchant'>> => {
    const id = await insertMerchant(db, ring, clock.now());
    if (url !== undefined) await setUrl(db, id, url, clock.now());
    return id;
  };

  /** Records `count` events of a merchant, each about its own payment; returns their ids. */
  const announce = (merchantId: string, count = 1): Promise<string[]> =>
    inTransaction(db, (trx) => recordPayments(trx, events, merchantId, count, clock.now()));

  return {
    ...{ db, database, ring, clock, events, listener, logged, log, urls: URLS, openOutbound, makeWorker, makeMerchant },
    announce,
    setUrl: (merchantId: string, url: string) => setUrl(db, merchantId, url, clock.now()),
    ...moves,
    ...readersOf(db),
    close: async () => {
      await Promise.all(outbounds.map((outbound) => outbound.close()));
      await listener.stop();
      await close();
    },
  };
}

export type Webhooks = Awaited<ReturnType<typeof makeWebhooks>>;

/** Webhooks for a test file, usable in its tests; `emptied` names the table that is emptied after each test. */
export function useWebhooks(emptied?: 'webhook_endpoints' | 'webhook_certifications') {
  const hooks = {} as Webhooks;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    Object.assign(hooks, await makeWebhooks());
  });
  afterAll(() => hooks.close());
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
    if (emptied) await hooks.db.deleteFrom(emptied).execute();
    hooks.logged.length = 0;
  });
  /** An endpoint that is closed after the test. */
  const receive = async (answer?: Respond): Promise<Receiver> => {
    const receiver = await startReceiver(answer);
    receivers.push(receiver);
    return receiver;
  };
  return { hooks, receive };
}

/** Its business clock stands still until it is moved. */
function makeClock() {
  let nowMs = START;
  const clock: Clock = { now: () => new Date(nowMs), real: () => new Date() };
  return {
    clock,
    moveTo: (time: Date | number) => {
      nowMs = typeof time === 'number' ? time : time.getTime();
    },
    moveBy: (ms: number) => {
      nowMs += ms;
    },
  };
}

async function insertMerchant(db: Db, ring: KeyRing, at: Date): Promise<Id<'merchant'>> {
  const id = newId('merchant', at);
  await inTransaction(db, async (trx) => {
    await insertBareMerchant(trx, id, at);
    await createWebhookKeys(trx, ring, id, at);
  });
  return id;
}

async function recordPayments(
  trx: Trx,
  events: Events,
  merchantId: string,
  count: number,
  now: Date,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const data = simulatePayment(URLS, now);
    const draft = { merchantId, type: 'payment.completed', resourceId: data.id, sequence: 1, data } as const;
    ids.push(await events.record(trx, draft, now));
  }
  return ids;
}

/** What the database holds. */
const readersOf = (db: Db) => ({
  deliveriesOf: (merchantId: string) =>
    db.selectFrom('webhook_deliveries').selectAll().where('merchant_id', '=', merchantId).orderBy('id').execute(),
  /** What is in flight. */
  slotsOf: (merchantId: string) =>
    db
      .selectFrom('webhook_slots')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .where('ends_at', '>', new Date())
      .execute(),
  attemptsOf: (deliveryId: string) =>
    db.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', deliveryId).orderBy('attempt').execute(),
  endpointOf: (merchantId: string) =>
    db.selectFrom('webhook_endpoints').selectAll().where('merchant_id', '=', merchantId).executeTakeFirstOrThrow(),
});

async function setUrl(db: Db, merchantId: string, url: string, now: Date): Promise<void> {
  const enabled = { url, status: 'enabled', disabled_reason: null, failing_since: null, updated_at: now };
  await db
    .insertInto('webhook_endpoints')
    .values({ merchant_id: merchantId, ...enabled })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(enabled))
    .execute();
}

/** Ends the leases of a merchant's deliveries, as time would; that of a test call is in its own row. */
export async function endLeases(db: Db, merchantId: string): Promise<void> {
  const past = new Date(Date.now() - 1000);
  await db
    .updateTable('webhook_slots')
    .set({ ends_at: past })
    .where('merchant_id', '=', merchantId)
    .where('delivery_id', 'is not', null)
    .execute();
  await db
    .updateTable('webhook_deliveries')
    .set({ locked_until: past })
    .where('merchant_id', '=', merchantId)
    .where('locked_until', 'is not', null)
    .execute();
}

/** How long to wait for concurrent work: long, because the machine may be busy. */
export const SOON = { timeout: 60_000, interval: 5 };
