import { inTransaction } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import type { AuditDraft, Circumstances } from '../ports/operation.ts';
import { normaliseEmail } from './emails.ts';
import { type Passwords, requireGoodPassword, type Verdict } from './passwords.ts';
import { endSessions, type Holder, type OpenedSession, type PrincipalType, startSession } from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** What a login is checked against. */
export type Account = {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Whether its owner may log in at all. */
  readonly isOpen: boolean;
};

/** The accounts of one kind of principal. */
export type AccountStore = {
  readonly type: PrincipalType;
  /** By the normalised e-mail address. */
  readonly findByEmail: (db: Db, email: string) => Promise<Account | undefined>;
  /** NOT_FOUND when there is none. */
  readonly get: (db: Db, id: string) => Promise<Account>;
  /** Under the account's lock. */
  readonly lock: (trx: Trx, id: string) => Promise<Account>;
  readonly savePasswordHash: (trx: Trx, id: string, passwordHash: string) => Promise<void>;
};

export type LoginDeps = {
  readonly db: Db;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  /** Lets this process forget what it remembers of a session, or of all those of an account. */
  readonly forgetSessions: (sessionOrHolderId: string) => void;
  /** Calls that count what a refused address leaves in the audit log; true at most once in `windowMs`. */
  readonly takeTurn: (trx: Trx, name: string, key: string, windowMs: number, real: Date) => Promise<boolean>;
};

/**
 * Starts a session; `greet` reads, in its transaction, what the answer tells of the account. UNAUTHORIZED (`credentials_invalid`) with the
 * same words, after the same work, for an unknown e-mail address, a wrong password and a closed account; RATE_LIMITED after too many of them.
 */
export async function logIn<T>(
  deps: LoginDeps,
  body: { readonly email: string; readonly password: string },
  circumstances: Circumstances,
  greet: (trx: Trx, accountId: string) => Promise<T>,
): Promise<{ readonly account: T; readonly session: OpenedSession }> {
  const { accounts, passwords } = deps;
  const { origin, real, audit } = circumstances;
  const email = normaliseEmail(body.email);
  const attempt = await deps.throttle.admit(accounts.type, email, origin.ip, real);
  const found = await accounts.findByEmail(deps.db, email);
  const verdict = await judge(deps, attempt, body.password, found);
  const refuse = async (): Promise<never> => {
    await recordRefusal(deps, found?.id, circumstances);
    throw new AppError('UNAUTHORIZED', 'The e-mail address or the password is wrong.', {
      reason: 'credentials_invalid',
    });
  };
  if (!found?.isOpen || !verdict.ok) return refuse();

  const rehashed = verdict.outdated ? await passwords.hash(body.password) : undefined;
  const opened = await inTransaction(deps.db, async (trx) => {
    if (!(await stillHolds(deps, trx, found))) return undefined;
    if (rehashed) await accounts.savePasswordHash(trx, found.id, rehashed);
    const session = await startSession(trx, holderOf(deps, found.id), origin, real);
    await audit.record(trx, { resourceId: session.sessionId, ...byAccount(deps, found.id) });
    await deps.throttle.succeed(trx, attempt);
    return { account: await greet(trx, found.id), session };
  });
  return opened ?? refuse();
}

/**
 * Sets a new password and ends all sessions but the one that asks; `recheck` throws when that one is over by now. UNAUTHORIZED
 * (`credentials_invalid`) when the current password is wrong, which counts like a failed login.
 */
export async function changePassword(
  deps: LoginDeps,
  asked: { readonly accountId: string; readonly sessionId: string; readonly recheck: (trx: Trx) => Promise<unknown> },
  body: { readonly currentPassword: string; readonly newPassword: string },
  circumstances: Circumstances,
): Promise<void> {
  const { origin, real, audit } = circumstances;
  requireGoodPassword('newPassword', body.newPassword);
  const known = await deps.accounts.get(deps.db, asked.accountId);
  const attempt = await deps.throttle.admit(deps.accounts.type, known.email, origin.ip, real);
  const verdict = await judge(deps, attempt, body.currentPassword, known);
  const refuse = async (): Promise<never> => {
    await recordRefusal(deps, known.id, circumstances);
    throw new AppError('UNAUTHORIZED', 'The current password is wrong.', { reason: 'credentials_invalid' });
  };
  if (!verdict.ok) return refuse();

  const passwordHash = await deps.passwords.hash(body.newPassword);
  const done = await inTransaction(deps.db, async (trx) => {
    if (!(await stillHolds(deps, trx, known))) return false;
    await asked.recheck(trx);
    await deps.accounts.savePasswordHash(trx, known.id, passwordHash);
    const ended = await endSessions(trx, holderOf(deps, known.id), 'password_changed', real, asked.sessionId);
    deps.forgetSessions(known.id);
    await audit.record(trx, { resourceId: known.id, metadata: { sessionsEnded: ended } });
    await deps.throttle.succeed(trx, attempt);
    return true;
  });
  if (!done) await refuse();
}

/** Whose doing and whose resource it is when nobody has proven yet who is calling. */
export const byAccount = (
  { accounts: { type } }: { readonly accounts: Pick<AccountStore, 'type'> },
  id: string,
): AuditDraft => ({ actor: { type, id }, ...(type === 'merchant' && { merchantId: id }) });

const holderOf = ({ accounts }: LoginDeps, id: string): Holder => ({ type: accounts.type, id });

/** A failure that is not the caller's is not counted against them. */
async function judge(
  deps: LoginDeps,
  attempt: Attempt,
  password: string,
  known: Account | undefined,
): Promise<Verdict> {
  try {
    return await deps.passwords.verify(password, known?.passwordHash);
  } catch (error) {
    await deps.throttle.release(attempt);
    throw error;
  }
}

/** Whether what was verified before the transaction is still true in it, under the account's lock. */
async function stillHolds({ accounts }: LoginDeps, trx: Trx, known: Account): Promise<boolean> {
  const locked = await accounts.lock(trx, known.id);
  return locked.passwordHash === known.passwordHash && locked.isOpen;
}

/** One entry a second at most for one address, so that guessing can't fill the log. It names nobody whose e-mail is unknown. */
async function recordRefusal(deps: LoginDeps, accountId: string | undefined, at: Circumstances): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await deps.takeTurn(trx, 'refused_login_entry', addressKey(at.origin.ip), SECOND_MS, at.real))) return;
    await at.audit.recordOther(trx, 'session.refuse', {
      ...(accountId === undefined ? { actor: { type: 'system', id: '' } } : byAccount(deps, accountId)),
      metadata: { reason: 'credentials_invalid' },
    });
  });
}
