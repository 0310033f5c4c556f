import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { unlockCodes } from '../../src/identity/code-throttle.ts';
import { createSecondFactors, type SecondFactors } from '../../src/identity/second-factor.ts';
import { hasSecondFactor } from '../../src/identity/second-factor-store.ts';
import { deleteIdleCounters } from '../../src/identity/throttle.ts';
import { after, DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { newId } from '../../src/lib/ids.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

const NOW = new Date('2026-01-02T03:00:10.000Z');
const STEP_MS = 30 * SECOND_MS;
const keyRing = createKeyRing(Buffer.alloc(32, 3));

/** One process: its pools and its second factors. */
type Process = { readonly db: Db; readonly sideDb: Db; readonly factors: SecondFactors };

let connection: TestConnection;
let processes: readonly Process[];
beforeAll(async () => {
  connection = await connectTestDatabase(1);
  processes = [openProcess(), openProcess()];
});
afterAll(async () => {
  await Promise.all(processes.flatMap(({ db, sideDb }) => [db.destroy(), sideDb.destroy()]));
  await connection.close();
});

function openProcess(): Process {
  const open = (poolMax: number): Db =>
    openDatabase({ url: connection.database.url, poolMax, applicationName: 'kasi-test', onError: () => {} });
  const sideDb = open(2);
  return { db: open(10), sideDb, factors: createSecondFactors({ sideDb, keyRing, livemode: true }) };
}

type AccountHolder = { readonly type: 'merchant' | 'admin'; readonly id: string };

const newHolder = (): AccountHolder => ({ type: 'merchant', id: newId('merchant', NOW) });

const inProcess = <T>(
  work: (trx: Parameters<Parameters<typeof inTransaction>[1]>[0], factors: SecondFactors) => Promise<T>,
  index = 0,
) => {
  const { db, factors } = processes[index] as Process;
  return inTransaction(db, (trx) => work(trx, factors));
};
const requireCode = (holder: AccountHolder, otp: string | undefined, real: Date, index = 0) =>
  inProcess((trx, factors) => factors.require(trx, holder, otp, real), index);
const setUp = (holder: AccountHolder, real = NOW) =>
  inProcess((trx, factors) => factors.setUp(trx, holder, 'owner@example.com', real));
const enable = (holder: AccountHolder, otp: string, real = NOW) =>
  inProcess((trx, factors) => factors.enable(trx, holder, otp, real));

/** A holder with the second factor on; its codes can be used from LATER on. */
async function enabledHolder() {
  const holder = newHolder();
  const { secret } = await setUp(holder);
  const recoveryCodes = await enable(holder, codeAt(secret, NOW));
  return { holder, secret, recoveryCodes };
}
const LATER = after(NOW, 2 * STEP_MS);

const alarmsOf = (holderId: string) =>
  connection.db
    .selectFrom('incidents')
    .select('subject')
    .where('kind', '=', 'identity.codes_locked')
    .where('resolved_at', 'is', null)
    .where('subject', '=', holderId)
    .execute();

const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'taken',
    (error: { code: string; reason?: string }) => error.reason ?? error.code,
  );

test('no code is required without a second factor, nor after only setting one up', async () => {
  const holder = newHolder();
  expect(await requireCode(holder, undefined, NOW)).toEqual({});
  await setUp(holder);
  expect(await requireCode(holder, '000000', NOW)).toEqual({});
  expect(await hasSecondFactor(connection.db, holder.id)).toBe(false);
});

test('once enabled a code is required, and each code can be used once', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await hasSecondFactor(connection.db, holder.id)).toBe(true);
  expect(await outcomeOf(requireCode(holder, undefined, LATER))).toBe('otp_required');
  expect(await requireCode(holder, codeAt(secret, LATER), LATER)).toEqual({ secondFactor: 'totp' });
  expect(await outcomeOf(requireCode(holder, codeAt(secret, LATER), LATER))).toBe('otp_invalid');
});

test('the code that enabled it is used up', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await outcomeOf(requireCode(holder, codeAt(secret, NOW), NOW))).toBe('otp_invalid');
});

test('a code older than the last used one is refused, even within its time', async () => {
  const { holder, secret } = await enabledHolder();
  const older = codeAt(secret, after(LATER, -STEP_MS));
  await requireCode(holder, codeAt(secret, LATER), LATER);
  expect(await outcomeOf(requireCode(holder, older, LATER))).toBe('otp_invalid');
});

test.each([
  [-2, 'otp_invalid'],
  [-1, 'taken'],
  [1, 'taken'],
  [2, 'otp_invalid'],
] as const)('a code that is off by %i steps is %s', async (steps, expected) => {
  const { holder, secret } = await enabledHolder();
  const shown = after(LATER, steps * STEP_MS);
  expect(await outcomeOf(requireCode(holder, codeAt(secret, shown), LATER))).toEqual(expected);
});

test('of many concurrent uses of one code, in two processes, exactly one succeeds', async () => {
  const { holder, secret } = await enabledHolder();
  const otp = codeAt(secret, LATER);
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => outcomeOf(requireCode(holder, otp, LATER, n % 2))),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'otp_invalid').length).toBeLessThanOrEqual(5);
});

test('of many concurrent uses of one recovery code, in two processes, exactly one succeeds', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  const otp = recoveryCodes[3] as string;
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => outcomeOf(requireCode(holder, otp, LATER, n % 2))),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
});

test('each of ten recovery codes works once, at any time, and reports how many are left', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  expect(recoveryCodes).toHaveLength(10);
  for (const [index, otp] of recoveryCodes.entries()) {
    expect(await requireCode(holder, otp.toUpperCase(), after(LATER, index))).toEqual({
      secondFactor: 'recovery_code',
      recoveryCodesLeft: 9 - index,
    });
  }
  expect(await outcomeOf(requireCode(holder, recoveryCodes[0], LATER))).toBe('otp_invalid');
});

test("one holder's codes do not work for another", async () => {
  const [one, other] = [await enabledHolder(), await enabledHolder()];
  expect(await outcomeOf(requireCode(one.holder, codeAt(other.secret, LATER), LATER))).toBe('otp_invalid');
  expect(await outcomeOf(requireCode(one.holder, other.recoveryCodes[0], LATER))).toBe('otp_invalid');
});

test('after five wrong codes the next attempt must wait, even a right one, and each wait is longer', async () => {
  const { holder, secret } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await outcomeOf(requireCode(holder, wrong, LATER))).toBe('otp_invalid');
  }
  expect(await outcomeOf(requireCode(holder, wrong, LATER))).toBe('RATE_LIMITED');
  expect(await outcomeOf(requireCode(holder, codeAt(secret, LATER), LATER))).toBe('RATE_LIMITED');
  const soon = after(LATER, SECOND_MS);
  expect(await outcomeOf(requireCode(holder, wrong, soon))).toBe('otp_invalid');
  expect(await outcomeOf(requireCode(holder, codeAt(secret, soon), after(soon, SECOND_MS)))).toBe('RATE_LIMITED');
  expect(await outcomeOf(requireCode(holder, codeAt(secret, soon), after(soon, 2 * SECOND_MS)))).toBe('taken');
});

test('a right code resets the count, and a request without a code counts nothing', async () => {
  const { holder, secret, recoveryCodes } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  for (let round = 0; round < 3; round += 1) {
    for (let failure = 1; failure <= 4; failure += 1) await outcomeOf(requireCode(holder, wrong, LATER));
    expect(await outcomeOf(requireCode(holder, undefined, LATER))).toBe('otp_required');
    expect(await outcomeOf(requireCode(holder, recoveryCodes[round], LATER))).toBe('taken');
  }
});

test('a burst of guesses over two processes gets five answers before it must wait', async () => {
  const { holder, secret } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => outcomeOf(requireCode(holder, wrong, LATER, n % 2))),
  );
  expect(answers.filter((answer) => answer === 'otp_invalid')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(35);
});

test('more concurrent guesses than connections do not deadlock', async () => {
  const holders = await Promise.all(Array.from({ length: 15 }, enabledHolder));
  const answers = await Promise.all(
    holders.flatMap(({ holder, secret }) =>
      [1, 2].map(() => outcomeOf(requireCode(holder, wrongCodeAt(secret, LATER), LATER))),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['otp_invalid']));
});

test('a wrong code counts though its transaction is rolled back; a right code in such a transaction can be reused', async () => {
  const { holder, secret } = await enabledHolder();
  const otp = codeAt(secret, LATER);
  const undone = inProcess(async (trx, factors) => {
    await factors.require(trx, holder, otp, LATER);
    throw new Error('no money');
  });
  await expect(undone).rejects.toThrow('no money');
  for (let failure = 1; failure <= 5; failure += 1)
    await outcomeOf(requireCode(holder, wrongCodeAt(secret, LATER), LATER));
  expect(await outcomeOf(requireCode(holder, otp, LATER))).toBe('RATE_LIMITED');
  expect(await outcomeOf(requireCode(holder, otp, after(LATER, SECOND_MS)))).toBe('taken');
});

test('a pending secret can be replaced, until its first code is due', async () => {
  const holder = newHolder();
  const first = await setUp(holder);
  const second = await setUp(holder);
  expect(second.expiresAt).toEqual(after(NOW, 15 * 60 * SECOND_MS));
  expect(await outcomeOf(enable(holder, codeAt(first.secret, NOW)))).toBe('otp_invalid');
  expect(await outcomeOf(enable(holder, codeAt(second.secret, second.expiresAt), second.expiresAt))).toBe('CONFLICT');
  const third = await setUp(holder, second.expiresAt);
  expect(await enable(holder, codeAt(third.secret, second.expiresAt), second.expiresAt)).toHaveLength(10);
});

test('an enabled second factor can be neither replaced nor enabled again', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await outcomeOf(setUp(holder))).toBe('CONFLICT');
  expect(await outcomeOf(enable(holder, codeAt(secret, LATER), LATER))).toBe('CONFLICT');
  expect(await outcomeOf(enable(newHolder(), '000000'))).toBe('CONFLICT');
});

test('guesses at the first code count like any other', async () => {
  const holder = newHolder();
  const { secret } = await setUp(holder);
  const wrong = wrongCodeAt(secret, NOW);
  for (let failure = 1; failure <= 5; failure += 1) expect(await outcomeOf(enable(holder, wrong))).toBe('otp_invalid');
  expect(await outcomeOf(enable(holder, codeAt(secret, NOW)))).toBe('RATE_LIMITED');
});

test('disabling takes one of its codes, and deletes everything', async () => {
  const { holder, secret, recoveryCodes } = await enabledHolder();
  const disable = (otp: string | undefined) => inProcess((trx, factors) => factors.disable(trx, holder, otp, LATER));
  expect(await outcomeOf(disable(undefined))).toBe('otp_required');
  expect(await outcomeOf(disable(wrongCodeAt(secret, LATER)))).toBe('otp_invalid');
  expect(await disable(recoveryCodes[0])).toEqual({ secondFactor: 'recovery_code', recoveryCodesLeft: 9 });
  expect(await outcomeOf(disable(recoveryCodes[1]))).toBe('CONFLICT');
  expect(await requireCode(holder, undefined, LATER)).toEqual({});
  const left = await connection.db
    .selectFrom('recovery_codes')
    .select('holder_id')
    .where('holder_id', '=', holder.id)
    .execute();
  expect(left).toEqual([]);
});

test('the database itself refuses a step backwards, a code twice and a factor for another holder', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  await requireCode(holder, recoveryCodes[0], LATER);
  const statements = [
    sql`update second_factors set last_step = last_step - 1 where holder_id = ${holder.id}`,
    sql`update second_factors set last_step = null, enabled_at = null, pending_until = now()
         where holder_id = ${holder.id}`,
    sql`update second_factors set enabled_at = now() where holder_id = ${holder.id}`,
    sql`update second_factors set holder_id = 'mer_other' where holder_id = ${holder.id}`,
    sql`update recovery_codes set used_at = null where holder_id = ${holder.id} and used_at is not null`,
    sql`insert into second_factors (holder_id, sealed_secret, pending_until) values ('key_1', '', now())`,
  ];
  for (const statement of statements) {
    await expect(statement.execute(connection.db)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  }
});

test('an encrypted secret does not decrypt for another holder', async () => {
  const [one, other] = [await enabledHolder(), await enabledHolder()];
  await sql`update second_factors
               set sealed_secret = (select sealed_secret from second_factors where holder_id = ${one.holder.id})
             where holder_id = ${other.holder.id}`.execute(connection.db);
  await expect(requireCode(other.holder, codeAt(one.secret, LATER), LATER)).rejects.toThrow(/unable to authenticate/);
});

test('wrong codes while a factor is set up raise no alarm: nobody depends on it yet', async () => {
  const holder = newHolder();
  for (let wrong = 0; wrong < 21; wrong += 1) {
    const now = after(NOW, wrong * 1000 * SECOND_MS);
    const { secret } = await setUp(holder, now);
    expect(await outcomeOf(enable(holder, wrongCodeAt(secret, now), now))).toBe('otp_invalid');
  }
  expect(await alarmsOf(holder.id)).toEqual([]);
});

test('the app shows different issuers for administrators and merchants', async () => {
  const merchant = await setUp(newHolder());
  const admin = await setUp({ type: 'admin', id: newId('admin', NOW) });
  const issuerOf = ({ otpauthUri }: { otpauthUri: string }) => new URL(otpauthUri).searchParams.get('issuer');
  expect([issuerOf(merchant), issuerOf(admin)]).toEqual(['Kasi', 'Kasi Admin']);
});

test('twenty wrong codes in a row lock the app out for good, raise an alarm, and leave the owner a way in', async () => {
  const { holder, secret, recoveryCodes } = await enabledHolder();
  let now = LATER;
  for (let wrong = 0; wrong < 20; wrong += 1) {
    now = after(now, 1000 * SECOND_MS);
    expect(await outcomeOf(requireCode(holder, wrongCodeAt(secret, now), now))).toBe('otp_invalid');
  }
  now = after(now, 1000 * SECOND_MS);
  // Not even the right code, from any process, also when the idle counters have been deleted a month later.
  expect(await outcomeOf(requireCode(holder, codeAt(secret, now), now, 1))).toBe('otp_locked');
  now = after(now, 30 * DAY_MS);
  await deleteIdleCounters(connection.db, now, 500);
  expect(await outcomeOf(requireCode(holder, codeAt(secret, now), now))).toBe('otp_locked');
  expect(await alarmsOf(holder.id)).toEqual([{ subject: holder.id }]);

  // Whoever guesses on makes nobody wait who has a recovery code.
  expect(await outcomeOf(requireCode(holder, 'aaaa-aaaa-aaaa-aaaa', now))).toBe('otp_locked');
  expect(await outcomeOf(requireCode(holder, recoveryCodes[0], now))).toBe('taken');
  expect(await alarmsOf(holder.id)).toEqual([]);
  now = after(now, STEP_MS);
  expect(await outcomeOf(requireCode(holder, codeAt(secret, now), now))).toBe('taken');
});

test('twenty wrong codes lock, however long who guesses pauses before the last of them', async () => {
  const { holder, secret } = await enabledHolder();
  let now = LATER;
  for (let failure = 1; failure <= 19; failure += 1) {
    expect(await outcomeOf(requireCode(holder, wrongCodeAt(secret, now), now))).toBe('otp_invalid');
    now = after(now, 900 * SECOND_MS);
  }
  now = after(now, 2 * DAY_MS);
  await deleteIdleCounters(connection.db, now, 500);
  expect(await outcomeOf(requireCode(holder, wrongCodeAt(secret, now), now))).toBe('otp_invalid');
  expect(await alarmsOf(holder.id)).toEqual([{ subject: holder.id }]);
  await inTransaction(connection.db, (trx) => unlockCodes(trx, holder.id, now));

  // Half a year later it is forgotten.
  expect(await outcomeOf(requireCode(holder, wrongCodeAt(secret, now), now))).toBe('otp_invalid');
  await deleteIdleCounters(connection.db, after(now, 180 * DAY_MS + 1), 500);
  const counter = connection.db.selectFrom('login_throttle').select('key').where('key', '=', `code:${holder.id}`);
  expect(await counter.execute()).toEqual([]);
});
