import { inTransaction, isUnavailable } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import type { AuditDraft, Circumstances } from '../ports/operation.ts';
import { type DeviceHint, findKnownDevice, forgetDevices, rememberAddress, rememberDevice } from './devices.ts';
import { normaliseEmail } from './emails.ts';
import { type PasswordCheck, type Passwords, requireGoodPassword } from './passwords.ts';
import type { SecondFactors } from './second-factor.ts';
import {
  type AccountHolder,
  type BegunSession,
  endSessions,
  isIssued,
  type PrincipalType,
  startSession,
} from './sessions.ts';
import type { Attempt, Throttle } from './throttle.ts';

/** The credentials that a login is checked against. */
export type Account = {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Whether the account may log in at all. */
  readonly isOpen: boolean;
};

/** The accounts of one kind of principal. See decision identity/one-login-for-everyone. */
export type AccountStore = {
  readonly type: PrincipalType;
  /** By the normalised e-mail address. */
  readonly findByEmail: (db: Db, email: string) => Promise<Account | undefined>;
  /** Throws NOT_FOUND. */
  readonly get: (db: Db, id: string) => Promise<Account>;
  /** Takes the account's row lock. */
  readonly lock: (trx: Trx, id: string) => Promise<Account>;
  readonly savePasswordHash: (trx: Trx, id: string, passwordHash: string) => Promise<void>;
};

export type LoginDeps = {
  readonly db: Db;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly secondFactors: SecondFactors;
  /** Drops a session, or all sessions of an account, from this process's cache. */
  readonly forgetSessions: (sessionOrHolderId: string) => void;
  /** True at most once in `windowMs` for each key; bounds the audit entries that one address can cause. */
  readonly oncePerWindow: (trx: Trx, name: string, key: string, windowMs: number, real: Date) => Promise<boolean>;
};

/** A caller who is logged in and must prove the password again. `recheck` throws if the session has ended since. */
export type SignedIn = {
  readonly accountId: string;
  readonly sessionId: string;
  readonly recheck: (trx: Trx) => Promise<unknown>;
};

/**
 * Starts a session. `readAccount` reads, in the same transaction, the account that the answer shows. Throws
 * UNAUTHORIZED (`credentials_invalid`), with the same message and after the same work, for an unknown e-mail address,
 * a wrong password and a closed account. A code is asked for (`otp_required`, `otp_invalid`) only after a correct
 * password. Throws RATE_LIMITED after too many wrong passwords or codes.
 */
export async function logIn<T>(
  deps: LoginDeps,
  body: {
    readonly email: string;
    readonly password: string;
    readonly otp?: string;
    readonly deviceToken?: string;
  },
  circumstances: Circumstances,
  readAccount: (trx: Trx, accountId: string) => Promise<T>,
): Promise<{ readonly account: T; readonly session: BegunSession }> {
  const { origin, real, audit } = circumstances;
  const hint: DeviceHint = { ip: origin.ip, deviceToken: body.deviceToken };
  const proof = await provePassword(deps, normaliseEmail(body.email), body.password, {
    ...circumstances,
    deviceToken: body.deviceToken,
    refusal: 'The e-mail address or the password is wrong.',
  });
  const { account } = proof;
  const rehashed = proof.outdated ? await deps.passwords.hash(body.password) : undefined;
  const open = async (trx: Trx) => {
    const holder = accountHolderOf(deps, account.id);
    const metadata = await deps.secondFactors.require(trx, holder, body.otp, real);
    if (rehashed) await deps.accounts.savePasswordHash(trx, account.id, rehashed);
    const session = await startSession(trx, holder, origin, real);
    const deviceToken = await rememberDevice(trx, holder, hint, real);
    await audit.record(trx, { resourceId: session.sessionId, ...byAccount(deps, account.id), metadata });
    return { account: await readAccount(trx, account.id), session: { ...session, deviceToken } };
  };
  return proof.conclude(open, ({ session }) => isIssued(deps.db, session));
}

/**
 * Sets a new password, ends all other sessions and forgets all devices but the caller's address. Throws UNAUTHORIZED
 * (`credentials_invalid`) for a wrong current password, which counts as a failed login, and for a missing or wrong
 * code, as `logIn` does.
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
    session: signedIn.sessionId,
    refusal: 'The current password is wrong.',
  });
  const { account } = proof;
  const passwordHash = await deps.passwords.hash(body.newPassword);
  const change = async (trx: Trx): Promise<void> => {
    await signedIn.recheck(trx);
    const holder = accountHolderOf(deps, account.id);
    const factorUsed = await deps.secondFactors.require(trx, holder, body.otp, real);
    await deps.accounts.savePasswordHash(trx, account.id, passwordHash);
    const ended = await endSessions(trx, holder, 'password_changed', real, signedIn.sessionId);
    await forgetDevices(trx, holder);
    await rememberAddress(trx, holder, circumstances.origin.ip, real);
    deps.forgetSessions(account.id);
    await audit.record(trx, { resourceId: account.id, metadata: { sessionsEnded: ended, ...factorUsed } });
  };
  // Its salt is its own.
  const isChanged = async () => (await deps.accounts.get(deps.db, account.id)).passwordHash === passwordHash;
  await proof.conclude(change, isChanged);
}

/** A proven password. */
export type PasswordProof = {
  readonly account: Account;
  /** The password should be hashed again, because the costs have changed. */
  readonly outdated: boolean;
  /**
   * Runs `work` in a transaction that has locked the account and checked that the password is still the same. With its
   * commit the attempt has succeeded. If `work` throws `otp_invalid` the attempt stays counted as a failure; any other
   * AppError releases it. See decision identity/asking-for-a-code-is-no-failure. Where the commit had no answer,
   * `isDone` says whether the work is there. See decision identity/code-is-spent-with-the-commit.
   */
  readonly conclude: <T>(work: (trx: Trx) => Promise<T>, isDone?: (made: T) => Promise<boolean>) => Promise<T>;
};

/** Where a password was sent from, and how a wrong one is refused. */
type ProofCircumstances = Circumstances & {
  readonly refusal: string;
  readonly deviceToken?: string | undefined;
  /** Of a caller who is logged in and proves the password again: strangers are not in their way. */
  readonly session?: string;
};

/**
 * Proves the password of the account with this (normalised) e-mail address, as one attempt of the throttle. Throws
 * UNAUTHORIZED (`credentials_invalid`) with the message `refusal` for an unknown or closed account or a wrong password.
 */
export async function provePassword(
  deps: LoginDeps,
  email: string,
  password: string,
  circumstances: ProofCircumstances,
): Promise<PasswordProof> {
  const { origin, real, refusal, deviceToken, session } = circumstances;
  const { type } = deps.accounts;
  const account = await deps.accounts.findByEmail(deps.db, email);
  // An unknown account costs the same queries, so that time tells nobody which accounts there are.
  const known = await findKnownDevice(deps.db, { type, id: account?.id ?? '' }, { ip: origin.ip, deviceToken }, real);
  const attempt = await deps.throttle.admit({ type, email, ip: origin.ip, known, session }, real);
  const check = await checkPassword(deps, attempt, password, account);
  const refuse = async (reason: Refusal = 'credentials_invalid'): Promise<void> => {
    await deps.throttle.fail(attempt);
    deps.throttle.settled(attempt);
    await recordRefusal(deps, account?.id, circumstances, reason);
  };
  const wrong = async (): Promise<never> => {
    await refuse();
    throw new AppError('UNAUTHORIZED', refusal, { reason: 'credentials_invalid' });
  };
  if (!account?.isOpen || !check.ok) return wrong();
  return {
    account,
    outdated: check.outdated,
    conclude: async <T>(work: (trx: Trx) => Promise<T>, isDone: (made: T) => Promise<boolean> = async () => false) => {
      let made: { readonly result: T } | undefined;
      const done = await inTransaction(deps.db, async (trx) => {
        made = undefined;
        if (!(await stillHolds(deps, trx, account))) return undefined;
        const result = await work(trx);
        await deps.throttle.succeed(trx, attempt);
        made = { result };
        return made;
      }).catch(async (error: unknown) => {
        if (made && isUnavailable(error) && (await isDone(made.result).catch(() => false))) return made;
        if (error instanceof AppError && error.reason === 'otp_invalid') await refuse('otp_invalid');
        // Also where the database failed a right password. If it fails this, too, it ends as of a dead process.
        else await releaseAttempt(deps, attempt).catch(() => undefined);
        throw error;
      });
      if (!done) return wrong();
      deps.throttle.settled(attempt);
      return done.result;
    },
  };
}

type Refusal = 'credentials_invalid' | 'otp_invalid';

async function releaseAttempt({ throttle }: LoginDeps, attempt: Attempt): Promise<void> {
  await throttle.release(attempt);
  throttle.settled(attempt);
}

/** Actor and merchant of an audit entry for a request that has no principal yet. */
export const byAccount = (
  { accounts: { type } }: { readonly accounts: Pick<AccountStore, 'type'> },
  id: string,
): AuditDraft => ({ actor: { type, id }, ...(type === 'merchant' && { merchantId: id }) });

/** The holder of the account's sessions and second factor. */
export const accountHolderOf = ({ accounts }: Pick<LoginDeps, 'accounts'>, id: string): AccountHolder => ({
  type: accounts.type,
  id,
});

/** Releases the attempt if the check itself fails, so that our failure doesn't count against the caller. */
async function checkPassword(
  deps: LoginDeps,
  attempt: Attempt,
  password: string,
  known: Account | undefined,
): Promise<PasswordCheck> {
  try {
    return await deps.passwords.verify(password, known?.passwordHash, attempt.known);
  } catch (error) {
    await releaseAttempt(deps, attempt);
    throw error;
  }
}

/** Whether the account is still open with the same password, now that the transaction has locked it. */
async function stillHolds({ accounts }: LoginDeps, trx: Trx, known: Account): Promise<boolean> {
  const locked = await accounts.lock(trx, known.id);
  return locked.passwordHash === known.passwordHash && locked.isOpen;
}

/**
 * Writes at most one audit entry a second per address, so that guessing can't fill the log. The entry doesn't
 * contain the e-mail address of an unknown account.
 */
async function recordRefusal(
  deps: LoginDeps,
  accountId: string | undefined,
  at: Circumstances,
  reason: Refusal,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await deps.oncePerWindow(trx, 'refused_login_entry', addressKey(at.origin.ip), SECOND_MS, at.real))) return;
    await at.audit.recordOther(trx, 'session.refuse', {
      ...(accountId === undefined ? { actor: { type: 'system', id: '' } } : byAccount(deps, accountId)),
      metadata: { reason },
    });
  });
}
