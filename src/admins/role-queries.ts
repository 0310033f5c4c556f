import type { Selectable } from 'kysely';
import type { Roles } from '../../generated/db.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { Role } from './admin.ts';
import { permissionsOf } from './permissions.ts';

/** The fields of a role that can change. */
export type RoleChange = Partial<Pick<Role, 'name' | 'description' | 'permissions'>>;

const toRole = (row: Selectable<Roles>): Role => ({
  id: row.id as Id<'role'>,
  name: row.name,
  description: row.description,
  permissions: permissionsOf({ isSuper: row.is_super, permissions: row.permissions }),
  isSuper: row.is_super,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** All roles, newest first. */
export async function listRoles(db: Db): Promise<Role[]> {
  const rows = await db.selectFrom('roles').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  return rows.map(toRole);
}

/** A role by its id. */
export async function findRole(db: Db | Trx, id: string): Promise<Role | undefined> {
  const row = await db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toRole(row);
}

/** The role; throws NOT_FOUND. */
export async function getRole(db: Db | Trx, id: string): Promise<Role> {
  const role = await findRole(db, id);
  if (!role) throw notFound('role');
  return role;
}

/** Whether another role has this name. The caller holds the administration lock, so the answer stays true. */
export async function isRoleNameTaken(trx: Trx, name: string, exceptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('roles')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a role; never super_admin. */
export async function insertRole(trx: Trx, role: Role): Promise<void> {
  await trx
    .insertInto('roles')
    .values({
      id: role.id,
      name: role.name,
      description: role.description,
      permissions: [...role.permissions],
      created_at: role.createdAt,
      updated_at: role.updatedAt,
    })
    .execute();
}

/**
 * Writes the changed fields of a role; never super_admin. An unchanged permission list is not written, because it may
 * contain permissions that only a later version knows.
 */
export async function saveRole(trx: Trx, id: string, change: RoleChange, now: Date): Promise<void> {
  const { permissions, ...texts } = change;
  await trx
    .updateTable('roles')
    .set({ ...texts, ...(permissions && { permissions: [...permissions] }), updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Deletes a role that no administrator has. */
export async function removeRole(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('roles').where('id', '=', id).execute();
}

/** How many administrators have a role, deactivated ones included. */
export async function countAdminsWithRole(trx: Trx, roleId: string): Promise<number> {
  const { adminsWithRole } = await trx
    .selectFrom('admins')
    .select((eb) => eb.fn.countAll<bigint>().as('adminsWithRole'))
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow();
  return Number(adminsWithRole);
}

/** The active administrators with a role. */
export async function listActiveWithRole(trx: Trx, roleId: string): Promise<string[]> {
  const query = trx.selectFrom('admins').select('id').where('role_id', '=', roleId).where('status', '=', 'active');
  return (await query.execute()).map(({ id }) => id);
}
