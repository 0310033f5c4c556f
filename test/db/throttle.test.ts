import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { createThrottle, deleteIdleCounters, type Throttle } from '../../src/identity/throttle.ts';
import { after, DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');

let connection: TestConnection;
let throttle: Throttle;
beforeAll(async () => {
  connection = await connectTestDatabase();
  throttle = createThrottle(connection.db, { secret: Buffer.alloc(32, 7), scale: 1 });
});
afterAll(() => connection.close());

let addresses = 0;
/** A new address, so that only the account counts. */
const anAddress = (): string => {
  addresses += 1;
  return `10.${Math.floor(addresses / 65_536)}.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;
};
const admit = (email: string, real: Date, ip = anAddress()) => throttle.admit('merchant', email, ip, real);
const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code: string; retryAfterSeconds: number }) => ({ code: error.code, seconds: error.retryAfterSeconds }),
  );

test('an account waits 1, 2, 4 … 900 seconds after the fifth consecutive failure, to the millisecond', async () => {
  const email = 'guessed@example.com';
  for (let failure = 1; failure <= 4; failure += 1) await admit(email, NOW);
  let at = NOW;
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    await admit(email, at);
    expect(await refusalOf(admit(email, at))).toEqual({ code: 'RATE_LIMITED', seconds });
    expect(await refusalOf(admit(email, after(at, seconds * 1000 - 1)))).toEqual({ code: 'RATE_LIMITED', seconds: 1 });
    at = after(at, seconds * 1000);
  }
});

test('a success resets the count', async () => {
  const email = 'forgetful@example.com';
  for (let failure = 1; failure <= 4; failure += 1) await admit(email, NOW);
  const right = await admit(email, NOW);
  await inTransaction(connection.db, (trx) => throttle.succeed(trx, right));
  for (let failure = 1; failure <= 5; failure += 1) await admit(email, NOW);
  expect(await refusalOf(admit(email, NOW))).toEqual({ code: 'RATE_LIMITED', seconds: 1 });
});

test('of many concurrent attempts only five get through, before any has failed', async () => {
  const results = await Promise.all(Array.from({ length: 30 }, () => refusalOf(admit('burst@example.com', NOW))));
  expect(results.filter((refusal) => refusal === undefined)).toHaveLength(5);
});

test('a merchant and an administrator with one e-mail address are two accounts', async () => {
  for (let failure = 1; failure <= 5; failure += 1) await admit('both@example.com', NOW);
  expect(await refusalOf(admit('both@example.com', NOW))).toBeDefined();
  await throttle.admit('admin', 'both@example.com', anAddress(), NOW);
});

test('an address may fail 20 times in 15 minutes, over many accounts, counted by its /64', async () => {
  for (let failure = 0; failure < 20; failure += 1) {
    await admit(`victim${failure}@example.com`, after(NOW, failure * 1000), `2001:db8:1:2::${failure}`);
  }
  const late = after(NOW, 14 * MINUTE_MS);
  expect(await refusalOf(admit('other@example.com', late, '2001:db8:1:2:ffff::1'))).toEqual({
    code: 'RATE_LIMITED',
    seconds: 60,
  });
  await admit('other@example.com', late, '2001:db8:1:3::1');
  await admit('other@example.com', after(NOW, 15 * MINUTE_MS), '2001:db8:1:2::1');
});

test('a success of an address cancels only its own failure', async () => {
  const ip = anAddress();
  for (let failure = 0; failure < 19; failure += 1) await admit(`many${failure}@example.com`, NOW, ip);
  const right = await admit('own@example.com', NOW, ip);
  await inTransaction(connection.db, (trx) => throttle.succeed(trx, right));
  await admit('last@example.com', NOW, ip);
  expect(await refusalOf(admit('over@example.com', NOW, ip))).toBeDefined();
});

test('a refused attempt does not count, for the account or for the address', async () => {
  const email = 'patient@example.com';
  const ip = anAddress();
  for (let failure = 1; failure <= 5; failure += 1) await admit(email, NOW);
  for (let refused = 0; refused < 30; refused += 1) expect(await refusalOf(admit(email, NOW, ip))).toBeDefined();
  await admit(email, after(NOW, 1000), ip);
  expect(await refusalOf(admit(email, after(NOW, 1000), ip))).toEqual({ code: 'RATE_LIMITED', seconds: 2 });
});

test('an attempt without an outcome is cancelled', async () => {
  const email = 'unlucky@example.com';
  for (let overload = 0; overload < 30; overload += 1) await throttle.release(await admit(email, NOW));
  for (let failure = 1; failure <= 5; failure += 1) await admit(email, NOW);
  expect(await refusalOf(admit(email, NOW))).toBeDefined();
});

test('a larger scale lets an address fail more often, but not an account', async () => {
  const sandbox = createThrottle(connection.db, { secret: Buffer.alloc(32, 8), scale: 10 });
  const ip = anAddress();
  for (let failure = 0; failure < 200; failure += 1)
    await sandbox.admit('merchant', `s${failure}@example.com`, ip, NOW);
  expect(await refusalOf(sandbox.admit('merchant', 'over@example.com', ip, NOW))).toBeDefined();
  for (let failure = 0; failure < 5; failure += 1) await sandbox.admit('merchant', 'one@example.com', anAddress(), NOW);
  expect(await refusalOf(sandbox.admit('merchant', 'one@example.com', anAddress(), NOW))).toBeDefined();
});

test('the table does not reveal which e-mail addresses were tried', async () => {
  await admit('secret@example.com', NOW);
  const rows = await connection.db.selectFrom('login_throttle').select('key').execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^(account:[0-9a-f]{64}|address:[0-9a-f.:/]+)$/);
});

test('counters are forgotten after a quiet day', async () => {
  const later = after(NOW, 2 * DAY_MS);
  await admit('recent@example.com', after(later, -DAY_MS));
  await admit('old@example.com', after(later, -DAY_MS - 1));
  while ((await deleteIdleCounters(connection.db, later, 50)) === 50);
  const { count } = await connection.db
    .selectFrom('login_throttle')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(2n);
});

test('an attempt that started just before the refused one waits as long', async () => {
  const email = 'crowded@example.com';
  let at = NOW;
  for (let failure = 1; failure <= 17; failure += 1) {
    await admit(email, at);
    at = after(at, 900_000);
  }
  await admit(email, at);
  expect(await refusalOf(admit(email, after(at, -5)))).toEqual({ code: 'RATE_LIMITED', seconds: 901 });
});

test('counters set by a clock a day ahead lock no one out when it is corrected, and failures keep counting', async () => {
  const [email, ip] = ['early@example.com', anAddress()];
  const ahead = after(NOW, DAY_MS);
  for (let failure = 1; failure <= 5; failure += 1) await admit(email, ahead, ip);
  for (let failure = 1; failure <= 15; failure += 1) await admit(`early${failure}@example.com`, ahead, ip);
  expect(await refusalOf(admit(email, ahead, ip))).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await refusalOf(admit(email, NOW, ip))).toBe(undefined);
  expect(await refusalOf(admit(email, NOW, ip))).toEqual({ code: 'RATE_LIMITED', seconds: 2 });
});
