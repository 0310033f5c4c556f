import { AppError } from '../lib/errors.ts';
import type { AdminPrincipal, Permission } from '../ports/security.ts';
import type { Admin, Role } from './admin.ts';

/**
 * What administrators may do to one another and to roles. Pure rules; whoever applies them holds the lock of `administration.ts`, so that
 * what they look at is what is changed. Who lacks a right hears that (403) before anything of the state that they run into (409).
 */
export type Actor = Pick<AdminPrincipal, 'adminId' | 'roleId' | 'isSuper' | 'permissions'>;

export type RoleRights = Pick<Role, 'id' | 'isSuper' | 'permissions'>;
export type Target = Pick<Admin, 'id' | 'status'> & { readonly role: RoleRights };

/** FORBIDDEN (`permission_not_held`) unless the actor holds each of these permissions; they are about to be given to somebody. */
export function requireMayGrant(actor: Actor, permissions: readonly Permission[]): void {
  const lacking = lackedBy(actor, permissions);
  if (lacking.length > 0) throw notHeld(`You can't give what your own role lacks: ${lacking.join(', ')}.`);
}

/** FORBIDDEN unless the actor may give somebody this role. super_admin is only for super_admins to give: it will hold what comes later, too. */
export function requireMayAssign(actor: Actor, role: RoleRights): void {
  requireMayGrant(actor, role.permissions);
  if (role.isSuper && !actor.isSuper) throw notHeld('Only a super_admin can give the role super_admin.');
}

/** FORBIDDEN when the target's role holds a permission that the actor lacks. It comes before any CONFLICT. */
export const requireNotStronger = (actor: Actor, target: Target): void =>
  requireWithin(actor, target.role, "You can't do that to an administrator whose role holds what yours lacks");

/** FORBIDDEN unless the actor may change this administrator at all: their profile, password or state. */
export function requireMayTouch(actor: Actor, target: Target): void {
  requireNotStronger(actor, target);
  if (target.role.isSuper && !actor.isSuper) throw notHeld('Only a super_admin can do that to a super_admin.');
}

/**
 * FORBIDDEN (`own_credentials`) for a new password or e-mail address of oneself: that is done where the present password is asked for, and
 * a code, so that a stolen access token takes nothing over.
 */
export function requireNotOwnCredentials(actor: Actor, target: Target): void {
  if (target.id !== actor.adminId) return;
  throw new AppError(
    'FORBIDDEN',
    'Change your own password at /v1/admin/auth/password, and let another administrator change your e-mail address.',
    { reason: 'own_credentials' },
  );
}

/** As `requireMayTouch`; CONFLICT for oneself, and for the last active super_admin. */
export function requireMayDeactivate(actor: Actor, target: Target, otherActiveSupers: number): void {
  if (target.id === actor.adminId) {
    throw new AppError('CONFLICT', "You can't deactivate yourself. Ask another administrator.");
  }
  requireNotStronger(actor, target);
  requireSuperLeft(target, otherActiveSupers);
  requireMayTouch(actor, target);
}

/** As `requireMayTouch` and `requireMayAssign`; FORBIDDEN (`own_role`) for oneself, CONFLICT for the last active super_admin. */
export function requireMayChangeRole(actor: Actor, target: Target, role: RoleRights, otherActiveSupers: number): void {
  if (target.id === actor.adminId) throw ownRole();
  requireNotStronger(actor, target);
  requireMayAssign(actor, role);
  requireSuperLeft(target, otherActiveSupers);
  requireMayTouch(actor, target);
}

/** FORBIDDEN for the actor's own role and for one that holds what the actor lacks, or would; CONFLICT for super_admin. */
export function requireMayEditRole(actor: Actor, role: RoleRights, wanted: readonly Permission[]): void {
  requireWithin(actor, role, "You can't change a role that holds what yours lacks");
  if (role.isSuper) throw superStays();
  if (role.id === actor.roleId) throw ownRole();
  requireMayGrant(actor, wanted);
}

/** FORBIDDEN for a role that holds what the actor lacks; CONFLICT for super_admin, and while somebody has the role. */
export function requireMayDeleteRole(actor: Actor, role: RoleRights, holders: number): void {
  requireWithin(actor, role, "You can't delete a role that holds what yours lacks");
  if (role.isSuper) throw superStays();
  if (holders === 0) return;
  const who = holders === 1 ? 'One administrator has' : `${holders} administrators have`;
  throw new AppError('CONFLICT', `${who} this role. Give them another one first.`);
}

function requireWithin(actor: Actor, role: RoleRights, otherwise: string): void {
  const lacking = lackedBy(actor, role.permissions);
  if (lacking.length > 0) throw notHeld(`${otherwise}, which is ${lacking.join(', ')}.`);
}

function requireSuperLeft({ role, status }: Target, otherActiveSupers: number): void {
  if (!role.isSuper || status !== 'active' || otherActiveSupers > 0) return;
  throw new AppError('CONFLICT', 'This is the last active super_admin. Make another one first.');
}

const lackedBy = (actor: Actor, permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => !actor.permissions.has(permission));

const notHeld = (message: string): AppError => new AppError('FORBIDDEN', message, { reason: 'permission_not_held' });

const ownRole = (): AppError =>
  new AppError('FORBIDDEN', 'Nobody changes their own role. Ask another administrator.', { reason: 'own_role' });

const superStays = (): AppError => new AppError('CONFLICT', 'The role super_admin stays as it is.');
