import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Agent } from 'undici';
import { createClient } from '../../clients/typescript/src/index.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { signatureHeaders, signingKey } from '../../src/lib/standard-webhooks.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { simulatePayment } from '../../src/webhooks/simulated.ts';
import { type Figure, median, percentile } from './figure.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

/** Ten in flight per merchant keep all the service's workers busy. */
export const MERCHANTS = 13;
const IN_FLIGHT = 128;
const EVENTS = 4_000;
const ROUNDS = 3;
const SINGLE_EVENTS = 250;
const LOOK_EVERY_MS = 2;

const RECEIVER = fileURLToPath(new URL('receiver.ts', import.meta.url));

export type Receiver = {
  readonly url: string;
  /**
   * Starts a new count. The promise in the result resolves with the time when that many different webhooks have
   * arrived.
   */
  readonly expect: (count: number) => Promise<{ readonly arrived: Promise<number> }>;
  readonly close: () => void;
};

/** Measures deliveries of the running service against a bare loop, and the latency of a single one. */
export async function benchDeliverWebhooks(service: BenchService): Promise<Figure[]> {
  const receiver = await startReceiver();
  const db = openDatabase({ url: service.databaseUrl, poolMax: 2, applicationName: 'bench', onError: () => undefined });
  try {
    const merchants: string[] = [];
    for (let i = 0; i < MERCHANTS; i += 1) merchants.push(await registerListener(service, receiver.url));
    return [await compareSpeed(db, receiver, merchants), await measureDelay(db, receiver, merchants[0] ?? '')];
  } finally {
    await db.destroy();
    receiver.close();
  }
}

/** A server, in its own process, that accepts every webhook. */
export async function startReceiver(): Promise<Receiver> {
  const child = fork(RECEIVER);
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    expect: async (count) => {
      const counting = nextMessage(child);
      child.send(count);
      await counting;
      return { arrived: nextMessage<{ at: number }>(child).then(({ at }) => at) };
    },
    close: () => void child.kill(),
  };
}

const nextMessage = async <T>(child: ChildProcess): Promise<T> => ((await once(child, 'message')) as [T])[0];

/** A merchant whose webhooks go to the receiver. */
export async function registerListener(service: BenchService, webhookUrl: string): Promise<string> {
  const { id, token } = await registerBenchMerchant(service);
  await createClient({ baseUrl: service.url, token }).merchants.update(id, { webhookUrl });
  return id;
}

type Sent = { readonly id: string; readonly body: Buffer };

async function compareSpeed(db: Db, receiver: Receiver, merchants: readonly string[]): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ids, rate: us } = await deliver(db, receiver, merchants);
    const them = await postBare(receiver, await readEvents(db, ids));
    if (round === 0) continue; // Warm-up: both sides are still being compiled.
    ours.push(us);
    theirs.push(them);
  }
  const [us, them] = [median(ours), median(theirs)];
  return {
    name: 'Webhook deliveries, against a bare loop that signs and posts',
    value: us / them,
    limit: { atLeast: 0.5 },
    detail: `${Math.round(us)} to ${Math.round(them)} deliveries a second`,
  };
}

/** The events and their bodies. */
export const readEvents = (db: Db, ids: readonly string[]): Promise<Sent[]> =>
  db.selectFrom('events').select(['id', 'body']).where('id', 'in', ids).execute();

/** Announces all events in one commit. The rate counts from the commit until the last delivery is recorded. */
export async function deliver(db: Db, receiver: Receiver, merchants: readonly string[]) {
  const { arrived } = await receiver.expect(EVENTS);
  const ids = await inTransaction(db, async (trx) => {
    const made: string[] = [];
    while (made.length < EVENTS) made.push(await announce(trx, merchants[made.length % merchants.length] ?? ''));
    return made;
  });
  const start = performance.now();
  await arrived;
  while (await hasPending(db, merchants)) await sleep(LOOK_EVERY_MS);
  return { ids, rate: (EVENTS / (performance.now() - start)) * 1000 };
}

const events = createEvents({ livemode: false, fanOut: fanOutToEndpoints });

/** Announces one payment of a merchant. */
export function announce(trx: Trx, merchantId: string): Promise<string> {
  const now = new Date();
  const data = simulatePayment({ publicUrl: 'http://localhost', checkoutUrl: 'http://localhost/checkout' }, now);
  return events.record(trx, { merchantId, type: 'payment.completed', resourceId: data.id, sequence: 1, data }, now);
}

async function hasPending(db: Db, merchants: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries where status = 'pending'
      and merchant_id = any (${merchants}::text[]) limit 1`.execute(db);
  return rows.length > 0;
}

/** The least work for a delivery: sign each body and post it, with the service's concurrency. */
export async function postBare(receiver: Receiver, posts: readonly Sent[]): Promise<number> {
  const agent = new Agent();
  const { origin, pathname: path } = new URL(receiver.url);
  const key = signingKey(Buffer.alloc(32, 1));
  const { arrived } = await receiver.expect(posts.length);
  const start = performance.now();
  let next = 0;
  const post = async (): Promise<void> => {
    for (let sent = posts[next++]; sent; sent = posts[next++]) {
      const signed = signatureHeaders([key], sent.id, Math.floor(Date.now() / 1000), sent.body);
      const headers = { 'content-type': 'application/json', ...signed };
      const answer = await agent.request({ origin, path, method: 'POST', headers, body: sent.body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, post));
  await arrived;
  const rate = (posts.length / (performance.now() - start)) * 1000;
  await agent.close();
  return rate;
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
