import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createClient } from '../../clients/typescript/src/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { simulatePayment } from '../../src/webhooks/simulated.ts';
import { until } from '../lib/wait.ts';
import { deliverBare, type Post, postBare, type Waiting } from './bare-deliveries.ts';
import { type Cost, costInTurn, costOf, findPostmaster, inWords, medianCost, totalUs } from './cpu.ts';
import { type Figure, median, percentile } from './figure.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

/** Twice as many slots as the service sends at once, so that those that wait for their record hold nothing up. */
export const MERCHANTS = 52;
const EVENTS = 4_000;
const ROUNDS = 7;
/** Until Node.js has compiled what deliveries run most: the first four rounds cost ours up to twice as much of Node. */
const WARM_UP_ROUNDS = 4;
const SINGLE_EVENTS = 250;
const LOOK_EVERY_MS = 2;
const SEALED_WITHIN_MS = 30_000;

/** As long as a shop's server takes that does some work for an event. */
const SHOP_TAKES_MS = 100;
/** So many that the last ones, for which the slots of a few merchants are waited for, hardly count. */
const SHOP_EVENTS = 10_000;
const SHOP_ROUNDS = 3;

const RECEIVER = fileURLToPath(new URL('receiver.ts', import.meta.url));

/** The message to a receiver: how many webhooks to expect, and how long to take over each. */
export type Expected = { readonly count: number; readonly answerAfterMs: number };

export type Receiver = {
  readonly url: string;
  /**
   * Starts a new count. The promise in the result resolves with the time when that many different webhooks have
   * arrived.
   */
  readonly expect: (count: number) => Promise<{ readonly arrived: Promise<number> }>;
  /** The same one, which takes a while over each of what is expected next. */
  readonly slowly: (answerAfterMs: number) => Receiver;
  readonly close: () => void;
};

/** Measures deliveries of the running service against a bare loop, and the latency of a single one. */
export async function benchDeliverWebhooks(service: BenchService): Promise<Figure[]> {
  const receiver = await startReceiver();
  const db = openDatabase({ url: service.databaseUrl, poolMax: 2, applicationName: 'bench', onError: () => undefined });
  try {
    const merchants: string[] = [];
    for (let i = 0; i < MERCHANTS; i += 1) merchants.push(await registerListener(service, receiver.url));
    const speeds = await compareSpeed(service, db, receiver, merchants);
    const shops = await compareWithShops(service, db, receiver.slowly(SHOP_TAKES_MS), merchants);
    return [...speeds, shops, await measureDelay(db, receiver, merchants[0] ?? '')];
  } finally {
    await db.destroy();
    receiver.close();
  }
}

/** A server, in its own process, that accepts every webhook. */
export async function startReceiver(): Promise<Receiver> {
  const child = fork(RECEIVER);
  const { port } = await nextMessage<{ port: number }>(child);
  const receiver = (answerAfterMs: number): Receiver => ({
    url: `http://127.0.0.1:${port}/hooks`,
    expect: async (count) => {
      const counting = nextMessage(child);
      child.send({ count, answerAfterMs } satisfies Expected);
      await counting;
      return { arrived: nextMessage<{ at: number }>(child).then(({ at }) => at) };
    },
    slowly: receiver,
    close: () => void child.kill(),
  });
  return receiver(0);
}

const nextMessage = async <T>(child: ChildProcess): Promise<T> => ((await once(child, 'message')) as [T])[0];

/** A merchant whose webhooks go to the receiver. */
export async function registerListener(service: BenchService, webhookUrl: string): Promise<string> {
  const { id, token } = await registerBenchMerchant(service);
  await createClient({ baseUrl: service.url, token }).merchants.update(id, { webhookUrl });
  return id;
}

/**
 * Deliveries of the service in turn with two loops: one that does the same with the least of statements, and one that
 * has no database and only signs and posts.
 */
async function compareSpeed(service: BenchService, db: Db, receiver: Receiver, merchants: readonly string[]) {
  const postmaster = await findPostmaster(service.databaseUrl);
  const only: Cost[] = [];
  const cost = async (pid: number, waiting: readonly Waiting[], rate: () => Promise<number>): Promise<Cost> =>
    costOf(pid, postmaster, async () => ({ requests: waiting.length, perSecond: await rate() }));
  const ours = async (): Promise<Cost> => {
    const waiting = await prepare(db, merchants);
    return cost(service.pid, waiting, () => deliver(db, receiver, merchants, waiting));
  };
  const theirs = async (isWarmUp: boolean): Promise<Cost> => {
    const waiting = await prepare(db, merchants);
    const posts = await readPosts(db, waiting);
    const posted = await cost(process.pid, waiting, () => postBare(receiver, posts));
    if (!isWarmUp) only.push(posted);
    return cost(process.pid, waiting, () => deliverBare(service.databaseUrl, receiver, waiting));
  };
  for (let round = 1; round < WARM_UP_ROUNDS; round += 1) {
    await ours();
    await theirs(true);
  }
  const { us, them, ratio } = await costInTurn(ROUNDS, ours, theirs);
  const bare = medianCost(only);
  const figures: Figure[] = [
    {
      name: 'Webhook deliveries, rate against a bare loop that reads, signs, posts and records',
      value: ratio(({ perSecond }) => perSecond),
      limit: { atLeast: 0.55 },
      goal: 0.85,
      detail: `${inWords(us)} to ${inWords(them)}`,
    },
    {
      name: 'Webhook deliveries, all CPU against that loop',
      value: 1 / ratio(totalUs),
      limit: { atLeast: 0.55 },
      goal: 0.85,
      detail: 'of the same runs',
    },
    {
      name: 'Webhook deliveries, CPU of Node of a loop that only signs and posts to ours',
      value: bare.nodeUs / us.nodeUs,
      limit: { atLeast: 0.75 },
      goal: 0.85,
      detail: 'what counts where other work shares the cores',
    },
    {
      name: 'Webhook deliveries, rate against a loop that only signs and posts',
      value: us.perSecond / bare.perSecond,
      // It has two cores to itself; ours shares them with PostgreSQL (decision webhooks/what-a-delivery-costs).
      limit: null,
      detail: `${inWords(us)} to ${inWords(bare)}`,
    },
  ];
  return figures;
}

/**
 * The same against a loop without a database, where the receivers take their time, as those of merchants do: then the
 * cores are not what limits either, and the rate says how well the service keeps its attempts going.
 */
async function compareWithShops(
  service: BenchService,
  db: Db,
  shops: Receiver,
  merchants: readonly string[],
): Promise<Figure> {
  const postmaster = await findPostmaster(service.databaseUrl);
  const cost = (pid: number, rate: () => Promise<number>): Promise<Cost> =>
    costOf(pid, postmaster, async () => ({ requests: SHOP_EVENTS, perSecond: await rate() }));
  let waiting = await prepare(db, merchants, SHOP_EVENTS);
  const posts = await readPosts(db, waiting);
  await deliver(db, shops, merchants, waiting);
  const ours = async (): Promise<Cost> => {
    waiting = await prepare(db, merchants, SHOP_EVENTS);
    return cost(service.pid, () => deliver(db, shops, merchants, waiting));
  };
  const theirs = (): Promise<Cost> => cost(process.pid, () => postBare(shops, posts));
  const { us, them, ratio } = await costInTurn(SHOP_ROUNDS, ours, theirs);
  return {
    name: `Webhook deliveries to receivers that take ${SHOP_TAKES_MS} ms, rate against a loop that only signs and posts`,
    value: ratio(({ perSecond }) => perSecond),
    limit: { atLeast: 0.85 },
    detail: `${inWords(us)} to ${inWords(them)}; as many in flight`,
  };
}

/** What they send. */
export const readPosts = (db: Db, waiting: readonly Waiting[]): Promise<Post[]> => {
  const ids = waiting.map(({ eventId }) => eventId);
  return db.selectFrom('events').select(['id', 'body']).where('id', 'in', ids).execute();
};

/**
 * Makes `count` deliveries, due in a day. Resolves once their events are in the feed, so that sealing them is no part
 * of the measurement.
 */
export async function prepare(db: Db, merchants: readonly string[], count = EVENTS): Promise<Waiting[]> {
  const tomorrow = after(new Date(), DAY_MS);
  const ids = await inTransaction(db, async (trx) => {
    const made: string[] = [];
    while (made.length < count)
      made.push(await announce(trx, merchants[made.length % merchants.length] ?? '', tomorrow));
    return made;
  });
  const isSealed = async () => (await sql`select from unsealed_events limit 1`.execute(db)).rows.length === 0;
  await until('the events are sealed', SEALED_WITHIN_MS, isSealed);
  return db
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_id as eventId'])
    .where('event_id', 'in', ids)
    .execute();
}

/** Makes them due in one commit. The rate counts from the commit until the last delivery is recorded. */
export async function deliver(db: Db, receiver: Receiver, merchants: readonly string[], waiting: readonly Waiting[]) {
  const { arrived } = await receiver.expect(waiting.length);
  await inTransaction(db, async (trx) => {
    const ids = waiting.map(({ id }) => id);
    await trx.updateTable('webhook_deliveries').set({ next_attempt_at: new Date() }).where('id', 'in', ids).execute();
    trx.wake('kasi_deliveries');
  });
  const start = performance.now();
  await arrived;
  while (await hasPending(db, merchants)) await sleep(LOOK_EVERY_MS);
  return (waiting.length / (performance.now() - start)) * 1000;
}

const events = createEvents({ livemode: false, fanOut: fanOutToEndpoints });

/** Announces one payment of a merchant. */
export function announce(trx: Trx, merchantId: string, now = new Date()): Promise<string> {
  const data = simulatePayment({ publicUrl: 'http://localhost', checkoutUrl: 'http://localhost/checkout' }, now);
  return events.record(trx, { merchantId, type: 'payment.completed', resourceId: data.id, sequence: 1, data }, now);
}

async function hasPending(db: Db, merchants: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries where status = 'pending'
      and merchant_id = any (${merchants}::text[]) and next_attempt_at < clock_timestamp() limit 1`.execute(db);
  return rows.length > 0;
}

/** Milliseconds from commit to receipt, for single events one after the other. */
export async function measureDelays(db: Db, receiver: Receiver, merchantId: string, count: number): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; i < count; i += 1) {
    await sleep(30 + Math.random() * 60);
    const { arrived } = await receiver.expect(1);
    const committedAt = await inTransaction(db, async (trx) => {
      await announce(trx, merchantId);
      return performance.timeOrigin + performance.now();
    });
    delays.push((await arrived) - committedAt);
  }
  return delays;
}

/** Single events, each while the service is otherwise idle. */
async function measureDelay(db: Db, receiver: Receiver, merchantId: string): Promise<Figure> {
  const delays = await measureDelays(db, receiver, merchantId, SINGLE_EVENTS);
  return {
    name: 'Webhook, from commit to receipt when idle, p99',
    value: percentile(delays, 0.99),
    unit: 'ms',
    limit: { atMost: 250 },
    detail: `${SINGLE_EVENTS} events; half of them within ${median(delays).toFixed(1)} ms`,
  };
}
