import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { listCreditsNotFinal, listCreditsToSecond } from '../../src/payments/opinion-queries.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Testimony, Witness, Witnessed } from '../../src/ports/chain.ts';
import { buffersOf } from '../support/buffers.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { asOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const AGREED: Testimony = { agree: ['a', 'b'], deny: [], silent: [] };
const GONE: Testimony = {
  ...{ agree: [], silent: [] },
  deny: ['a', 'b'].map((endpoint) => ({ endpoint, what: 'lists no such transfer', certain: true, otherBlock: false })),
};
const ABSENT: Testimony = { agree: ['a'], deny: [], silent: ['b'] };
const DENIED: Testimony = { agree: ['a'], deny: GONE.deny.slice(1), silent: [] };

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
  // What the others are copies of.
  await world.arrive(await world.create(), 1000n, { height: 10 });
  await sql`update credits set applied_at = now()`.execute(world.db);
});
afterAll(() => world.close());

/** The blocks that were asked about, with how many transfers, and what the endpoints say of a block. */
const asked: [number, number][] = [];
let say = (_height: number, _transfers: readonly Witnessed[]): Testimony => AGREED;
const witness: Witness = {
  ask: async ({ height }, transfers) => {
    asked.push([height, transfers.length]);
    return say(height, transfers);
  },
  askPayout: () => Promise.reject(new Error('no payout is asked about')),
  findFinalHeight: async () => 9_000,
};

let second: () => Promise<typeof asked>;
let review: (minutes?: number) => Promise<typeof asked>;
beforeEach(async () => {
  // What a test before has left is none of this one's.
  await asOwner(
    world.db,
    sql`
      update credits set seconded_at = now(), confirmed_at = now(), final_at = now()
       where seconded_at is null or confirmed_at is null or final_at is null`,
  );
  await sql`update chain_cursors set second_opinion_from = 0`.execute(world.db);
  await world.head(9_000, START);
  say = () => AGREED;
  const networks = [{ ...TEST_NETWORK, secondOpinionFrom: 0 }];
  const jobs = opinionJobs({
    db: world.db,
    networks,
    chains: { openWitness: () => witness },
    log: (error) => {
      throw error;
    },
  });
  const runOf = (name: string) => async (minutes?: number) => {
    asked.length = 0;
    const real = new Date(START.getTime() + (minutes ?? 0) * MINUTE_MS);
    await jobs.find((job) => job.name === name)!.run({ now: START, real, signal: new AbortController().signal });
    return [...asked];
  };
  [second, review] = [runOf('payments.second'), runOf('payments.review')];
});

/** Stores so many transfers, applied and not confirmed, in each of so many blocks. */
async function store(height: number, count: number, blocks = 1): Promise<void> {
  const block = sql`${height}::integer + (n - 1) / ${count}::integer`;
  const differing = sql`jsonb_build_object(
    'id', concat('crd_', ${block}, 'x', n), 'tx_hash', concat('0x', ${block}), 'transfer_index', n,
    'block_hash', concat('0xb', ${block}), 'block_number', ${block},
    'confirmed_at', null, 'seconded_at', null, 'final_at', null)`;
  await copyCredits(world.db, sql`c.block_number = 10`, differing, count * blocks);
}

const confirm = () => asOwner(world.db, sql`update credits set confirmed_at = now() where confirmed_at is null`);

/** How many credits of these blocks still wait for an opinion of this kind. */
async function waiting(kind: 'seconded_at' | 'final_at', from: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from credits where block_number >= ${from} and ${sql.ref(kind)} is null`.execute(
    world.db,
  );
  return rows[0]!.count;
}

test('a block is asked about once, however many transfers it has, before they are confirmed and when it is final', async () => {
  await store(100, 1_500);
  await store(101, 1);
  expect(await second()).toEqual([
    [100, 1_500],
    [101, 1],
  ]);
  expect(await waiting('seconded_at', 100)).toBe(0);
  await confirm();
  expect(await review()).toEqual([
    [101, 1],
    [100, 1_500],
  ]);
  expect(await waiting('final_at', 100)).toBe(0);
});

test('a run asks about at most twenty blocks before confirmation, the lowest first', async () => {
  await store(200, 20, 25);
  expect(await second()).toEqual(Array.from({ length: 20 }, (_, i) => [200 + i, 20]));
  expect((await second()).map(([height]) => height)).toEqual([220, 221, 222, 223, 224]);
});

test('a run has at most ten thousand transfers, and a block is divided only where it alone has more', async () => {
  await store(300, 6_000);
  await store(301, 6_000);
  await store(302, 10_001);
  expect(await second()).toEqual([[300, 6_000]]);
  expect(await second()).toEqual([[301, 6_000]]);
  expect(await second()).toEqual([[302, 10_000]]);
  expect(await second()).toEqual([[302, 1]]);
  await confirm();
  expect(await review()).toEqual([[302, 10_000]]);
  expect(await review()).toEqual([
    [302, 1],
    [301, 6_000],
  ]);
  expect(await review()).toEqual([[300, 6_000]]);
});

test('blocks that stay unclear do not stand in front of those behind them, and are asked about in turn', async () => {
  await store(400, 1, 22);
  say = (height) => (height < 422 ? ABSENT : AGREED);
  await second();
  await store(422, 1, 20);
  const heights = (await second()).map(([height]) => height);
  expect(heights).toEqual([...Array.from({ length: 20 }, (_, i) => 420 + i), 400, 401, 402, 403, 404]);
  const rest = Array.from({ length: 17 }, (_, i) => 405 + i);
  expect((await second()).map(([height]) => height)).toEqual([440, 441, 400, ...rest]);
  say = () => AGREED;
  for (let run = 0; run < 5; run += 1) await second();
  expect(await waiting('seconded_at', 400)).toBe(0);
  expect(await second()).toEqual([]);
});

test('what one endpoint shows when final is believed once the others were silent for an hour, and denied nothing meanwhile', async () => {
  await store(500, 1, 2);
  await confirm();
  const reviewed = async (minutes: number) => {
    await review(minutes);
    return waiting('final_at', 500);
  };
  say = (height) => (height === 500 ? ABSENT : DENIED);
  expect(await reviewed(0)).toBe(2);
  say = () => ABSENT;
  // The other one is silent for a moment.
  expect([await reviewed(1), await reviewed(59)]).toEqual([2, 2]);
  expect([await reviewed(70), await reviewed(71)]).toEqual([0, 0]);
});

test('a block that one endpoint alone shows is asked about no more than each ten minutes', async () => {
  await store(520, 1);
  await confirm();
  say = () => ABSENT;
  const asked = [];
  for (const minutes of [0, 1, 9, 10, 19, 20]) asked.push((await review(minutes)).length);
  expect(asked).toEqual([1, 0, 0, 1, 0, 1]);
});

test.each([
  ['payments.second', 600],
  ['payments.review', 601],
])(
  '%s finds the one transfer of a thousand that is gone by few questions, and takes back no other',
  async (job, height) => {
    await store(height, 1_000);
    if (job === 'payments.review') await confirm();
    const run = job === 'payments.review' ? review : second;
    // One more than the chain has; a copy of a real transfer.
    say = (_, transfers) => (transfers.length > 999 ? GONE : ABSENT);
    expect((await run()).length).toBeLessThan(30);
    await sleep(2_100);
    expect((await run()).length).toBeLessThan(30);
    const { rows } = await sql`
    select transfer_index from credits where block_number = ${height} and not canonical`.execute(world.db);
    expect(rows).toEqual([{ transfer_index: 1_000 }]);
  },
);

test('a disagreement is over once its block is believed, although newer ones wait while an endpoint is out', async () => {
  const isOpen = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from incidents where kind = 'chain.disagreement' and resolved_at is null`.execute(world.db);
    return rows.length > 0;
  };
  await review();
  expect(await isOpen()).toBe(false);
  await store(700, 1);
  await confirm();
  say = () => DENIED;
  await review(0);
  expect(await isOpen()).toBe(true);
  // The endpoint that denied it is out from here on: silence takes back nothing.
  say = () => ABSENT;
  for (const minutes of [1, 12, 23, 34, 45, 56]) {
    await review(minutes);
    expect(await isOpen()).toBe(true);
  }
  // Newer than what was told.
  await store(701, 1);
  const later = new Date(START.getTime() + 57 * MINUTE_MS);
  await sql`update credits set seen_at = ${later} where block_number = 701`.execute(world.db);
  await confirm();
  await review(57);
  await review(67);
  expect(await waiting('final_at', 700)).toBe(1);
  expect(await isOpen()).toBe(false);
});

test('what it takes to list what is asked about grows with what is asked, not with what waits behind it', async () => {
  const list = {
    second: (db: Db) => listCreditsToSecond(db, TEST_NETWORK.name, { max: 20, except: [] }),
    final: (db: Db) => listCreditsNotFinal(db, TEST_NETWORK.name, { after: -1, to: 30_000, except: [], max: 50 }),
  };
  // What a transaction has besides is read whole where the table is small, and else found by its hash.
  const byHash = (transactions: number) => 5 * transactions;
  await store(1_000, 1, 400);
  const few = await buffersOf(world.database, list.second);
  await store(2_000, 1, 20_000);
  expect(await buffersOf(world.database, list.second)).toBeLessThan(1.5 * few + byHash(20));
  await confirm();
  const many = await buffersOf(world.database, list.final);
  await sql`update credits set final_at = now() where block_number < 21_600`.execute(world.db);
  expect(many).toBeLessThan(1.5 * (await buffersOf(world.database, list.final)) + byHash(50));
  // A table that is read whole would be more than that.
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('credits') / 8192)::integer as pages`.execute(world.db);
  expect(rows[0]!.pages).toBeGreaterThan(2 * (few + byHash(50)));
});
