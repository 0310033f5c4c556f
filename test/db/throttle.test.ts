import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { type Attempt, createThrottle, deleteIdleCounters, type Throttle } from '../../src/identity/throttle.ts';
import { DAY_MS, after as later, MINUTE_MS } from '../../src/lib/clock.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const TOKEN = 'ab'.repeat(32);

let connection: TestConnection;
let throttle: Throttle;
/** Addresses have room enough here, so that only the account counts. */
let roomy: Throttle;
beforeAll(async () => {
  connection = await connectTestDatabase();
  throttle = createThrottle(connection.db, { secret: Buffer.alloc(32, 7), scale: 1 });
  roomy = createThrottle(connection.db, { secret: Buffer.alloc(32, 7), scale: 1000 });
});
afterAll(() => connection.close());

let addresses = 0;
const anAddress = (): string => {
  addresses += 1;
  return `10.${Math.floor(addresses / 65_536)}.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;
};
type Place = { readonly ip?: string; readonly home?: boolean; readonly token?: string; readonly session?: string };
const candidate = (email: string, { ip = '203.0.113.7', home = false, token, session }: Place = {}) =>
  ({ type: 'merchant', email, ip, known: { token: token ?? null, address: home, refreshed: false }, session }) as const;

const admit = (email: string, real: Date, place?: Place) => roomy.admit(candidate(email, place), real);
/** A wrong password, checked to its end. */
const fail = async (email: string, real: Date, place?: Place) => roomy.fail(await admit(email, real, place));
const succeed = (attempt: Attempt) =>
  inTransaction(connection.db, (trx) => throttle.succeed(trx, attempt)).then(() => throttle.settled(attempt));
const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (error: { code: string; retryAfterSeconds: number }) => ({ code: error.code, seconds: error.retryAfterSeconds }),
  );

test('an address waits 1, 2, 4 … 900 seconds after its fifth failure at an account, to the millisecond', async () => {
  const email = 'guessed@example.com';
  for (let failure = 1; failure <= 4; failure += 1) await fail(email, NOW);
  let at = NOW;
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    await fail(email, at);
    expect(await refusalOf(admit(email, at))).toEqual({ code: 'RATE_LIMITED', seconds });
    expect(await refusalOf(admit(email, later(at, seconds * 1000 - 1)))).toEqual({ code: 'RATE_LIMITED', seconds: 1 });
    at = later(at, seconds * 1000);
  }
});

test('a success resets the count', async () => {
  const email = 'forgetful@example.com';
  for (let failure = 1; failure <= 4; failure += 1) await fail(email, NOW);
  await succeed(await admit(email, NOW));
  for (let failure = 1; failure <= 5; failure += 1) await fail(email, NOW);
  expect(await refusalOf(admit(email, NOW))).toEqual({ code: 'RATE_LIMITED', seconds: 1 });
});

describe('strangers, wherever they are,', () => {
  const guess = (email: string, at: Date) => refusalOf(fail(email, at, { ip: anAddress() }));

  test('have 20 failures at an account together, then wait 1, 2, 4 … 900 seconds for each', async () => {
    const email = 'famous@example.com';
    for (let failure = 1; failure <= 19; failure += 1) expect(await guess(email, NOW)).toBeUndefined();
    let at = NOW;
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await guess(email, at)).toBeUndefined();
      expect(await guess(email, at)).toEqual({ code: 'RATE_LIMITED', seconds });
      at = later(at, seconds * 1000);
    }
  });

  test('keep nobody out who has logged in before, and gain nothing by their success', async () => {
    const email = 'owner@example.com';
    for (let failure = 1; failure <= 20; failure += 1) await guess(email, NOW);
    for (const place of [
      { ip: anAddress(), home: true },
      { ip: anAddress(), token: TOKEN },
      { ip: anAddress(), session: 'ses_1' },
    ]) {
      await succeed(await admit(email, NOW, place));
    }
    expect(await guess(email, NOW)).toEqual({ code: 'RATE_LIMITED', seconds: 1 });
  });
});

test('who has used up the tries of a device token still has those of the address', async () => {
  const email = 'thief@example.com';
  const stolen = { token: TOKEN };
  for (let failure = 1; failure <= 5; failure += 1) await fail(email, NOW, { ...stolen, ip: anAddress() });
  for (let failure = 1; failure <= 20; failure += 1) await fail(email, NOW, { ...stolen, ip: anAddress() });
  expect(await refusalOf(admit(email, NOW, { ...stolen, ip: anAddress() }))).toEqual({
    code: 'RATE_LIMITED',
    seconds: 1,
  });
  await succeed(await admit(email, NOW, { ...stolen, home: true }));
});

describe('attempts at once', () => {
  test('never get more wrong passwords through than one after the other', async () => {
    const guesses = Array.from({ length: 30 }, async () => {
      const attempt = await admit('burst@example.com', NOW);
      await sleep(20);
      await roomy.fail(attempt);
      roomy.settled(attempt);
    });
    const refusals = await Promise.all(guesses.map(refusalOf));
    // Five, and one more for each delay that passes while the others wait.
    const admitted = refusals.filter((refusal) => refusal === undefined).length;
    expect([5, 6, 7]).toContain(admitted);
    expect(refusals.filter((refusal) => refusal?.code === 'RATE_LIMITED')).toHaveLength(30 - admitted);
  });

  test('with the right password all succeed, in two processes as well', async () => {
    const other = createThrottle(connection.db, { secret: Buffer.alloc(32, 7), scale: 1000 });
    const logins = Array.from({ length: 30 }, async (_, index) => {
      const own = index % 2 === 0 ? roomy : other;
      const attempt = await own.admit(candidate('workers@example.com'), NOW);
      await sleep(5);
      await inTransaction(connection.db, (trx) => own.succeed(trx, attempt));
      own.settled(attempt);
    });
    expect(await Promise.all(logins.map(refusalOf))).toEqual(logins.map(() => undefined));
  });

  test('that a dead process was checking count as failed after a while', async () => {
    const email = 'crashed@example.com';
    let at = NOW;
    for (let failure = 1; failure <= 9; failure += 1) {
      await admit(email, at);
      at = later(at, failure < 5 ? 0 : 2 ** (failure - 5) * 1000);
    }
    await admit(email, at);
    expect(await refusalOf(admit(email, later(at, 20_000)))).toEqual({ code: 'RATE_LIMITED', seconds: 12 });
  });
});

test('a merchant and an administrator with one e-mail address are two accounts', async () => {
  for (let failure = 1; failure <= 5; failure += 1) await fail('both@example.com', NOW);
  expect(await refusalOf(admit('both@example.com', NOW))).toBeDefined();
  await roomy.admit({ ...candidate('both@example.com'), type: 'admin' }, NOW);
});

describe('an address', () => {
  const failAt = async (email: string, ip: string, at = NOW) =>
    throttle.fail(await throttle.admit(candidate(email, { ip }), at));

  test('may fail 20 times in 15 minutes, over many accounts, counted by its /64', async () => {
    for (let failure = 0; failure < 20; failure += 1) {
      await failAt(`victim${failure}@example.com`, `2001:db8:1:2::${failure}`, later(NOW, failure * 1000));
    }
    const late = later(NOW, 14 * MINUTE_MS);
    expect(await refusalOf(failAt('other@example.com', '2001:db8:1:2:ffff::1', late))).toEqual({
      code: 'RATE_LIMITED',
      seconds: 60,
    });
    await failAt('other@example.com', '2001:db8:1:3::1', late);
    await failAt('other@example.com', '2001:db8:1:2::1', later(NOW, 15 * MINUTE_MS));
  });

  test('has only its own failure cancelled by a success', async () => {
    const ip = anAddress();
    for (let failure = 0; failure < 19; failure += 1) await failAt(`many${failure}@example.com`, ip);
    await succeed(await throttle.admit(candidate('own@example.com', { ip }), NOW));
    await failAt('last@example.com', ip);
    expect(await refusalOf(failAt('over@example.com', ip))).toBeDefined();
  });

  test('that is no address counts together with all others that are none', async () => {
    for (let failure = 0; failure < 20; failure += 1) await failAt(`junk${failure}@example.com`, `junk${failure}`);
    expect(await refusalOf(failAt('junk@example.com', 'more junk'))).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('may fail more often with a larger scale, an account may not', async () => {
    const sandbox = createThrottle(connection.db, { secret: Buffer.alloc(32, 8), scale: 2 });
    const ip = anAddress();
    const failThere = async (email: string, at: string) =>
      sandbox.fail(await sandbox.admit(candidate(email, { ip: at }), NOW));
    for (let failure = 0; failure < 40; failure += 1) await failThere(`s${failure}@example.com`, ip);
    expect(await refusalOf(failThere('over@example.com', ip))).toBeDefined();
    const one = anAddress();
    for (let failure = 0; failure < 5; failure += 1) await failThere('one@example.com', one);
    expect(await refusalOf(failThere('one@example.com', one))).toBeDefined();
  });
});

test('a refused attempt does not count', async () => {
  const email = 'patient@example.com';
  for (let failure = 1; failure <= 5; failure += 1) await fail(email, NOW);
  for (let refused = 0; refused < 30; refused += 1) expect(await refusalOf(admit(email, NOW))).toBeDefined();
  await fail(email, later(NOW, 1000));
  expect(await refusalOf(admit(email, later(NOW, 1000)))).toEqual({ code: 'RATE_LIMITED', seconds: 2 });
});

test('an attempt without an outcome is cancelled', async () => {
  const email = 'unlucky@example.com';
  for (let overload = 0; overload < 30; overload += 1) await roomy.release(await admit(email, NOW));
  for (let failure = 1; failure <= 5; failure += 1) await fail(email, NOW);
  expect(await refusalOf(admit(email, NOW))).toBeDefined();
});

test('the table does not reveal which e-mail addresses were tried', async () => {
  await admit('secret@example.com', NOW);
  const rows = await connection.db.selectFrom('login_throttle').select('key').execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).not.toMatch(/example|@/);
});

test('counters are forgotten after a quiet day', async () => {
  const end = later(NOW, 2 * DAY_MS);
  await fail('recent@example.com', later(end, -DAY_MS), { ip: anAddress(), home: true });
  await fail('old@example.com', later(end, -DAY_MS - 1), { ip: anAddress(), home: true });
  while ((await deleteIdleCounters(connection.db, end, 50)) === 50);
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
    await fail(email, at);
    at = later(at, 900_000);
  }
  await fail(email, at);
  expect(await refusalOf(admit(email, later(at, -5)))).toEqual({ code: 'RATE_LIMITED', seconds: 901 });
});

test('counters set by a clock a day ahead lock no one out when it is corrected, and failures keep counting', async () => {
  const [email, ip] = ['early@example.com', anAddress()];
  const ahead = later(NOW, DAY_MS);
  for (let failure = 1; failure <= 5; failure += 1) await fail(email, ahead, { ip });
  expect(await refusalOf(admit(email, ahead, { ip }))).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await refusalOf(fail(email, NOW, { ip }))).toBe(undefined);
  expect(await refusalOf(admit(email, NOW, { ip }))).toEqual({ code: 'RATE_LIMITED', seconds: 2 });
});
