import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureFirstAdmin, upsertAdmin } from '../../src/admins/first-admin.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { createSecondFactors } from '../../src/identity/second-factor.ts';
import { rotateSession, startSession } from '../../src/identity/sessions.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { codeAt } from '../support/totp.ts';
import { countBlocked } from '../support/waiting.ts';

/** The role's id, as the migration inserts it. */
const SUPER_ROLE = 'role_00000000000000000000000001';
const NOW = new Date('2026-01-02T03:00:00.000Z');
const passwords = createPasswords({ memoryKib: 64, passes: 1, lanes: 1 });

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());
beforeEach(async () => {
  await connection.db.deleteFrom('admins').execute();
});

const deps = () => ({ db: connection.db, passwords });
const admins = () => connection.db.selectFrom('admins').selectAll().execute();

test('of several concurrent starts one creates the first administrator, and later starts create none', async () => {
  const wanted = { email: 'Admin@Kasi.example' };
  const logins = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(deps(), wanted, NOW)));
  const made = logins.filter((login) => login !== undefined);
  expect(made).toEqual([{ email: 'admin@kasi.example', password: expect.any(String), made: 'created' }]);
  const [admin, ...others] = await admins();
  expect(others).toEqual([]);
  expect(admin).toMatchObject({ email: 'admin@kasi.example', role_id: SUPER_ROLE, status: 'active' });
  expect(await passwords.verify(made[0]?.password ?? '', admin?.password_hash)).toMatchObject({ ok: true });
  expect(await ensureFirstAdmin(deps(), { email: 'other@kasi.example' }, NOW)).toBeUndefined();
});

test('an administrator that a start makes meanwhile is not taken for one to reset by who wants a new one', async () => {
  const wanted = { email: 'admin@kasi.example' };
  const ends = await inTransaction(connection.db, async (trx) => {
    // The start stops at its role, with its lock and without an administrator.
    await sql`lock table roles in access exclusive mode`.execute(trx);
    const starts = ensureFirstAdmin(deps(), wanted, NOW);
    await expect.poll(() => countBlocked(connection.db)).toBe(1);
    const makes = upsertAdmin(deps(), { ...wanted, isNew: true }, NOW).catch((error: unknown) => error);
    await expect.poll(() => countBlocked(connection.db)).toBe(2);
    return { starts, makes };
  });
  const login = await ends.starts;
  expect(await ends.makes).toMatchObject({ code: 'CONFLICT' });
  const [admin] = await admins();
  expect(await passwords.verify(login?.password ?? '', admin?.password_hash)).toMatchObject({ ok: true });
});

test('resetting a password keeps the second factor on, unless that is to be reset too', async () => {
  const { db } = connection;
  const keyRing = createKeyRing(Buffer.alloc(32, 1));
  const factors = createSecondFactors({ sideDb: db, keyRing, livemode: true });
  const email = 'careful@kasi.example';
  expect(await upsertAdmin(deps(), { email }, NOW)).toMatchObject({ made: 'created', twoFactorEnabled: false });
  const [admin] = await admins();
  const holder = { type: 'admin', id: admin?.id ?? '' } as const;
  const { secret } = await inTransaction(db, (trx) => factors.setUp(trx, holder, email, NOW));
  await inTransaction(db, (trx) => factors.enable(trx, holder, codeAt(secret, NOW), NOW));

  expect(await upsertAdmin(deps(), { email }, NOW)).toMatchObject({ made: 'reset', twoFactorEnabled: true });
  const reset = await upsertAdmin(deps(), { email, resetTwoFactor: true }, NOW);
  expect(reset).toMatchObject({ made: 'reset', twoFactorEnabled: false });
  expect(await inTransaction(db, (trx) => factors.require(trx, holder, undefined, NOW))).toEqual({});
  await upsertAdmin(deps(), { email, resetTwoFactor: true }, NOW);
  const entries = await db.selectFrom('audit_log').select('action').where('resource_id', '=', holder.id).execute();
  expect(entries.map(({ action }) => action).filter((action) => action === 'two_factor.reset')).toHaveLength(1);
});

test('a weak password creates no administrator', async () => {
  const wanted = { email: 'admin@kasi.example', password: 'password' };
  await expect(ensureFirstAdmin(deps(), wanted, NOW)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await admins()).toEqual([]);
});

test('resetting a password replaces it, ends sessions, and activates a deactivated one only when told to', async () => {
  const first = await upsertAdmin(deps(), { email: 'admin@kasi.example', password: 'Str0ng-enough' }, NOW);
  expect(first.made).toBe('created');
  await connection.db.updateTable('admins').set({ status: 'deactivated' }).execute();
  const [admin] = await admins();
  const session = await inTransaction(connection.db, (trx) =>
    startSession(trx, { type: 'admin', id: admin?.id ?? '' }, { ip: '', userAgent: '', requestId: '' }, NOW),
  );

  const second = await upsertAdmin(deps(), { email: 'ADMIN@kasi.example' }, NOW);
  expect(second).toMatchObject({ made: 'reset', email: 'admin@kasi.example', status: 'deactivated' });
  const [after, ...others] = await admins();
  expect(others).toEqual([]);
  expect(after).toMatchObject({ id: admin?.id, status: 'deactivated' });
  expect(await passwords.verify(second.password, after?.password_hash)).toMatchObject({ ok: true });
  expect(
    await inTransaction(connection.db, (trx) => rotateSession(trx, 'admin', session.refreshToken, NOW)),
  ).toMatchObject({ kind: 'refused', reason: 'session_revoked' });
  const entries = await connection.db
    .selectFrom('audit_log')
    .select('action')
    .where('resource_id', '=', admin?.id ?? '')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['admin.create', 'admin.reset_password']);

  const third = await upsertAdmin(deps(), { email: 'admin@kasi.example', activate: true }, NOW);
  expect([third, ...(await admins())]).toMatchObject([{ status: 'active' }, { status: 'active' }]);
});
