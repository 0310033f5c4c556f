import type { components } from '../../generated/api.ts';
import { asCaller } from '../identity/assumed.ts';
import { forgetDevices } from '../identity/devices.ts';
import { normaliseEmail } from '../identity/emails.ts';
import { type Passwords, requireGoodPassword } from '../identity/passwords.ts';
import { endSessions } from '../identity/sessions.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type AppError, conflict, invalidField } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { requireName } from '../lib/remarks.ts';
import type { Circumstances } from '../ports/operation.ts';
import type { AdminPrincipal, Verifier } from '../ports/security.ts';
import { cancelChangesOf } from '../settings/changes.ts';
import type { Admin, AdminStatus, Role } from './admin.ts';
import { enterAdministration } from './administration.ts';
import { confirmGrant, type GrantCall, type GrantDeps, isDangerous, proposeGrant, waitingForGrant } from './grants.ts';
import {
  requireMayAssign,
  requireMayChangeRole,
  requireMayDeactivate,
  requireMayTouch,
  requireNotOwnCredentials,
  requireNotStronger,
} from './guards.ts';
import { findAccountByEmail, getAdmin, savePasswordHash } from './queries.ts';
import { findRole } from './role-queries.ts';
import { approves } from './second-person.ts';
import {
  countOtherActiveSupers,
  insertAdmin,
  lockAdmin,
  noteApproversLost,
  noteCredentials,
  saveAdmin,
} from './user-queries.ts';

export type UserDeps = {
  readonly db: Db;
  readonly passwords: Passwords;
  /** The verifier of adminBearer, to check the caller again under the lock. */
  readonly verifier: Verifier<AdminPrincipal>;
  readonly grants: GrantDeps;
};

type AdminCall = Circumstances & { readonly principal: AdminPrincipal };

/**
 * Creates an administrator, whom `keep` keeps in the same transaction. Throws VALIDATION_ERROR for an unknown role or a
 * weak password, FORBIDDEN by the guards, and CONFLICT for a taken e-mail address.
 */
export async function createAdmin(
  deps: UserDeps,
  body: components['schemas']['CreateAdminUserRequest'],
  { principal, now, real, audit }: AdminCall,
  keep: (trx: Trx, created: Admin) => Promise<void>,
): Promise<Admin> {
  const name = requireName('name', body.name);
  const email = normaliseEmail(body.email);
  requireGoodPassword('password', body.password);
  const passwordHash = await deps.passwords.hash(body.password);
  return asCaller(deps.db, { verifier: deps.verifier, principal }, real, async (trx) => {
    const actor = await enterAdministration(trx, deps.verifier, principal, real);
    const role = await roleOf(trx, body.roleId);
    requireMayAssign(actor, role);
    const id = newId('admin', now);
    const call = { principal: actor, otp: body.otp, now, real };
    const dangerous = isDangerous(role.permissions);
    const secondFactor = dangerous ? await confirmGrant(trx, deps.grants, call) : {};
    const waiting = dangerous ? await waitingForGrant(trx, deps.grants, call) : null;
    const status = waiting ? 'deactivated' : 'active';
    const draft = { id, email, name, passwordHash, roleId: role.id, createdBy: actor.adminId, status } as const;
    if (!(await insertAdmin(trx, draft, now))) throw emailTaken();
    const fields = { status: { from: status, to: 'active' } };
    const grant = { kind: 'admin', subjectId: id, fields } as const;
    const proposed = waiting ? await proposeGrant(trx, call, grant, waiting) : {};
    const metadata = { name, email, role: role.name, ...secondFactor, ...proposed };
    await audit.record(trx, { resourceId: id, metadata });
    const created = await getAdmin(trx, id);
    await keep(trx, created);
    return created;
  });
}

/**
 * Changes the fields of an administrator that differ; a new password ends their sessions, makes their devices
 * unknown and cancels what they proposed or approved. Throws NOT_FOUND,
 * VALIDATION_ERROR for an unknown role or a weak password, FORBIDDEN and CONFLICT by the guards, and CONFLICT for a
 * taken e-mail address.
 */
export async function updateAdmin(
  deps: UserDeps,
  id: string,
  body: components['schemas']['UpdateAdminUserRequest'],
  { principal, now, real, audit }: AdminCall,
): Promise<Admin> {
  const { password } = body;
  const wanted: Partial<Pick<Admin, 'name' | 'email'>> = {
    ...(body.name !== undefined && { name: requireName('name', body.name) }),
    ...(body.email !== undefined && { email: normaliseEmail(body.email) }),
  };
  if (password !== undefined) requireGoodPassword('password', password);
  const passwordHash = password === undefined ? undefined : await deps.passwords.hash(password);

  return asCaller(deps.db, { verifier: deps.verifier, principal }, real, async (trx) => {
    const actor = await enterAdministration(trx, deps.verifier, principal, real);
    const before = await lockAdmin(trx, id);
    requireNotStronger(actor, before);
    const role = await newRoleOf(trx, actor, before, body.roleId);
    requireMayTouch(actor, before);
    const isNewEmail = wanted.email !== undefined && wanted.email !== before.email;
    if (isNewEmail || passwordHash !== undefined) requireNotOwnCredentials(actor, before);
    if (wanted.email !== undefined) await requireFreeEmail(trx, wanted.email, id);
    const takesOver = isNewEmail || passwordHash !== undefined;
    const call = { principal: actor, otp: body.otp, now, real };
    const granted = await grantRole(trx, deps, before, role, takesOver, call);
    const after: Admin = { ...before, ...wanted, role: granted.role };
    const change = describeChange(before, after);
    const isChanged = Object.keys(change).length > 0 || passwordHash !== undefined;
    const saved = isChanged ? { ...after, updatedAt: now } : before;
    if (isChanged) await saveAdmin(trx, saved);
    if ((isNewEmail || passwordHash !== undefined) && id !== actor.adminId) {
      await noteCredentials(trx, id, actor.adminId, now);
    }
    if (approves(before) && !approves(saved)) await noteApproversLost(trx, [id], now);
    const sessions = passwordHash === undefined ? {} : await setPassword(trx, id, passwordHash, { now, real, audit });
    await audit.record(trx, { resourceId: id, metadata: { changed: change, ...sessions, ...granted.noted } });
    return saved;
  });
}

/**
 * The role that the administrator has from now on: the requested one, unless it has to wait. Asks for a code where that
 * role is dangerous, and where somebody takes over the credentials of a dangerous account or takes its role away.
 */
async function grantRole(
  trx: Trx,
  { grants }: UserDeps,
  before: Admin,
  role: Role | undefined,
  takesOver: boolean,
  call: GrantCall,
): Promise<{ readonly role: Admin['role']; readonly noted: JsonObject }> {
  const dangerous = role !== undefined && isDangerous(role.permissions);
  const asks = dangerous || ((takesOver || role !== undefined) && isDangerous(before.role.permissions));
  const secondFactor = asks ? await confirmGrant(trx, grants, call) : {};
  const waiting = dangerous ? await waitingForGrant(trx, grants, call) : null;
  if (!role || !waiting) return { role: role ?? before.role, noted: secondFactor };
  const fields = { roleId: { from: before.role.id, to: role.id } };
  const noted = await proposeGrant(trx, call, { kind: 'admin', subjectId: before.id, fields }, waiting);
  return { role: before.role, noted: { ...secondFactor, ...noted } };
}

/** The requested role if it differs and the actor may assign it; undefined if the role stays. */
async function newRoleOf(
  trx: Trx,
  actor: AdminPrincipal,
  before: Admin,
  roleId: string | undefined,
): Promise<Role | undefined> {
  if (roleId === undefined || roleId === before.role.id) return undefined;
  const role = await roleOf(trx, roleId);
  requireMayChangeRole(actor, before, role, await countOtherActiveSupers(trx, before.id));
  return role;
}

/** Of another's account, perhaps taken back from a thief. See decision admins/taken-back-with-what-it-proposed. */
async function setPassword(
  trx: Trx,
  id: string,
  passwordHash: string,
  { now, real, audit }: Pick<AdminCall, 'now' | 'real' | 'audit'>,
): Promise<JsonObject> {
  await savePasswordHash(trx, id, passwordHash);
  const fallen = 'A colleague set the password of whoever proposed or approved it.';
  for (const resourceId of await cancelChangesOf(trx, id, fallen, now)) {
    await audit.recordOther(trx, 'change.cancel', { resourceId, metadata: { reason: fallen } });
  }
  await forgetDevices(trx, { type: 'admin', id });
  return {
    passwordChanged: true,
    sessionsEnded: await endSessions(trx, { type: 'admin', id }, 'password_changed', real),
  };
}

/**
 * Activates or deactivates an administrator; deactivation ends their sessions. Does nothing if the status is the same.
 * Asks for a code where their role is dangerous. Returns metadata for the audit entry. Throws NOT_FOUND, and FORBIDDEN
 * and CONFLICT by the guards.
 */
export async function setAdminStatus(
  trx: Trx,
  deps: UserDeps,
  id: string,
  status: AdminStatus,
  { principal, otp, now, real }: Pick<AdminCall, 'principal' | 'now' | 'real'> & Pick<GrantCall, 'otp'>,
): Promise<JsonObject> {
  const actor = await enterAdministration(trx, deps.verifier, principal, real);
  const before = await lockAdmin(trx, id);
  if (status === 'active') requireMayTouch(actor, before);
  else requireMayDeactivate(actor, before, await countOtherActiveSupers(trx, id));
  const call = { principal: actor, otp, now, real };
  const risks = before.status !== status && isDangerous(before.role.permissions);
  const secondFactor = risks ? await confirmGrant(trx, deps.grants, call) : {};
  const waiting = risks && status === 'active' ? await waitingForGrant(trx, deps.grants, call) : null;
  if (waiting) {
    const fields = { status: { from: before.status, to: status } };
    const noted = await proposeGrant(trx, call, { kind: 'admin', subjectId: id, fields }, waiting);
    return { previousStatus: before.status, newStatus: before.status, ...secondFactor, ...noted };
  }
  const saved = { ...before, status, updatedAt: now };
  if (before.status !== status) await saveAdmin(trx, saved);
  if (approves(before) && !approves(saved)) await noteApproversLost(trx, [id], now);
  const change = { previousStatus: before.status, newStatus: status, ...secondFactor };
  if (status === 'active') return change;
  return { ...change, sessionsEnded: await endSessions(trx, { type: 'admin', id }, 'deactivated', real) };
}

async function roleOf(trx: Trx, roleId: string): Promise<Role> {
  const role = await findRole(trx, roleId);
  if (!role) throw invalidField('roleId', 'must be the id of a role, see GET /v1/admin/roles');
  return role;
}

/** The caller holds the administration lock, so the address stays free. */
async function requireFreeEmail(trx: Trx, email: string, ownId: string): Promise<void> {
  const holder = await findAccountByEmail(trx, email);
  if (holder && holder.id !== ownId) throw emailTaken();
}

const emailTaken = (): AppError => conflict('Another administrator has this e-mail address.');

/** Each changed field with its old and new value, except the password. */
function describeChange(before: Admin, after: Admin): JsonObject {
  const fields: JsonObject = {};
  for (const field of ['name', 'email'] as const) {
    if (before[field] !== after[field]) fields[field] = { from: before[field], to: after[field] };
  }
  if (before.role.id !== after.role.id) fields['role'] = { from: before.role.name, to: after.role.name };
  return fields;
}
