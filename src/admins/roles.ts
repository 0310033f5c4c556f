import type { components } from '../../generated/api.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AdminPrincipal, Permission, Verifier } from '../ports/security.ts';
import type { Role } from './admin.ts';
import { enterAdministration } from './administration.ts';
import { confirmGrant, type GrantCall, type GrantDeps, isDangerous, proposeGrant, waitingForGrant } from './grants.ts';
import { requireMayDeleteRole, requireMayEditRole, requireMayGrant } from './guards.ts';
import { ALL_PERMISSIONS } from './permissions.ts';
import {
  countAdminsWithRole,
  getRole,
  insertRole,
  isRoleNameTaken,
  listActiveWithRole,
  type RoleChange,
  removeRole,
  saveRole,
} from './role-queries.ts';
import { APPROVES } from './second-person.ts';
import { noteApproversLost } from './user-queries.ts';

export type RoleDeps = {
  /** The verifier of adminBearer, to check the caller again under the lock. */
  readonly verifier: Verifier<AdminPrincipal>;
  readonly grants: GrantDeps;
};

type AdminCall = { readonly principal: AdminPrincipal; readonly now: Date; readonly real: Date };

/** Creates a role. Throws FORBIDDEN for a permission that the caller lacks and CONFLICT for a taken name. */
export async function createRole(
  trx: Trx,
  deps: RoleDeps,
  body: components['schemas']['CreateRoleRequest'],
  { principal, now, real }: AdminCall,
): Promise<Role> {
  const actor = await enterAdministration(trx, deps.verifier, principal, real);
  const permissions = inOrder(body.permissions);
  requireMayGrant(actor, permissions);
  const { name, description } = body;
  const role: Role = {
    ...{ id: newId('role', now), name, description, permissions },
    ...{ isSuper: false, createdAt: now, updatedAt: now },
  };
  await requireFreeName(trx, role);
  await insertRole(trx, role);
  return role;
}

/**
 * Changes the fields of a role that differ; returns the role and metadata for the audit entry. Throws NOT_FOUND,
 * FORBIDDEN and CONFLICT by the guards, and CONFLICT for a taken name.
 */
export async function updateRole(
  trx: Trx,
  deps: RoleDeps,
  id: string,
  body: components['schemas']['UpdateRoleRequest'],
  { principal, now, real }: AdminCall,
): Promise<{ readonly role: Role; readonly change: JsonObject }> {
  const actor = await enterAdministration(trx, deps.verifier, principal, real);
  const before = await getRole(trx, id);
  const wanted = diffRole(before, body);
  if (Object.keys(wanted).length === 0) return { role: before, change: {} };
  requireMayEditRole(actor, before, wanted.permissions ?? before.permissions);
  const call = { principal: actor, otp: body.otp, now, real };
  const { change, noted } = await grantPermissions(trx, deps, before, wanted, call);
  if (Object.keys(change).length === 0) return { role: before, change: noted };
  const role: Role = { ...before, ...change, updatedAt: now };
  if (change.name !== undefined) await requireFreeName(trx, role);
  await saveRole(trx, id, change, now);
  if (before.permissions.includes(APPROVES) && !role.permissions.includes(APPROVES)) {
    await noteApproversLost(trx, await listActiveWithRole(trx, id), now);
  }
  return { role, change: { ...describeChange(before, role), ...noted } };
}

/** What of a change takes effect at once: a list that adds dangerous permissions may have to wait. */
async function grantPermissions(
  trx: Trx,
  { grants }: RoleDeps,
  before: Role,
  wanted: RoleChange,
  call: GrantCall,
): Promise<{ readonly change: RoleChange; readonly noted: JsonObject }> {
  const { permissions, ...texts } = wanted;
  if (!permissions) return { change: wanted, noted: {} };
  const added = permissions.filter((permission) => !before.permissions.includes(permission));
  const removed = before.permissions.filter((permission) => !permissions.includes(permission));
  const secondFactor = isDangerous([...added, ...removed]) ? await confirmGrant(trx, grants, call) : {};
  const waiting = isDangerous(added) ? await waitingForGrant(trx, grants, call) : null;
  if (!waiting) return { change: wanted, noted: secondFactor };
  const fields = { permissions: { from: [...before.permissions], to: [...permissions] } };
  const noted = await proposeGrant(trx, call, { kind: 'role', subjectId: before.id, fields }, waiting);
  return { change: texts, noted: { ...secondFactor, ...noted } };
}

/**
 * Deletes a role that no administrator has and returns it. Throws NOT_FOUND, and FORBIDDEN and CONFLICT by the guards.
 */
export async function deleteRole(trx: Trx, deps: RoleDeps, id: string, call: AdminCall): Promise<Role> {
  const actor = await enterAdministration(trx, deps.verifier, call.principal, call.real);
  const role = await getRole(trx, id);
  requireMayDeleteRole(actor, role, await countAdminsWithRole(trx, id));
  await removeRole(trx, id);
  return role;
}

async function requireFreeName(trx: Trx, { id, name }: Role): Promise<void> {
  if (!(await isRoleNameTaken(trx, name, id))) return;
  throw conflict(`There is a role ${name} already. Choose another name.`);
}

const inOrder = (wanted: readonly Permission[]): Permission[] =>
  ALL_PERMISSIONS.filter((permission) => wanted.includes(permission));

function diffRole(before: Role, body: components['schemas']['UpdateRoleRequest']): RoleChange {
  const { name, description } = body;
  const permissions = body.permissions && inOrder(body.permissions);
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(permissions && permissions.join() !== before.permissions.join() && { permissions }),
  };
}

function describeChange(before: Role, after: Role): JsonObject {
  const changed: JsonObject = {};
  for (const field of ['name', 'description'] as const) {
    if (before[field] !== after[field]) changed[field] = { from: before[field], to: after[field] };
  }
  const added = after.permissions.filter((permission) => !before.permissions.includes(permission));
  const removed = before.permissions.filter((permission) => !after.permissions.includes(permission));
  return { roleName: after.name, changed, permissionsAdded: added, permissionsRemoved: removed };
}
