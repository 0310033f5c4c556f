import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Permission } from '../ports/security.ts';
import type { Change, ChangeKind } from '../settings/change.ts';
import type { Admin } from './admin.ts';
import { permissionsOf } from './permissions.ts';
import { getAdmin } from './queries.ts';

/** How long two accounts count as one person's after one of them made the other, or set its credentials. */
const LINKED_DAYS = 7;

/** The right to approve what touches where money goes. */
export const APPROVES: Permission = 'settings.update';

/** Whether an administrator can approve what touches where money goes. */
export const approves = ({ status, role }: Pick<Admin, 'status' | 'role'>): boolean =>
  status === 'active' && role.permissions.includes(APPROVES);

/** What links an account to the one that made it, or that set its password or e-mail address last. */
export type Origins = {
  readonly id: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly credentialsBy: string | null;
  readonly credentialsAt: Date | null;
};

/**
 * Whether two accounts may be one person's: they are the same, or a chain of accounts leads from one to the other, each
 * of which made the next, or set its credentials, after `since`. See decision admins/second-person.
 */
export function mayBeOnePerson(accounts: readonly Origins[], first: string, second: string, since: Date): boolean {
  const links = accounts.flatMap(({ id, createdBy, createdAt, credentialsBy, credentialsAt }) => [
    ...(createdBy !== null && createdAt > since ? [[id, createdBy] as const] : []),
    ...(credentialsBy !== null && credentialsAt !== null && credentialsAt > since
      ? [[id, credentialsBy] as const]
      : []),
  ]);
  const reached = new Set([first]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [one, other] of links) {
      if (reached.has(one)) reached.add(other);
      if (reached.has(other)) reached.add(one);
    }
  }
  return reached.has(second);
}

/**
 * Whether two accounts may be one person's: what linked them in the days before `asOf`, when the first of them acted,
 * or since then. However long the second one waits, the link does not end meanwhile.
 */
export async function areLinked(db: Db | Trx, first: string, second: string, asOf: Date): Promise<boolean> {
  return mayBeOnePerson(await readOrigins(db), first, second, windowStart(asOf));
}

/** Throws FORBIDDEN (`second_person`) when the two accounts may be one person's. */
export async function requireTwoPeople(trx: Trx, first: string, second: string, asOf: Date): Promise<void> {
  if (!(await areLinked(trx, first, second, asOf))) return;
  const message = `One of these two accounts has made the other, or set its password, less than ${LINKED_DAYS} days before this was proposed, or since. Let somebody else do this.`;
  throw new AppError('FORBIDDEN', message, { reason: 'second_person' });
}

/**
 * Whether somebody else can approve what this administrator proposes. Whoever could within the last days counts, too:
 * to deactivate the others is no way to become one's only judge. An account that this one made lately does not count.
 */
export async function hasOtherApprover(
  trx: Trx,
  { livemode }: { readonly livemode: boolean },
  adminId: string,
  now: Date,
): Promise<boolean> {
  const since = windowStart(now);
  const rows = await trx
    .selectFrom('admins as a')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .leftJoin('second_factors as f', 'f.holder_id', 'a.id')
    .select(['a.id', 'a.status', 'a.approver_until', 'r.is_super', 'r.permissions', 'f.enabled_at'])
    .where('a.id', '<>', adminId)
    .execute();
  const able = rows.filter((row) => {
    const isAble = row.status === 'active' && permissionsOf({ ...row, isSuper: row.is_super }).includes(APPROVES);
    // In live mode such a role works only with a second factor.
    const isNow = isAble && (row.enabled_at !== null || !livemode);
    return isNow || (row.approver_until !== null && row.approver_until > since);
  });
  if (able.length === 0) return false;
  const own = madeBy(await readOrigins(trx), adminId, since);
  return able.some(({ id }) => !own.has(id));
}

/**
 * The accounts that an administrator made after `since`, also through accounts of theirs. Who made this one does not
 * count, and who set whose password does not: neither frees anybody from the other's judgement.
 */
export function madeBy(accounts: readonly Origins[], adminId: string, since: Date): ReadonlySet<string> {
  const made = new Set<string>();
  for (let size = -1; size < made.size; ) {
    size = made.size;
    for (const { id, createdBy, createdAt } of accounts) {
      if (createdBy !== null && createdAt > since && (createdBy === adminId || made.has(createdBy))) made.add(id);
    }
  }
  return made;
}

/** What proposing a change needs. */
const PROPOSES: Readonly<Record<ChangeKind, Permission>> = {
  settings: 'settings.update',
  role: 'roles.manage',
  admin: 'users.manage',
};

/**
 * Whether those who proposed and approved a change may log in, and may do that still. See
 * decision settings/changes-fall-with-their-rights.
 */
export async function mayStill(
  trx: Trx,
  { kind, proposedBy, approvedBy }: Pick<Change, 'kind' | 'proposedBy' | 'approvedBy'>,
): Promise<boolean> {
  const needed = [
    [proposedBy, PROPOSES[kind]] as const,
    ...(approvedBy === null ? [] : [[approvedBy, APPROVES] as const]),
  ];
  for (const [id, permission] of needed) {
    const { status, role } = await getAdmin(trx, id);
    if (status !== 'active' || !role.permissions.includes(permission)) return false;
  }
  return true;
}

const windowStart = (now: Date): Date => after(now, -LINKED_DAYS * DAY_MS);

async function readOrigins(db: Db | Trx): Promise<Origins[]> {
  const rows = await db
    .selectFrom('admins')
    .select(['id', 'created_by', 'created_at', 'credentials_by', 'credentials_at'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    credentialsBy: row.credentials_by,
    credentialsAt: row.credentials_at,
  }));
}
