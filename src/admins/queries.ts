import { lookUpOn } from '../db/look-ups.ts';
import type { Account } from '../identity/login.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { Admin, AdminStatus } from './admin.ts';
import { permissionsOf } from './permissions.ts';

/** Administrators with their roles. */
export const selectAdmin = (db: Db | Trx) =>
  db
    .selectFrom('admins as a')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .leftJoin('second_factors as f', 'f.holder_id', 'a.id')
    .select('f.enabled_at as two_factor_since')
    .select(['a.id', 'a.email', 'a.name', 'a.status', 'a.last_login_at', 'a.created_at', 'a.updated_at'])
    .select(['a.role_id', 'r.name as role_name', 'r.permissions', 'r.is_super']);

type AdminRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectAdmin>['executeTakeFirst']>>>;

/** A row of `selectAdmin`. */
export const toAdmin = (row: AdminRow): Admin => ({
  id: row.id as Id<'admin'>,
  email: row.email,
  name: row.name,
  status: row.status as AdminStatus,
  role: {
    id: row.role_id as Id<'role'>,
    name: row.role_name,
    permissions: permissionsOf({ isSuper: row.is_super, permissions: row.permissions }),
    isSuper: row.is_super,
  },
  twoFactorEnabled: row.two_factor_since !== null,
  lastLoginAt: row.last_login_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The administrator with their role; throws NOT_FOUND. */
export async function getAdmin(db: Db | Trx, id: string): Promise<Admin> {
  const row = await selectAdmin(db).where('a.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('administrator');
  return toAdmin(row);
}

const selectAccount = (db: Db | Trx) => db.selectFrom('admins').select(['id', 'email', 'password_hash', 'status']);

type AccountRow = { id: string; email: string; password_hash: string; status: string };

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  passwordHash: row.password_hash,
  isOpen: row.status === 'active',
});

/** The credentials of the administrator with this (normalised) e-mail address. */
export async function findAccountByEmail(db: Db | Trx, email: string): Promise<Account | undefined> {
  const [row] = await lookUpOn(db, selectAccount(db).where('email', '=', email));
  return row && toAccount(row);
}

/** The credentials of an administrator; throws NOT_FOUND. */
export async function getAccount(db: Db, id: string): Promise<Account> {
  const row = await selectAccount(db).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('administrator');
  return toAccount(row);
}

/** Locks the administrator and reads their credentials; throws NOT_FOUND. */
export async function lockAccount(trx: Trx, id: string): Promise<Account> {
  const row = await selectAccount(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound('administrator');
  return toAccount(row);
}

/** Stores a new password hash. */
export async function savePasswordHash(trx: Trx, id: string, passwordHash: string): Promise<void> {
  await trx.updateTable('admins').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

/** Records when an administrator last logged in, in real time. */
export async function noteLogin(trx: Trx, id: string, real: Date): Promise<void> {
  await trx.updateTable('admins').set({ last_login_at: real }).where('id', '=', id).execute();
}
