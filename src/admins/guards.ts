import { AppError, conflict } from '../lib/errors.ts';
import type { AdminPrincipal, Permission } from '../ports/security.ts';
import type { Admin, Role } from './admin.ts';

/**
 * What administrators may do to one another and to roles. Pure rules; the caller holds the lock of `administration.ts`,
 * so that nothing changes between check and write. A missing right (403) is reported before a state conflict (409).
 */
export type Actor = Pick<AdminPrincipal, 'adminId' | 'roleId' | 'isSuper' | 'permissions'>;

export type RoleRights = Pick<Role, 'id' | 'isSuper' | 'permissions'>;
export type Target = Pick<Admin, 'id' | 'status'> & { readonly role: RoleRights };

/** Throws FORBIDDEN (`permission_not_held`) unless the actor has every permission that they are about to grant. */
export function requireMayGrant(actor: Actor, permissions: readonly Permission[]): void {
  const lacking = lackedBy(actor, permissions);
  if (lacking.length > 0) throw notHeld(`You can't give what your own role lacks: ${lacking.join(', ')}.`);
}

/**
 * Throws FORBIDDEN unless the actor may assign this role. Only a super_admin assigns super_admin, see
 * decision admins/super-admin-is-out-of-reach.
 */
export function requireMayAssign(actor: Actor, role: RoleRights): void {
  requireMayGrant(actor, role.permissions);
  if (role.isSuper && !actor.isSuper) throw notHeld('Only a super_admin can give the role super_admin.');
}

/** Throws FORBIDDEN when the target's role has a permission that the actor lacks. Check it before any CONFLICT. */
export const requireNotStronger = (actor: Actor, target: Target): void =>
  requireWithin(actor, target.role, "You can't do that to an administrator whose role holds what yours lacks");

/** Throws FORBIDDEN unless the actor may change this administrator's profile, password or status. */
export function requireMayTouch(actor: Actor, target: Target): void {
  requireNotStronger(actor, target);
  if (target.role.isSuper && !actor.isSuper) throw notHeld('Only a super_admin can do that to a super_admin.');
}

/**
 * Throws FORBIDDEN (`own_credentials`) when actors set their own password or e-mail address here.
 * See decision admins/own-credentials-need-the-password.
 */
export function requireNotOwnCredentials(actor: Actor, target: Target): void {
  if (target.id !== actor.adminId) return;
  throw new AppError(
    'FORBIDDEN',
    'Change your own password at /v1/admin/auth/password, and let another administrator change your e-mail address.',
    { reason: 'own_credentials' },
  );
}

/** Like `requireMayTouch`; also throws CONFLICT for the actor themselves and for the last active super_admin. */
export function requireMayDeactivate(actor: Actor, target: Target, otherActiveSupers: number): void {
  if (target.id === actor.adminId) {
    throw conflict("You can't deactivate yourself. Ask another administrator.");
  }
  requireNotStronger(actor, target);
  requireSuperLeft(target, otherActiveSupers);
  requireMayTouch(actor, target);
}

/**
 * Like `requireMayTouch` and `requireMayAssign`; also throws FORBIDDEN (`own_role`) for the actor themselves and
 * CONFLICT for the last active super_admin.
 */
export function requireMayChangeRole(actor: Actor, target: Target, role: RoleRights, otherActiveSupers: number): void {
  if (target.id === actor.adminId) throw ownRole();
  requireNotStronger(actor, target);
  requireMayAssign(actor, role);
  requireSuperLeft(target, otherActiveSupers);
  requireMayTouch(actor, target);
}

/**
 * Throws FORBIDDEN for the actor's own role and for a role that has, or would get, a permission that the actor lacks;
 * CONFLICT for super_admin.
 */
export function requireMayEditRole(actor: Actor, role: RoleRights, wanted: readonly Permission[]): void {
  requireWithin(actor, role, "You can't change a role that holds what yours lacks");
  if (role.isSuper) throw superStays();
  if (role.id === actor.roleId) throw ownRole();
  requireMayGrant(actor, wanted);
}

/**
 * Throws FORBIDDEN for a role that has a permission the actor lacks; CONFLICT for super_admin and while an
 * administrator has the role.
 */
export function requireMayDeleteRole(actor: Actor, role: RoleRights, holders: number): void {
  requireWithin(actor, role, "You can't delete a role that holds what yours lacks");
  if (role.isSuper) throw superStays();
  if (holders === 0) return;
  const who = holders === 1 ? 'One administrator has' : `${holders} administrators have`;
  throw conflict(`${who} this role. Give them another one first.`);
}

function requireWithin(actor: Actor, role: RoleRights, otherwise: string): void {
  const lacking = lackedBy(actor, role.permissions);
  if (lacking.length > 0) throw notHeld(`${otherwise}, which is ${lacking.join(', ')}.`);
}

function requireSuperLeft({ role, status }: Target, otherActiveSupers: number): void {
  if (!role.isSuper || status !== 'active' || otherActiveSupers > 0) return;
  throw conflict('This is the last active super_admin. Make another one first.');
}

const lackedBy = (actor: Actor, permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => !actor.permissions.has(permission));

const notHeld = (message: string): AppError => new AppError('FORBIDDEN', message, { reason: 'permission_not_held' });

const ownRole = (): AppError =>
  new AppError('FORBIDDEN', "Administrators can't change their own role. Ask another administrator.", {
    reason: 'own_role',
  });

const superStays = (): AppError => conflict('The role super_admin stays as it is.');
