import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AdminPrincipal, Permission } from '../ports/security.ts';
import type { Change } from '../settings/change.ts';
import { type ChangeDeps, proposeChange, type Waiting, waitingOf } from '../settings/changes.ts';
import type { SettingsReader } from '../settings/settings.ts';
import type { Admin } from './admin.ts';
import { lockAdministration } from './administration.ts';
import { DANGEROUS } from './permissions.ts';
import { getAdmin } from './queries.ts';
import { findRole, listActiveWithRole, saveRole } from './role-queries.ts';
import { APPROVES, approves } from './second-person.ts';
import { countOtherActiveSupers, findAdminLocked, noteApproversLost, saveAdmin } from './user-queries.ts';

/** What giving away dangerous permissions needs; see decision admins/dangerous-permissions-wait. */
export type GrantDeps = ChangeDeps & { readonly settings: SettingsReader };

export type GrantCall = {
  readonly principal: AdminPrincipal;
  readonly otp: string | undefined;
  readonly now: Date;
  readonly real: Date;
};

/** Whether these permissions move money, direct where it goes, or extend rights. */
export const isDangerous = (permissions: readonly Permission[]): boolean =>
  DANGEROUS.some((permission) => permissions.includes(permission));

/** Spends a code of the caller; returns metadata for the audit entry. */
export const confirmGrant = (trx: Trx, deps: GrantDeps, { principal, otp, real }: GrantCall): Promise<JsonObject> =>
  deps.confirm(trx, principal, otp, real);

/** How dangerous permissions that the caller gives away have to wait; null when they don't. */
export const waitingForGrant = async (
  trx: Trx,
  deps: GrantDeps,
  { principal, now }: Pick<GrantCall, 'principal' | 'now'>,
): Promise<Waiting | null> => waitingOf(trx, deps, await deps.settings.current(), principal.adminId, now);

/** Stores a grant that waits, and returns metadata for the audit entry. */
export async function proposeGrant(
  trx: Trx,
  { principal, now }: Pick<GrantCall, 'principal' | 'now'>,
  grant: Pick<Change, 'kind' | 'subjectId' | 'fields'>,
  waiting: Waiting,
): Promise<JsonObject> {
  const change = await proposeChange(trx, { ...grant, proposedBy: principal.adminId }, waiting, now);
  return { change: change.id, waitsUntil: change.dueAt.toISOString() };
}

const NO_LONGER_HELD = 'Whoever proposed it no longer holds what it would give away.';
const CHANGED = 'It was changed meanwhile.';
const LAST_SUPER = 'It would leave no active super_admin.';

/** Gives a role to an administrator, or activates one, after the wait. Says why not when that is not right any more. */
export async function applyAdminGrant(trx: Trx, change: Change, now: Date): Promise<string | null> {
  await lockAdministration(trx);
  const admin = await findAdminLocked(trx, change.subjectId);
  if (!admin) return 'There is no such administrator any more.';
  const { roleId, status } = change.fields;
  if (roleId && roleId.from !== admin.role.id) return CHANGED;
  if (status && status.from !== admin.status) return CHANGED;
  const role = roleId ? await findRole(trx, String(roleId.to)) : admin.role;
  if (!role) return 'There is no such role any more.';
  if (!(await holds(trx, change.proposedBy, role))) return NO_LONGER_HELD;
  // Several changes may wait at once: together they must not take away the last one either.
  const loses = admin.role.isSuper && admin.status === 'active' && !role.isSuper;
  if (loses && (await countOtherActiveSupers(trx, admin.id)) === 0) return LAST_SUPER;
  const saved: Admin = { ...admin, role, ...(status && { status: 'active' as const }), updatedAt: now };
  await saveAdmin(trx, saved);
  if (approves(admin) && !approves(saved)) await noteApproversLost(trx, [admin.id], now);
  return null;
}

/** Gives permissions to a role, after the wait. Says why not when that is not right any more. */
export async function applyRoleGrant(trx: Trx, change: Change, now: Date): Promise<string | null> {
  await lockAdministration(trx);
  const role = await findRole(trx, change.subjectId);
  const { from, to } = change.fields['permissions'] ?? {};
  if (!role) return 'There is no such role any more.';
  if (JSON.stringify(role.permissions) !== JSON.stringify(from)) return CHANGED;
  const permissions = to as readonly Permission[];
  if (!(await holds(trx, change.proposedBy, { permissions, isSuper: false }))) return NO_LONGER_HELD;
  await saveRole(trx, role.id, { permissions }, now);
  if (role.permissions.includes(APPROVES) && !permissions.includes(APPROVES)) {
    await noteApproversLost(trx, await listActiveWithRole(trx, role.id), now);
  }
  return null;
}

type Rights = { readonly permissions: readonly Permission[]; readonly isSuper: boolean };

/** Whether an administrator may still give these rights away. */
async function holds(trx: Trx, adminId: string, { permissions, isSuper }: Rights): Promise<boolean> {
  const { role } = await getAdmin(trx, adminId);
  return (role.isSuper || !isSuper) && permissions.every((permission) => role.permissions.includes(permission));
}
