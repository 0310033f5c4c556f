import { inTransaction } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import type { AuditDraft, Circumstances } from '../ports/operation.ts';
import { normaliseEmail } from './emails.ts';
import { type PasswordCheck, type Passwords, requireGoodPassword } from './passwords.ts';
import type { SecondFactors } from './second-factor.ts';
import { type AccountHolder, endSessions, type OpenedSession, type PrincipalType, startSession } from './sessions.ts';
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
  readonly secondFactors: SecondFactors;
  /** Lets this process forget what it remembers of a session, or of all those of an account. */
  readonly forgetSessions: (sessionOrHolderId: string) => void;
  /** Calls that count what a refused address leaves in the audit log; true at most once in `windowMs`. */
  readonly oncePerWindow: (trx: Trx, name: string, key: string, windowMs: number, real: Date) => Promise<boolean>;
};

/** Who is logged in and asks for what wants the password again; `recheck` throws when that session is over by now. */
export type SignedIn = {
  readonly accountId: string;
  readonly sessionId: string;
  readonly recheck: (trx: Trx) => Promise<unknown>;
};

/**
 * Starts a session; `greet` reads, in its transaction, what the answer tells of the account. UNAUTHORIZED (`credentials_invalid`) with the
 * same words, after the same work, for an unknown e-mail address, a wrong password and a closed account; only a right password is asked for a
 * code (`otp_required`, `otp_invalid`). RATE_LIMITED after too many wrong ones of either.
 */
export async function logIn<T>(
  deps: LoginDeps,
  body: { readonly email: string; readonly password: string; readonly otp?: string },
  circumstances: Circumstances,
  greet: (trx: Trx, accountId: string) => Promise<T>,
): Promise<{ readonly account: T; readonly session: OpenedSession }> {
  const { origin, real, audit } = circumstances;
  const proof = await provePassword(deps, normaliseEmail(body.email), body.password, {
    ...circumstances,
    refusal: 'The e-mail address or the password is wrong.',
  });
  const { account } = proof;
  const rehashed = proof.outdated ? await deps.passwords.hash(body.password) : undefined;
  return proof.conclude(async (trx) => {
    const holder = accountHolderOf(deps, account.id);
    const metadata = await deps.secondFactors.require(trx, holder, body.otp, real);
    if (rehashed) await deps.accounts.savePasswordHash(trx, account.id, rehashed);
    const session = await startSession(trx, holder, origin, real);
    await audit.record(trx, { resourceId: session.sessionId, ...byAccount(deps, account.id), metadata });
    return { account: await greet(trx, account.id), session };
  });
}

/**
 * Sets a new password and ends all sessions but the one that asks. UNAUTHORIZED (`credentials_invalid`) when the current password is wrong,
 * which counts like a failed login, and for want of a code like a login.
 */
export async function changePassword(
  deps: LoginDeps,
  signedIn: SignedIn,
  body: { readonly currentPassword: string; readonly newPassword: string; readonly otp?: string },
  circumstances: Circumstances,
): Promise<void> {
  const { real, audit } = circumstances;
  requireGoodPassword('newPassword', body.newPassword);
  const { email } = await deps.accounts.get(deps.db, signedIn.accountId);
  const proof = await provePassword(deps, email, body.currentPassword, {
    ...circumstances,
    refusal: 'The current password is wrong.',
  });
  const { account } = proof;
  const passwordHash = await deps.passwords.hash(body.newPassword);
  await proof.conclude(async (trx) => {
    await signedIn.recheck(trx);
    const holder = accountHolderOf(deps, account.id);
    const told = await deps.secondFactors.require(trx, holder, body.otp, real);
    await deps.accounts.savePasswordHash(trx, account.id, passwordHash);
    const ended = await endSessions(trx, holder, 'password_changed', real, signedIn.sessionId);
    deps.forgetSessions(account.id);
    await audit.record(trx, { resourceId: account.id, metadata: { sessionsEnded: ended, ...told } });
  });
}

/** A right password, and what it opens. */
export type PasswordProof = {
  readonly account: Account;
  /** The hash should be made anew. */
  readonly outdated: boolean;
  /**
   * Does `work` in one transaction, in which the account is locked and the password is still the right one; then the try has succeeded. A code
   * that `work` finds wrong makes it a failed one; any other refusal takes it back.
   */
  readonly conclude: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
};

/**
 * Proves the password of the account with this (normalised) e-mail address, as one try of the throttle. UNAUTHORIZED
 * (`credentials_invalid`) with the words of `refusal` when there is no such account, it is closed, or the password is another.
 */
export async function provePassword(
  deps: LoginDeps,
  email: string,
  password: string,
  circumstances: Circumstances & { readonly refusal: string },
): Promise<PasswordProof> {
  const { origin, real, refusal } = circumstances;
  const attempt = await deps.throttle.admit(deps.accounts.type, email, origin.ip, real);
  const account = await deps.accounts.findByEmail(deps.db, email);
  const verdict = await judge(deps, attempt, password, account);
  const refuse = async (): Promise<never> => {
    await recordRefusal(deps, account?.id, circumstances, 'credentials_invalid');
    throw new AppError('UNAUTHORIZED', refusal, { reason: 'credentials_invalid' });
  };
  if (!account?.isOpen || !verdict.ok) return refuse();
  return {
    account,
    outdated: verdict.outdated,
    conclude: async (work) => {
      const done = await inTransaction(deps.db, async (trx) => {
        if (!(await stillHolds(deps, trx, account))) return undefined;
        const result = await work(trx);
        await deps.throttle.succeed(trx, attempt);
        return { result };
      }).catch(async (error: unknown) => {
        if (error instanceof AppError && error.reason === 'otp_invalid') {
          await recordRefusal(deps, account.id, circumstances, 'otp_invalid');
        } else if (error instanceof AppError) await deps.throttle.release(attempt);
        throw error;
      });
      return done ? done.result : refuse();
    },
  };
}

/** Whose doing and whose resource it is when nobody has proven yet who is calling. */
export const byAccount = (
  { accounts: { type } }: { readonly accounts: Pick<AccountStore, 'type'> },
  id: string,
): AuditDraft => ({ actor: { type, id }, ...(type === 'merchant' && { merchantId: id }) });

/** Whose sessions and whose second factor it is. */
export const accountHolderOf = ({ accounts }: Pick<LoginDeps, 'accounts'>, id: string): AccountHolder => ({
  type: accounts.type,
  id,
});

/** A failure that is not the caller's is not counted against them. */
async function judge(
  deps: LoginDeps,
  attempt: Attempt,
  password: string,
  known: Account | undefined,
): Promise<PasswordCheck> {
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
async function recordRefusal(
  deps: LoginDeps,
  accountId: string | undefined,
  at: Circumstances,
  reason: 'credentials_invalid' | 'otp_invalid',
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await deps.oncePerWindow(trx, 'refused_login_entry', addressKey(at.origin.ip), SECOND_MS, at.real))) return;
    await at.audit.recordOther(trx, 'session.refuse', {
      ...(accountId === undefined ? { actor: { type: 'system', id: '' } } : byAccount(deps, accountId)),
      metadata: { reason },
    });
  });
}
