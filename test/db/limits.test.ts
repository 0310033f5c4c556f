import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LimitName } from '../../generated/operations.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import { deleteOldWindows, oncePerWindow } from '../../src/limits/counters.ts';
import { createLimiter, limitJobs } from '../../src/limits/limits.ts';
import { type LimitSettings, limitsInForce } from '../../src/limits/settings.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

/** 12 seconds before the end of a minute and of an hour. */
const NOW = new Date('2026-01-02T03:59:48.000Z');
const AS_CONTRACTED: LimitSettings = { off: false, max: {} };

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(20);
});
afterAll(() => connection.close());

const open = (scale = 1, settings = AS_CONTRACTED) => createLimiter(connection.db, limitsInForce(scale, settings));

/** Uses a limit this many times in sequence; returns how many uses were allowed. */
const useTimes = async (times: number, name: LimitName, key: string, limiter = open()): Promise<number> => {
  let allowed = 0;
  for (let use = 0; use < times; use += 1) if ((await limiter.use(name, key, NOW)).allowed) allowed += 1;
  return allowed;
};

test('of 50 concurrent calls through two processes, exactly ten are allowed', async () => {
  const [one, two] = [open(), open()];
  const calls = Array.from({ length: 50 }, (_, call) =>
    (call % 2 ? one : two).use('payment_start', '203.0.113.1', NOW),
  );
  const states = await Promise.all(calls);
  expect(states.filter((state) => state.allowed)).toHaveLength(10);
  expect(states.flatMap((state) => (state.allowed ? [state.remaining] : [])).sort((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
});

test('a refusal says how long to wait, and after that the limit is free again', async () => {
  const limiter = open();
  const facts = { name: 'webhook_test', max: 10, windowSeconds: 60 };
  expect(await limiter.use('webhook_test', 'mer_1', NOW)).toEqual({
    ...facts,
    allowed: true,
    remaining: 9,
    resetSeconds: 12,
  });
  expect(await useTimes(9, 'webhook_test', 'mer_1', limiter)).toBe(9);
  const refused = { ...facts, allowed: false, remaining: 0 };
  expect(await limiter.use('webhook_test', 'mer_1', NOW)).toEqual({ ...refused, resetSeconds: 12 });
  expect(await limiter.use('webhook_test', 'mer_1', after(NOW, 11_999))).toEqual({ ...refused, resetSeconds: 1 });
  expect(await limiter.use('webhook_test', 'mer_1', after(NOW, 12_000))).toMatchObject({ allowed: true, remaining: 9 });
});

test('an exhausted window costs no further statements', async () => {
  const limiter = open();
  expect(await useTimes(11, 'webhook_test', 'flood', limiter)).toBe(10);
  expect(limiter.refusal('webhook_test', 'flood', NOW)).toMatchObject({ allowed: false, resetSeconds: 12 });
  await connection.db.deleteFrom('limit_counters').where('key', '=', 'flood').execute();
  expect(await useTimes(1, 'webhook_test', 'flood', limiter)).toBe(0);
  expect(limiter.refusal('webhook_test', 'flood', after(NOW, 12_000))).toBeNull();
  expect(limiter.refusal('webhook_test', 'nobody', NOW)).toBeNull();
});

test('keys and limits are counted separately', async () => {
  const limiter = open();
  expect(await useTimes(11, 'payment_start', '203.0.113.2', limiter)).toBe(10);
  expect(await useTimes(1, 'payment_start', '203.0.113.3', limiter)).toBe(1);
  expect(await useTimes(1, 'registration', '203.0.113.2', limiter)).toBe(1);
});

test('the IPv6 addresses of one /64 share a limit', async () => {
  const limiter = open();
  for (let use = 0; use < 10; use += 1) await limiter.use('payment_start', `2001:db8:5:6::${use}`, NOW);
  expect(await useTimes(1, 'payment_start', '2001:db8:5:6:ffff::1', limiter)).toBe(0);
  expect(await useTimes(1, 'payment_start', '2001:db8:5:7::1', limiter)).toBe(1);
});

test("the sandbox's scale multiplies every limit that the operator did not set", async () => {
  expect(await useTimes(101, 'registration', '203.0.113.4', open(10))).toBe(100);
  const own = open(10, { off: false, max: { registration: 3, requests: 7 } });
  expect(await useTimes(4, 'registration', '203.0.113.5', own)).toBe(3);
  expect(await useTimes(8, 'requests', '203.0.113.5', own)).toBe(7);
});

/** What strangers could otherwise fill tables with, or have nodes asked. */
const OF_CUSTOMERS = ['charge_try', 'plan_subscription', 'wallet_proof'];

test('turned off, only exact and explicitly set limits remain', async () => {
  const limiter = open(1, { off: true, max: { payment_read: 1 } });
  const exact = [
    'key_rotation',
    'known_login',
    'known_refresh',
    'login',
    'payment_start',
    'place_hold',
    'refresh',
    'registration',
    'webhook_test',
    ...OF_CUSTOMERS,
  ];
  expect(Object.keys(limiter.rules).sort()).toEqual([...exact, 'payment_read'].sort());
  expect(() => limiter.use('requests', '203.0.113.6', NOW)).toThrow('the limit requests is not in force');
  expect(await useTimes(11, 'login', '203.0.113.6', limiter)).toBe(11);
  expect(await useTimes(11, 'payment_start', '203.0.113.6', limiter)).toBe(10);
  expect(await useTimes(2, 'payment_read', '203.0.113.6', limiter)).toBe(1);
});

test('a turn is taken once per window, by one of many concurrent callers', async () => {
  const take = (real: Date, key = 'turn') => oncePerWindow(connection.db, 'test', key, 1000, real);
  const results = await Promise.all(Array.from({ length: 20 }, () => take(NOW)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await take(after(NOW, 999))).toBe(false);
  expect(await take(NOW, 'other')).toBe(true);
  expect(await take(after(NOW, 1000))).toBe(true);
});

test('only counters of past windows are deleted', async () => {
  await connection.db.deleteFrom('limit_counters').execute();
  const limiter = open();
  for (const key of ['203.0.113.7', '203.0.113.8', '203.0.113.9'])
    await limiter.use('registration', key, after(NOW, -3 * HOUR_MS));
  await limiter.use('registration', '203.0.113.10', NOW);
  const before = after(NOW, -2 * HOUR_MS);
  expect(await deleteOldWindows(connection.db, before, 2)).toBe(2);
  expect(await deleteOldWindows(connection.db, before, 2)).toBe(1);
  const left = await connection.db.selectFrom('limit_counters').select('key').execute();
  expect(left).toEqual([{ key: '203.0.113.10' }]);
});

test('cleanup keeps exactly the buckets that can still refuse a use', async () => {
  const [job] = limitJobs({ db: connection.db });
  for (const table of ['limit_buckets', 'limit_counters'] as const) await connection.db.deleteFrom(table).execute();
  const bucket = (key: string, ageMs: number) => ({
    name: 'requests',
    key,
    tokens: 5,
    refilled_at: after(NOW, -ageMs),
  });
  const old = 2 * HOUR_MS;
  await connection.db
    .insertInto('limit_buckets')
    .values([
      ...Array.from({ length: 1500 }, (_, count) => bucket(`old ${count}`, old + 1)),
      bucket('just so', old),
      bucket('now', 0),
    ])
    .execute();
  const counter = (key: string, ageMs: number) => ({ name: 'x', key, window_start: after(NOW, -ageMs), count: 1 });
  await connection.db
    .insertInto('limit_counters')
    .values([counter('old', old + 1), counter('just so', old), counter('now', 0)])
    .execute();
  await job?.run({ now: NOW, real: NOW, signal: new AbortController().signal });
  for (const table of ['limit_buckets', 'limit_counters'] as const) {
    const rows = await connection.db.selectFrom(table).select('key').orderBy('key').execute();
    expect(rows.map(({ key }) => key)).toEqual(['just so', 'now']);
  }
});
