import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { Permission } from '../ports/security.ts';
import type { Admin, AdminStatus } from './admin.ts';
import { selectAdmin, toAdmin } from './queries.ts';

export type AdminFilter = { readonly status?: AdminStatus; readonly roleId?: string };

const ADMINS = newestFirst('admin-users', { table: 'a' });

/** One page of administrators, newest first, and the total number of matches. */
export async function listAdmins(
  db: Db,
  filter: AdminFilter,
  page: PageWindow,
): Promise<{ readonly found: Page<Admin>; readonly total: number }> {
  const at = windowSql(ADMINS, page);
  const [rows, count] = await Promise.all([
    selectAdmin(db)
      .select(at.keys)
      .where((eb) => eb.and(conditionsOf(filter)))
      .where(at.condition)
      .modifyEnd(at.tail)
      .execute(),
    db
      .selectFrom('admins as a')
      .select((eb) => eb.fn.countAll<bigint>().as('total'))
      .where((eb) => eb.and(conditionsOf(filter)))
      .executeTakeFirstOrThrow(),
  ]);
  return { found: at.pageOf(rows, toAdmin), total: Number(count.total) };
}

const conditionsOf = ({ status, roleId }: AdminFilter) => ({
  ...(status && { 'a.status': status }),
  ...(roleId !== undefined && { 'a.role_id': roleId }),
});

/** Locks the administrator and reads them with their role; throws NOT_FOUND. */
export async function lockAdmin(trx: Trx, id: string): Promise<Admin> {
  const admin = await findAdminLocked(trx, id);
  if (!admin) throw notFound('administrator');
  return admin;
}

/** Locks the administrator and reads them with their role; undefined if there is none. */
export async function findAdminLocked(trx: Trx, id: string): Promise<Admin | undefined> {
  const row = await selectAdmin(trx).where('a.id', '=', id).forNoKeyUpdate('a').executeTakeFirst();
  return row && toAdmin(row);
}

/** The active administrators who hold a permission. */
export async function listHoldersOf(trx: Trx, permission: Permission): Promise<Admin[]> {
  const rows = await selectAdmin(trx).where('a.status', '=', 'active').orderBy('a.id').execute();
  return rows.map(toAdmin).filter(({ role }) => role.permissions.includes(permission));
}

/** How many other active super_admins there are. */
export async function countOtherActiveSupers(trx: Trx, id: string): Promise<number> {
  const { others } = await trx
    .selectFrom('admins as a')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .select((eb) => eb.fn.countAll<bigint>().as('others'))
    .where('r.is_super', '=', true)
    .where('a.status', '=', 'active')
    .where('a.id', '<>', id)
    .executeTakeFirstOrThrow();
  return Number(others);
}

export type AdminDraft = {
  readonly id: Id<'admin'>;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly roleId: string;
  /** Null: made from a shell. */
  readonly createdBy: string | null;
  readonly status: AdminStatus;
};

/** Inserts an administrator; false when the e-mail address is taken. */
export async function insertAdmin(trx: Trx, draft: AdminDraft, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('admins')
    .values({
      id: draft.id,
      email: draft.email,
      name: draft.name,
      password_hash: draft.passwordHash,
      role_id: draft.roleId,
      created_by: draft.createdBy,
      status: draft.status,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Writes the fields that can change, except the password; the caller holds the lock. */
export async function saveAdmin(trx: Trx, admin: Admin): Promise<void> {
  await trx
    .updateTable('admins')
    .set({
      email: admin.email,
      name: admin.name,
      status: admin.status,
      role_id: admin.role.id,
      updated_at: admin.updatedAt,
    })
    .where('id', '=', admin.id)
    .execute();
}

/** Remembers who set the credentials of an administrator; null: somebody in a shell, who is nobody's second person. */
export async function noteCredentials(trx: Trx, id: string, by: string | null, now: Date): Promise<void> {
  const values = { credentials_by: by, credentials_at: by === null ? null : now };
  await trx.updateTable('admins').set(values).where('id', '=', id).execute();
}

/** Remembers that these administrators could approve changes until now. */
export async function noteApproversLost(trx: Trx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('admins')
    .set({ approver_until: now })
    .where('id', 'in', [...ids])
    .execute();
}
