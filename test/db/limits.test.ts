import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import { createLimiter, deleteOldWindows, LIMITS, takeTurn } from '../../src/limits/limits.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

/** 12 seconds before the end of a minute and of an hour. */
const NOW = new Date('2026-01-02T03:59:48.000Z');

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(20);
});
afterAll(() => connection.close());

const outcomes = (calls: readonly Promise<void>[]) =>
  Promise.all(
    calls.map((call) =>
      call.then(
        () => 'let through',
        (error: { code: string }) => error.code,
      ),
    ),
  );

test('of 50 calls at once, through two processes, exactly ten are let through', async () => {
  const [one, two] = [createLimiter(connection.db, { scale: 1 }), createLimiter(connection.db, { scale: 1 })];
  const calls = Array.from({ length: 50 }, (_, number) => (number % 2 ? one : two)('payment_start', 'crowd', NOW));
  const results = await outcomes(calls);
  expect(results.filter((result) => result === 'let through')).toHaveLength(10);
  expect(results.filter((result) => result === 'RATE_LIMITED')).toHaveLength(40);
});

test('a refusal says how long to wait, and after that it is over', async () => {
  const limiter = createLimiter(connection.db, { scale: 1 });
  for (let use = 0; use < 10; use += 1) await limiter('webhook_test', 'mer_1', NOW);
  await expect(limiter('webhook_test', 'mer_1', NOW)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 12,
    message: 'Too many requests. Try again in 12 seconds.',
  });
  await expect(limiter('webhook_test', 'mer_1', after(NOW, 11_999))).rejects.toMatchObject({ retryAfterSeconds: 1 });
  await limiter('webhook_test', 'mer_1', after(NOW, 12_000));
});

test('keys and names are counted apart', async () => {
  const limiter = createLimiter(connection.db, { scale: 1 });
  for (let use = 0; use < 10; use += 1) await limiter('payment_start', 'apart', NOW);
  await limiter('payment_start', 'another', NOW);
  await limiter('registration', 'apart', NOW);
});

test('whoever has many IPv6 addresses has one limit', async () => {
  const limiter = createLimiter(connection.db, { scale: 1 });
  for (let use = 0; use < 10; use += 1) await limiter('payment_start', `2001:db8:5:6::${use}`, NOW);
  await expect(limiter('payment_start', '2001:db8:5:6:ffff::1', NOW)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await limiter('payment_start', '2001:db8:5:7::1', NOW);
});

test('the scale of the sandbox multiplies every limit', async () => {
  const limiter = createLimiter(connection.db, { scale: 10 });
  for (let use = 0; use < 100; use += 1) await limiter('registration', 'sandbox', NOW);
  await expect(limiter('registration', 'sandbox', NOW)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('every limit that the contract names has a rule', async () => {
  const named = Object.values(operationMeta).flatMap(({ limit }) => limit ?? []);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(LIMITS, name).toHaveProperty(name);
  await expect(createLimiter(connection.db, { scale: 1 })('toString', 'key', NOW)).rejects.toThrow('no limit');
});

test('a turn is taken once in a window, by one of many who ask at once', async () => {
  const take = (real: Date, key = 'turn') => takeTurn(connection.db, 'test', key, 1000, real);
  const results = await Promise.all(Array.from({ length: 20 }, () => take(NOW)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await take(after(NOW, 999))).toBe(false);
  expect(await take(NOW, 'other')).toBe(true);
  expect(await take(after(NOW, 1000))).toBe(true);
});

test('counters of windows that are over are deleted, and no others', async () => {
  await connection.db.deleteFrom('limit_counters').execute();
  const limiter = createLimiter(connection.db, { scale: 1 });
  for (const key of ['a', 'b', 'c']) await limiter('registration', key, after(NOW, -2 * HOUR_MS));
  await limiter('registration', 'now', NOW);
  expect(await deleteOldWindows(connection.db, NOW, 2)).toBe(2);
  expect(await deleteOldWindows(connection.db, NOW, 2)).toBe(1);
  const left = await connection.db.selectFrom('limit_counters').select('key').execute();
  expect(left).toEqual([{ key: 'now' }]);
});
