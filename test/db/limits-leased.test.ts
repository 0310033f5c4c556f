import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { after } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createLimiter } from '../../src/limits/limits.ts';
import type { Limiter } from '../../src/ports/security.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-02T03:59:48.000Z');
/** 100 a second: leases of ten, and one more use every 10 ms. */
const REQUESTS = { max: 100, windowSeconds: 1, of: 'principal', exact: false } as const;
const LEASE = 10;

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(20);
});
afterAll(() => connection.close());

const open = (db: Db = connection.db, rule: { max: number; windowSeconds: number } = REQUESTS): Limiter =>
  createLimiter(db, { requests: { ...REQUESTS, ...rule } });

const useOnce = (limiter: Limiter, key: string, real = NOW) => limiter.use('requests', key, real);

const useTimes = async (limiter: Limiter, times: number, key: string, real = NOW): Promise<number> => {
  let allowed = 0;
  for (let use = 0; use < times; use += 1) if ((await useOnce(limiter, key, real)).allowed) allowed += 1;
  return allowed;
};

const useAtOnce = async (limiters: readonly Limiter[], times: number, key: string, real = NOW): Promise<number> => {
  const calls = Array.from({ length: times }, (_, call) =>
    useOnce(limiters[call % limiters.length] as Limiter, key, real),
  );
  return (await Promise.all(calls)).filter((state) => state.allowed).length;
};

const tokens = async (key: string): Promise<number | undefined> =>
  (await connection.db.selectFrom('limit_buckets').select('tokens').where('key', '=', key).executeTakeFirst())?.tokens;

test('one process allows exactly the limit, and reports what remains', async () => {
  const limiter = open();
  const state = { name: 'requests', max: 100, windowSeconds: 1, resetSeconds: 1 };
  for (let use = 1; use <= 100; use += 1) {
    expect(await useOnce(limiter, 'alone')).toEqual({ ...state, allowed: true, remaining: 100 - use });
  }
  expect(await useOnce(limiter, 'alone')).toEqual({ ...state, allowed: false, remaining: 0 });
});

test('a rarely used key never reaches the database', async () => {
  const limiter = open();
  expect(await useTimes(limiter, LEASE, 'seldom')).toBe(LEASE);
  expect(await tokens('seldom')).toBeUndefined();
  await useOnce(limiter, 'seldom');
  expect(await tokens('seldom')).toBe(100 - LEASE);
});

test('several processes allow the limit plus at most a lease each', async () => {
  const limiters = [open(), open(), open()];
  const allowed = await useAtOnce(limiters, 400, 'crowd');
  expect(allowed).toBeGreaterThanOrEqual(100);
  expect(allowed).toBeLessThanOrEqual(100 + 3 * LEASE);
  expect(await useAtOnce(limiters, 30, 'crowd')).toBe(0);
  // The excess is owed, and waited for.
  expect(await tokens('crowd')).toBe(100 - allowed);
  const waitMs = 10 * (allowed - 100 + 1);
  if (waitMs > 10) expect(await useAtOnce(limiters, 30, 'crowd', after(NOW, waitMs - 10))).toBe(0);
  const next = await useAtOnce(limiters, 30, 'crowd', after(NOW, waitMs));
  expect(next).toBeGreaterThanOrEqual(1);
  expect(next).toBeLessThanOrEqual(limiters.length); // Concurrent requests may each see the same free use.
});

test('uses are refilled one by one, and completely after the window', async () => {
  const limiter = open();
  await useTimes(limiter, 101, 'back');
  expect(await useTimes(limiter, 3, 'back', after(NOW, 9))).toBe(0);
  expect(await useTimes(limiter, 3, 'back', after(NOW, 10))).toBe(1);
  expect(await useTimes(limiter, 20, 'back', after(NOW, 110))).toBe(10);
  expect(await useTimes(limiter, 200, 'back', after(NOW, 1110))).toBe(100);
  expect(await useTimes(limiter, 200, 'back', after(NOW, 9000))).toBe(100);
});

test('over a long time no more is allowed than refills', async () => {
  const limiters = [open(), open()];
  let allowed = 0;
  for (let ms = 0; ms <= 5000; ms += 5) allowed += await useAtOnce(limiters, 2, 'long', after(NOW, ms));
  // While the first leases are spent, the bucket counts as full.
  expect(allowed).toBeGreaterThanOrEqual(100 + 500 - LEASE);
  expect(allowed).toBeLessThanOrEqual(100 + 500 + 2 * LEASE);
});

test('a refusal gives the seconds until the next use, and costs no query until then', async () => {
  const slow = { max: 6, windowSeconds: 60 };
  const limiter = open(connection.db, slow);
  expect(await useTimes(limiter, 7, 'slow')).toBe(6);
  const refused = { name: 'requests', ...slow, allowed: false, remaining: 0 };
  await connection.db.deleteFrom('limit_buckets').where('key', '=', 'slow').execute(); // Not read until then.
  expect(await useOnce(limiter, 'slow')).toEqual({ ...refused, resetSeconds: 10 });
  expect(limiter.refusal('requests', 'slow', after(NOW, 8999))).toEqual({ ...refused, resetSeconds: 2 });
  expect(await useOnce(limiter, 'slow', after(NOW, 9999))).toEqual({ ...refused, resetSeconds: 1 });
  expect(limiter.refusal('requests', 'slow', after(NOW, 10_000))).toBeNull();
  expect(limiter.refusal('requests', 'never seen', NOW)).toBeNull();
  expect(await useOnce(limiter, 'slow', after(NOW, 10_000))).toMatchObject({ allowed: true });
});

test('concurrent requests that wait for the same lease query once', async () => {
  let queries = 0;
  const db = countingDb(() => {
    queries += 1;
  });
  const limiter = open(db);
  expect(await useAtOnce([limiter], 2 * LEASE, 'together')).toBe(2 * LEASE);
  expect(queries).toBe(1);
  expect(await useAtOnce([limiter], 200, 'together')).toBe(80);
  expect(queries).toBe(10);
  await db.destroy();
});

test('a process whose clock is behind gains and loses nothing; a clock far ahead is corrected', async () => {
  const [right, behind, ahead] = [open(), open(), open()];
  expect(await useTimes(right, 101, 'clocks')).toBe(100);
  expect(await useTimes(behind, 20, 'clocks', after(NOW, -500))).toBe(LEASE);
  expect(await tokens('clocks')).toBe(-LEASE);
  expect(await useTimes(right, 20, 'clocks', after(NOW, 110))).toBe(1);
  expect(await useTimes(ahead, 200, 'clocks', after(NOW, 3_600_000))).toBe(100);
  expect(await useTimes(right, 200, 'clocks', after(NOW, 1000))).toBe(0);
  expect(await useTimes(right, 200, 'clocks', after(NOW, 3000))).toBe(100);
  // Its own clock said that nothing is left for an hour.
  expect(await useTimes(ahead, 200, 'clocks', after(NOW, 5000))).toBe(100);
});

test('rate limiting fails open while the database is away, and forgets those uses', async () => {
  const away = openDatabase({
    url: 'postgresql://nobody@127.0.0.1:1/nothing',
    poolMax: 1,
    applicationName: 'kasi-test',
    onError: () => {},
  });
  const limiter = open(away);
  expect(await useTimes(limiter, 150, 'away')).toBe(150);
  await away.destroy();
});

test('our own faults are thrown, not let through', async () => {
  const limiter = open();
  await expect(useTimes(limiter, LEASE + 1, 'no\0text')).rejects.toThrow();
});

/** A pool that reports each statement. */
function countingDb(onQuery: () => void): Db {
  const db = openDatabase({
    url: connection.database.url,
    poolMax: 2,
    applicationName: 'kasi-test',
    onError: () => {},
  });
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      onQuery();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return Object.assign(counting, { ring: db.ring, lookUp: db.lookUp, takeAhead: db.takeAhead, giveBack: db.giveBack });
}
