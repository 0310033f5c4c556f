import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { eventJobs } from '../../src/events/jobs.ts';
import { sealEvents } from '../../src/events/seal.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import type { Job } from '../../src/ports/job.ts';
import { beforeMigration } from '../support/upgrade.ts';
import { makeWebhooks, SOON, type Webhooks } from '../webhooks/fixture.ts';

let world: Webhooks;
let seal: (signal?: AbortSignal) => Promise<void>;

beforeAll(async () => {
  world = await makeWebhooks();
  const [job] = eventJobs({ db: world.db }) as [Job];
  seal = (signal = new AbortController().signal) =>
    job.run({ now: world.clock.now(), real: world.clock.real(), signal });
});
afterAll(() => world.close());

const GENESIS = Buffer.alloc(32);

/** The hash of an entry, recomputed from its description. */
function hashOf(position: bigint, previous: Buffer, body: Buffer): Buffer {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(position);
  return createHash('sha256').update('event-v1\0').update(place).update(previous).update(body).digest();
}

const feedOf = (merchantId: string) =>
  world.db
    .selectFrom('event_feed as feed')
    .innerJoin('events as event', 'event.id', 'feed.event_id')
    .select(['feed.position', 'feed.previous_hash', 'feed.hash', 'event.id', 'event.resource_id', 'event.sequence'])
    .select('event.body')
    .where('feed.merchant_id', '=', merchantId)
    .orderBy('feed.position')
    .execute();

const waiting = async (): Promise<number> =>
  (await world.db.selectFrom('unsealed_events').select('id').execute()).length;

/** Expects positions from 1 without gaps, chained hashes, and the events of each resource in order. */
function expectWhole(feed: Awaited<ReturnType<typeof feedOf>>): void {
  let previous: Buffer = GENESIS;
  const sequences = new Map<string, number>();
  for (const [index, entry] of feed.entries()) {
    expect(entry.position).toBe(BigInt(index + 1));
    expect(entry.previous_hash).toEqual(previous);
    expect(entry.hash).toEqual(hashOf(entry.position, previous, entry.body));
    expect(entry.sequence).toBeGreaterThan(sequences.get(entry.resource_id) ?? 0);
    sequences.set(entry.resource_id, entry.sequence);
    previous = entry.hash;
  }
}

const insertEvent = (
  trx: Trx,
  event: { id: string; merchantId: string; resourceId?: string; sequence?: number; body?: string },
) =>
  trx
    .insertInto('events')
    .values({
      id: event.id,
      merchant_id: event.merchantId,
      type: 'payment.created',
      resource_id: event.resourceId ?? event.id,
      sequence: event.sequence ?? 1,
      body: Buffer.from(event.body ?? `{"id":"${event.id}"}`),
      created_at: world.clock.now(),
    })
    .execute();

test('the hashes equal the published vectors', async () => {
  const merchantId = await world.makeMerchant();
  for (const [id, type] of [
    ['evt_1', 'payment.created'],
    ['evt_2', 'payment.completed'],
  ] as const) {
    await inTransaction(world.db, (trx) =>
      insertEvent(trx, { id, merchantId, body: `{"id":"${id}","type":"${type}"}` }),
    );
  }
  await seal();
  expect((await feedOf(merchantId)).map(({ hash }) => hash.toString('hex'))).toEqual([
    '739e7d5f9048f8c64415f4376b9e17d59a7988f72f3dfbb75217ae972c48ca62',
    '64f971e2463cca5871e594677824c653862cb2f7d8088d39443cb56ef3f99c47',
  ]);
});

test('an event is sealed once it is committed, a rolled-back one never, and sealing twice changes nothing', async () => {
  const merchantId = await world.makeMerchant();
  await inTransaction(world.db, async (trx) => {
    await insertEvent(trx, { id: 'evt_slow', merchantId });
    await world.announce(merchantId);
    await seal();
    expect(await feedOf(merchantId)).toHaveLength(1);
  });
  const undone = inTransaction(world.db, async (trx) => {
    await insertEvent(trx, { id: 'evt_undone', merchantId });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await seal();
  await seal();
  const feed = await feedOf(merchantId);
  expect(feed.map(({ id }) => id).slice(1)).toEqual(['evt_slow']);
  expectWhole(feed);
});

test('two concurrent sealers do not wait for each other, and one that dies midway is replaced', async () => {
  const merchantId = await world.makeMerchant();
  await world.announce(merchantId, 30);
  const killed = inTransaction(world.db, async (trx) => {
    expect(await sealEvents(trx, 20)).toBe(20);
    expect(await sealEvents(world.db, 20)).toBe(0);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(world.db);
    await sql`select 1`.execute(trx);
  });
  await expect(killed).rejects.toThrow();
  expect(await feedOf(merchantId)).toEqual([]);
  await expect.poll(() => sealEvents(world.db, 20), SOON).toBe(20);
  expect(await sealEvents(world.db, 20)).toBe(10);
  expectWhole(await feedOf(merchantId));
});

test('a transaction that locks a merchant and emits events blocks no sealer and waits for none', async () => {
  const merchantId = await world.makeMerchant();
  await world.announce(merchantId, 3);
  await inTransaction(world.db, async (trx) => {
    await trx.selectFrom('merchants').select('id').where('id', '=', merchantId).forUpdate().execute();
    await insertEvent(trx, { id: 'evt_locked', merchantId });
    await seal();
    expect(await feedOf(merchantId)).toHaveLength(3);
  });
  await inTransaction(world.db, async (trx) => {
    expect(await sealEvents(trx, 10)).toBe(1);
    await inTransaction(world.db, async (other) => {
      await other.selectFrom('merchants').select('id').where('id', '=', merchantId).forUpdate().noWait().execute();
      await insertEvent(other, { id: 'evt_meanwhile', merchantId });
    });
  });
  await seal();
  expectWhole(await feedOf(merchantId));
});

test('with 20 writers and two sealers killed repeatedly, the feed has no gap or duplicate and a reader misses nothing', async () => {
  const merchants = await Promise.all([world.makeMerchant(), world.makeMerchant(), world.makeMerchant()]);
  const [read = ''] = merchants;
  const end = new AbortController();
  const seen: string[] = [];
  const reader = async (): Promise<void> => {
    for (let after = 0n; ; await sleep(2)) {
      const done = end.signal.aborted;
      const rows = (await feedOf(read)).filter(({ position }) => position > after);
      seen.push(...rows.map(({ id }) => id));
      after = rows.at(-1)?.position ?? after;
      if (done && rows.length === 0) return;
    }
  };
  let kills = 0;
  const sealer = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await inTransaction(world.db, async (trx) => {
        const sealed = await sealEvents(trx, 7);
        // About every third time its process dies in the middle of a batch.
        if (sealed > 0 && Math.random() < 0.3) {
          kills += 1;
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
        }
      }).catch(() => undefined);
      await sleep(1);
    }
  };
  const writer = async (_: unknown, index: number): Promise<void> => {
    const merchantId = merchants[index % merchants.length] ?? '';
    for (let sequence = 1; sequence <= 30; sequence += 1) {
      const event = { id: `evt_w${index}n${sequence}`, merchantId, resourceId: `pay_w${index}`, sequence };
      await inTransaction(world.db, async (trx) => {
        await insertEvent(trx, event);
        await sleep(Math.random() * 5);
      });
    }
  };
  const others = [reader(), sealer(), sealer()];
  try {
    await Promise.all(Array.from({ length: 20 }, writer));
    await expect.poll(waiting, SOON).toBe(0);
  } finally {
    end.abort();
    await Promise.all(others);
  }
  const feeds = await Promise.all(merchants.map(feedOf));
  for (const feed of feeds) expectWhole(feed);
  expect(feeds.flat()).toHaveLength(600);
  expect(kills).toBeGreaterThan(3);
  expect(seen).toEqual(feeds[0]?.map(({ id }) => id));
});

test('10,000 events of 20 merchants are sealed in seconds, and a stopped job ends after its batch', async () => {
  const merchants = await Promise.all(Array.from({ length: 20 }, () => world.makeMerchant()));
  const body = Buffer.alloc(2000, 'x');
  await sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    select 'evt_many' || n, (${merchants}::text[])[1 + n % 20], 'payment.created', 'pay_many' || n, 1, ${body},
           ${world.clock.now()}
      from generate_series(1, 10000) n`.execute(world.db);
  const stopped = new AbortController();
  stopped.abort();
  await seal(stopped.signal);
  expect(await feedOf(merchants[0] ?? '')).toEqual([]);
  const start = performance.now();
  await seal();
  const tookMs = performance.now() - start;
  expect((await Promise.all(merchants.map(feedOf))).flat()).toHaveLength(10_000);
  expectWhole(await feedOf(merchants[0] ?? ''));
  expect(tookMs).toBeLessThan(10_000);
});

test('events from before the feed existed are numbered in the order they happened', () =>
  beforeMigration('0012-event-feed', async ({ client, migrate }) => {
    await client.query(`
      insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at, updated_at)
      values ('mer_1', 'Tea', 'a@example.com', 'none', '+94771234567', 'company', 'active', now(), now())`);
    await client.query(`
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select 'evt_' || n, 'mer_1', 'payment.created', 'pay_' || n % 3, 1 + n / 3, convert_to(n::text, 'UTF8'),
             timestamptz '2026-01-01' + n / 10 * interval '1 second' from generate_series(59, 0, -1) n`);
    await migrate();
    await client.query('select seal_events(100)');
    const { rows } = await client.query(`
      select f.position, f.previous_hash, f.hash, e.id, e.resource_id, e.sequence, e.body, e.created_at
        from event_feed f join events e on e.id = f.event_id order by f.position`);
    expectWhole(rows.map((row) => ({ ...row, position: BigInt(row.position) })));
    expect(rows).toHaveLength(60);
    const times = rows.map((row) => row.created_at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }));

test('the application may emit and read events, but can neither write the feed nor change or delete events', async () => {
  const merchantId = await world.makeMerchant();
  const [id = ''] = await world.announce(merchantId);
  await seal();
  const forbidden = [
    sql`insert into event_feed values (${merchantId}, 2, ${id}, ${GENESIS}, ${GENESIS})`,
    sql`update event_feed set hash = ${GENESIS}`,
    sql`delete from event_feed`,
    sql`truncate event_feed`,
    sql`insert into unsealed_events (event_id) values (${id})`,
    sql`delete from unsealed_events`,
    sql`update events set body = ''`,
    sql`delete from events`,
    sql`truncate events cascade`,
  ];
  for (const statement of forbidden) await expect(statement.execute(world.db)).rejects.toThrow('permission denied');
});
