import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createSecondFactors, type SecondFactors } from '../../src/identity/second-factor.ts';
import { hasSecondFactor } from '../../src/identity/second-factor-store.ts';
import { after, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { newId } from '../../src/lib/ids.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

const NOW = new Date('2026-01-02T03:00:10.000Z');
const STEP_MS = 30 * SECOND_MS;
const keyRing = createKeyRing(Buffer.alloc(32, 3));

/** What one process has: its pools and its second factors. */
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

/** A holder whose second factor is on; its codes are to be taken from LATER on. */
async function enabledHolder() {
  const holder = newHolder();
  const { secret } = await setUp(holder);
  const recoveryCodes = await enable(holder, codeAt(secret, NOW));
  return { holder, secret, recoveryCodes };
}
const LATER = after(NOW, 2 * STEP_MS);

const told = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'taken',
    (error: { code: string; reason?: string }) => error.reason ?? error.code,
  );

test('nobody who has none is asked for a code, and neither is who only set one up', async () => {
  const holder = newHolder();
  expect(await requireCode(holder, undefined, NOW)).toEqual({});
  await setUp(holder);
  expect(await requireCode(holder, '000000', NOW)).toEqual({});
  expect(await hasSecondFactor(connection.db, holder.id)).toBe(false);
});

test('once it is on a code is asked for, and each code is taken once', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await hasSecondFactor(connection.db, holder.id)).toBe(true);
  expect(await told(requireCode(holder, undefined, LATER))).toBe('otp_required');
  expect(await requireCode(holder, codeAt(secret, LATER), LATER)).toEqual({ secondFactor: 'totp' });
  expect(await told(requireCode(holder, codeAt(secret, LATER), LATER))).toBe('otp_invalid');
});

test('the code that turned it on is used up', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await told(requireCode(holder, codeAt(secret, NOW), NOW))).toBe('otp_invalid');
});

test('an older code than the last one is refused, though its time is not over', async () => {
  const { holder, secret } = await enabledHolder();
  const older = codeAt(secret, after(LATER, -STEP_MS));
  await requireCode(holder, codeAt(secret, LATER), LATER);
  expect(await told(requireCode(holder, older, LATER))).toBe('otp_invalid');
});

test('a code is taken a step early and a step late, and no further off', async () => {
  for (const [steps, expected] of [
    [-2, 'otp_invalid'],
    [-1, 'taken'],
    [1, 'taken'],
    [2, 'otp_invalid'],
  ] as const) {
    const { holder, secret } = await enabledHolder();
    const shown = after(LATER, steps * STEP_MS);
    expect([steps, await told(requireCode(holder, codeAt(secret, shown), LATER))]).toEqual([steps, expected]);
  }
});

test('of many who send one code at once, in two processes, exactly one is let in', async () => {
  const { holder, secret } = await enabledHolder();
  const otp = codeAt(secret, LATER);
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => told(requireCode(holder, otp, LATER, n % 2))));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'otp_invalid').length).toBeLessThanOrEqual(5);
});

test('of many who send one recovery code at once, in two processes, exactly one is let in', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  const otp = recoveryCodes[3] as string;
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => told(requireCode(holder, otp, LATER, n % 2))));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
});

test('each of ten recovery codes is taken once, whatever the time, and tells how many are left', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  expect(recoveryCodes).toHaveLength(10);
  for (const [index, otp] of recoveryCodes.entries()) {
    expect(await requireCode(holder, otp.toUpperCase(), after(LATER, index))).toEqual({
      secondFactor: 'recovery_code',
      recoveryCodesLeft: 9 - index,
    });
  }
  expect(await told(requireCode(holder, recoveryCodes[0], LATER))).toBe('otp_invalid');
});

test('the codes of one holder are worth nothing to another', async () => {
  const [one, other] = [await enabledHolder(), await enabledHolder()];
  expect(await told(requireCode(one.holder, codeAt(other.secret, LATER), LATER))).toBe('otp_invalid');
  expect(await told(requireCode(one.holder, other.recoveryCodes[0], LATER))).toBe('otp_invalid');
});

test('after five wrong codes the sixth waits, a right one too, and then each wait is longer', async () => {
  const { holder, secret } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await told(requireCode(holder, wrong, LATER))).toBe('otp_invalid');
  }
  expect(await told(requireCode(holder, wrong, LATER))).toBe('RATE_LIMITED');
  expect(await told(requireCode(holder, codeAt(secret, LATER), LATER))).toBe('RATE_LIMITED');
  const soon = after(LATER, SECOND_MS);
  expect(await told(requireCode(holder, wrong, soon))).toBe('otp_invalid');
  expect(await told(requireCode(holder, codeAt(secret, soon), after(soon, SECOND_MS)))).toBe('RATE_LIMITED');
  expect(await told(requireCode(holder, codeAt(secret, soon), after(soon, 2 * SECOND_MS)))).toBe('taken');
});

test('a right code begins the count anew, and asking without one counts nothing', async () => {
  const { holder, secret, recoveryCodes } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  for (let round = 0; round < 3; round += 1) {
    for (let failure = 1; failure <= 4; failure += 1) await told(requireCode(holder, wrong, LATER));
    expect(await told(requireCode(holder, undefined, LATER))).toBe('otp_required');
    expect(await told(requireCode(holder, recoveryCodes[round], LATER))).toBe('taken');
  }
});

test('a burst of guesses, over two processes, gets five answers before it waits', async () => {
  const { holder, secret } = await enabledHolder();
  const wrong = wrongCodeAt(secret, LATER);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => told(requireCode(holder, wrong, LATER, n % 2))),
  );
  expect(answers.filter((answer) => answer === 'otp_invalid')).toHaveLength(5);
  expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(35);
});

test('more guesses at once than there are connections do not stop one another for good', async () => {
  const holders = await Promise.all(Array.from({ length: 15 }, enabledHolder));
  const answers = await Promise.all(
    holders.flatMap(({ holder, secret }) =>
      [1, 2].map(() => told(requireCode(holder, wrongCodeAt(secret, LATER), LATER))),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['otp_invalid']));
});

test('a wrong code counts though its transaction is undone; a right one in such a transaction can be used again', async () => {
  const { holder, secret } = await enabledHolder();
  const otp = codeAt(secret, LATER);
  const undone = inProcess(async (trx, factors) => {
    await factors.require(trx, holder, otp, LATER);
    throw new Error('no money');
  });
  await expect(undone).rejects.toThrow('no money');
  for (let failure = 1; failure <= 5; failure += 1) await told(requireCode(holder, wrongCodeAt(secret, LATER), LATER));
  expect(await told(requireCode(holder, otp, LATER))).toBe('RATE_LIMITED');
  expect(await told(requireCode(holder, otp, after(LATER, SECOND_MS)))).toBe('taken');
});

test('a secret that waits can be made anew, until it is too late for its first code', async () => {
  const holder = newHolder();
  const first = await setUp(holder);
  const second = await setUp(holder);
  expect(second.expiresAt).toEqual(after(NOW, 15 * 60 * SECOND_MS));
  expect(await told(enable(holder, codeAt(first.secret, NOW)))).toBe('otp_invalid');
  expect(await told(enable(holder, codeAt(second.secret, second.expiresAt), second.expiresAt))).toBe('CONFLICT');
  const third = await setUp(holder, second.expiresAt);
  expect(await enable(holder, codeAt(third.secret, second.expiresAt), second.expiresAt)).toHaveLength(10);
});

test('one that is on can neither be set up over nor be turned on again', async () => {
  const { holder, secret } = await enabledHolder();
  expect(await told(setUp(holder))).toBe('CONFLICT');
  expect(await told(enable(holder, codeAt(secret, LATER), LATER))).toBe('CONFLICT');
  expect(await told(enable(newHolder(), '000000'))).toBe('CONFLICT');
});

test('guesses at the first code are counted like any other', async () => {
  const holder = newHolder();
  const { secret } = await setUp(holder);
  const wrong = wrongCodeAt(secret, NOW);
  for (let failure = 1; failure <= 5; failure += 1) expect(await told(enable(holder, wrong))).toBe('otp_invalid');
  expect(await told(enable(holder, codeAt(secret, NOW)))).toBe('RATE_LIMITED');
});

test('it is turned off by one of its codes, and all of it is gone', async () => {
  const { holder, secret, recoveryCodes } = await enabledHolder();
  const disable = (otp: string | undefined) => inProcess((trx, factors) => factors.disable(trx, holder, otp, LATER));
  expect(await told(disable(undefined))).toBe('otp_required');
  expect(await told(disable(wrongCodeAt(secret, LATER)))).toBe('otp_invalid');
  expect(await disable(recoveryCodes[0])).toEqual({ secondFactor: 'recovery_code', recoveryCodesLeft: 9 });
  expect(await told(disable(recoveryCodes[1]))).toBe('CONFLICT');
  expect(await requireCode(holder, undefined, LATER)).toEqual({});
  const left = await connection.db
    .selectFrom('recovery_codes')
    .select('holder_id')
    .where('holder_id', '=', holder.id)
    .execute();
  expect(left).toEqual([]);
});

test('the database itself takes no step back, no code twice and no factor for another holder', async () => {
  const { holder, recoveryCodes } = await enabledHolder();
  await requireCode(holder, recoveryCodes[0], LATER);
  const statements = [
    sql`update second_factors set last_step = last_step - 1 where holder_id = ${holder.id}`,
    sql`update second_factors set last_step = null, enabled_at = null, pending_until = now() where holder_id = ${holder.id}`,
    sql`update second_factors set enabled_at = now() where holder_id = ${holder.id}`,
    sql`update second_factors set holder_id = 'mer_other' where holder_id = ${holder.id}`,
    sql`update recovery_codes set used_at = null where holder_id = ${holder.id} and used_at is not null`,
    sql`insert into second_factors (holder_id, sealed_secret, pending_until) values ('key_1', '', now())`,
  ];
  for (const statement of statements) {
    await expect(statement.execute(connection.db)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  }
});

test('a sealed secret does not open for another holder', async () => {
  const [one, other] = [await enabledHolder(), await enabledHolder()];
  await sql`update second_factors set sealed_secret = (select sealed_secret from second_factors where holder_id = ${one.holder.id})
             where holder_id = ${other.holder.id}`.execute(connection.db);
  await expect(requireCode(other.holder, codeAt(one.secret, LATER), LATER)).rejects.toThrow(/unable to authenticate/);
});

test('an administrator sees another issuer in the app than a merchant', async () => {
  const merchant = await setUp(newHolder());
  const admin = await setUp({ type: 'admin', id: newId('admin', NOW) });
  const issuerOf = ({ otpauthUri }: { otpauthUri: string }) => new URL(otpauthUri).searchParams.get('issuer');
  expect([issuerOf(merchant), issuerOf(admin)]).toEqual(['Kasi', 'Kasi Admin']);
});
