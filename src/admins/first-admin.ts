import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { normaliseEmail } from '../identity/emails.ts';
import { generatePassword, type Passwords, requireGoodPassword } from '../identity/passwords.ts';
import { deleteFactor, hasSecondFactor } from '../identity/second-factor-store.ts';
import { endSessions } from '../identity/sessions.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { type Id, newId } from '../lib/ids.ts';
import { cancelChangesOf } from '../settings/changes.ts';
import type { AdminStatus } from './admin.ts';
import { lockAdministration } from './administration.ts';
import { insertAdmin } from './user-queries.ts';

export type AdminDeps = { readonly db: Db; readonly passwords: Passwords };

/** An administrator's login. The password is stored nowhere else, so the caller shows it once. */
export type AdminLogin = { readonly email: string; readonly password: string; readonly made: 'created' | 'reset' };

/** A reset login. The second factor stays on unless `resetTwoFactor` turned it off. */
export type AdminReset = AdminLogin & { readonly twoFactorEnabled: boolean; readonly status: AdminStatus };

type Wanted = {
  readonly email: string;
  readonly password?: string;
  readonly resetTwoFactor?: boolean;
  readonly activate?: boolean;
  /**
   * Whether another administrator is wanted (true) or one that is there or is the first (false): else what is not so is
   * refused. Absent: either.
   */
  readonly isNew?: boolean;
};

const NAMED_MAX = 5;

/**
 * Creates the first administrator, a super_admin, with `password` or a generated one; undefined if there is one
 * already. Of several processes that start at once, one creates it. Throws VALIDATION_ERROR for a weak password.
 */
export async function ensureFirstAdmin(
  deps: AdminDeps,
  wanted: { readonly email: string; readonly password?: string },
  now: Date,
): Promise<AdminLogin | undefined> {
  if (await hasAdmin(deps.db)) return undefined;
  const { email, password, passwordHash } = await prepare(deps, wanted);
  return inTransaction(deps.db, async (trx) => {
    await lockAdministration(trx);
    if (await hasAdmin(trx)) return undefined;
    await addSuperAdmin(trx, email, passwordHash, now);
    return { email, password, made: 'created' };
  });
}

/**
 * Creates a super_admin with this e-mail address, or resets the existing administrator: new password, all sessions
 * ended. This is how an operator with shell access gets back in. The second factor stays on unless `resetTwoFactor` is
 * set, and a deactivated administrator stays so unless `activate` is. Throws VALIDATION_ERROR for a weak password, and
 * CONFLICT if it is not as `isNew` says.
 */
export async function upsertAdmin(deps: AdminDeps, wanted: Wanted, now: Date): Promise<AdminReset> {
  const { email, password, passwordHash } = await prepare(deps, wanted);
  return inTransaction(deps.db, async (trx) => {
    await lockAdministration(trx);
    if (wanted.isNew !== undefined) await requireAsMeant(trx, email, wanted.isNew);
    const known = await trx
      .updateTable('admins')
      .set({
        password_hash: passwordHash,
        ...(wanted.activate && { status: 'active' as const }),
        updated_at: now,
        credentials_by: null,
        credentials_at: null,
      })
      .where('email', '=', email)
      .returning(['id', 'status'])
      .executeTakeFirst();
    if (!known) {
      await addSuperAdmin(trx, email, passwordHash, now);
      return { email, password, made: 'created', twoFactorEnabled: false, status: 'active' };
    }
    await endSessions(trx, { type: 'admin', id: known.id }, 'password_changed', now);
    // Perhaps a thief proposed or approved them.
    const cancelled = await cancelChangesOf(
      trx,
      known.id,
      'The account of whoever proposed or approved it was reset.',
      now,
    );
    for (const id of cancelled) await record(trx, 'change.cancel', id, now);
    await record(trx, 'admin.reset_password', known.id, now);
    if (wanted.resetTwoFactor && (await deleteFactor(trx, known.id, now)))
      await record(trx, 'two_factor.reset', known.id, now);
    const twoFactorEnabled = await hasSecondFactor(trx, known.id);
    return { email, password, made: 'reset', twoFactorEnabled, status: known.status as AdminStatus };
  });
}

/** A mistyped address would be another super_admin, perhaps of a stranger, or take the password of one who has it. */
async function requireAsMeant(trx: Trx, email: string, isNew: boolean): Promise<void> {
  const others = await trx.selectFrom('admins').select('email').orderBy('created_at').execute();
  const isKnown = others.some((other) => other.email === email);
  if (isNew && isKnown) {
    throw conflict(`There is an administrator ${email} already. Without --new they get a new password.`);
  }
  if (isNew || isKnown || others.length === 0) return;
  const names = others.slice(0, NAMED_MAX).map((other) => other.email);
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : '';
  throw conflict(
    `No administrator has the address ${email}. There are: ${names.join(', ')}${more}. ` +
      `To make another super_admin: npx kasi admin ${email} --new`,
  );
}

async function prepare(deps: AdminDeps, wanted: { readonly email: string; readonly password?: string }) {
  const email = normaliseEmail(wanted.email);
  const password = wanted.password ?? generatePassword();
  requireGoodPassword('password', password);
  return { email, password, passwordHash: await deps.passwords.hash(password) };
}

async function hasAdmin(db: Db | Trx): Promise<boolean> {
  return (await db.selectFrom('admins').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function addSuperAdmin(trx: Trx, email: string, passwordHash: string, now: Date): Promise<void> {
  const role = await trx.selectFrom('roles').select('id').where('is_super', '=', true).executeTakeFirstOrThrow();
  const id: Id<'admin'> = newId('admin', now);
  await insertAdmin(
    trx,
    { id, email, name: 'Administrator', passwordHash, roleId: role.id, createdBy: null, status: 'active' },
    now,
  );
  await record(trx, 'admin.create', id, now);
}

const record = (trx: Trx, action: string, adminId: string, now: Date): Promise<void> =>
  recordAudit(
    trx,
    { actorType: 'system', actorId: '', action, resourceId: adminId, merchantId: null, origin: null, metadata: {} },
    now,
  );
