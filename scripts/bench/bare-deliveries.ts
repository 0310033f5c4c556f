import pg from 'pg';
import { Agent } from 'undici';
import { inLanes } from '../../src/lib/in-parallel.ts';
import { signatureHeaders, signingKey } from '../../src/lib/standard-webhooks.ts';
import type { Receiver } from './deliver-webhooks.ts';

/** As many as the service sends at once. */
const IN_FLIGHT = 256;
const LOT = 128;

/** An event to post. */
export type Post = { readonly id: string; readonly body: Buffer };

/** A delivery that is not due, so that the service leaves it alone. */
export type Waiting = { readonly id: string; readonly eventId: string };

/** The least work for a delivery that need not survive: signs each body and posts it. Resolves with the rate. */
export async function postBare(receiver: Receiver, posts: readonly Post[]): Promise<number> {
  return rateOf(receiver, posts.length, (post) => postAll(posts[Symbol.iterator](), post, () => undefined));
}

/**
 * The least work for one that does: reads the bodies of the next lot, signs and posts, and records each lot of results
 * with one statement. Nothing is leased, nothing repeated, no merchant has its turn. Resolves with the rate.
 */
export async function deliverBare(
  databaseUrl: string,
  receiver: Receiver,
  waiting: readonly Waiting[],
): Promise<number> {
  const [reader, writer] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  await Promise.all([reader.connect(), writer.connect()]);
  const idOf = new Map(waiting.map(({ id, eventId }) => [eventId, id]));
  try {
    return await rateOf(receiver, waiting.length, async (post) => {
      let recorded: Promise<unknown> = Promise.resolve();
      let done: string[] = [];
      const flush = () => {
        const ids = done;
        done = [];
        recorded = recorded.then(() => record(writer, receiver.url, ids));
      };
      await postAll(readPosts(reader, waiting), post, ({ id }) => {
        if (done.push(idOf.get(id) ?? '') === LOT) flush();
      });
      flush();
      await recorded;
    });
  } finally {
    await Promise.all([reader.end(), writer.end()]);
  }
}

type Source = { readonly next: () => IteratorResult<Post> | Promise<IteratorResult<Post>> };

async function postAll(posts: Source, post: (sent: Post) => Promise<void>, done: (sent: Post) => void): Promise<void> {
  const postOn = async (): Promise<void> => {
    for (let next = await posts.next(); !next.done; next = await posts.next()) {
      await post(next.value);
      done(next.value);
    }
  };
  await inLanes(IN_FLIGHT, postOn);
}

/** Signs and posts with one key and no checks. */
async function rateOf(
  receiver: Receiver,
  count: number,
  work: (post: (sent: Post) => Promise<void>) => Promise<void>,
): Promise<number> {
  const agent = new Agent();
  const { origin, pathname: path } = new URL(receiver.url);
  const key = signingKey(Buffer.alloc(32, 1));
  const { arrived } = await receiver.expect(count);
  const start = performance.now();
  await work(async ({ id, body }) => {
    const signed = signatureHeaders([key], id, Math.floor(Date.now() / 1000), body);
    const headers = { 'content-type': 'application/json', ...signed };
    const answer = await agent.request({ origin, path, method: 'POST', headers, body });
    await answer.body.dump();
  });
  await arrived;
  const rate = (count / (performance.now() - start)) * 1000;
  await agent.close();
  return rate;
}

/** The next lot is read while the one before is sent. */
async function* readPosts(client: pg.Client, waiting: readonly Waiting[]): AsyncGenerator<Post, undefined> {
  const lots = Array.from({ length: Math.ceil(waiting.length / LOT) }, (_, i) => waiting.slice(i * LOT, (i + 1) * LOT));
  const read = (lot: readonly Waiting[]) =>
    client.query<Post>({
      name: 'read',
      text: 'select id, body from events where id = any ($1)',
      values: [lot.map(({ eventId }) => eventId)],
    });
  let next = read(lots[0] ?? []);
  for (const [index] of lots.entries()) {
    const { rows } = await next;
    next = read(lots[index + 1] ?? []);
    yield* rows;
  }
  await next;
}

const record = (client: pg.Client, url: string, ids: readonly string[]) =>
  client.query({
    name: 'record',
    text: `
      with kept as (
        insert into webhook_attempts (delivery_id, attempt, url, status_code, response_time_ms, started_at)
        select id, 1, $2, 204, 1, now() from unnest($1::text[]) as id)
      update webhook_deliveries
         set status = 'success', attempts = 1, status_code = 204, next_attempt_at = null, finished_at = now()
       where id = any ($1)`,
    values: [ids, url],
  });
