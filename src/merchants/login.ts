import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { normaliseEmail } from '../identity/emails.ts';
import { type Passwords, requireGoodPassword, type Verdict } from '../identity/passwords.ts';
import { endSessions, type OpenedSession, rotateSession, startSession } from '../identity/sessions.ts';
import type { Attempt, Throttle } from '../identity/throttle.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import { takeTurn } from '../limits/counters.ts';
import type { Origin, SessionPrincipal, Verifier } from '../ports/security.ts';
import type { Merchant } from './merchant.ts';
import {
  findCredentialsByEmail,
  getCredentials,
  getMerchant,
  lockCredentials,
  type MerchantCredentials,
  savePasswordHash,
} from './queries.ts';
import type { Circumstances } from './service.ts';

export type LoginDeps = {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  /** The verifier of merchantBearer: operations that open their own transaction recheck with it. */
  readonly verifier: Verifier;
  readonly forgetSessions: (sessionOrMerchantId: string) => void;
};

/**
 * Starts a session. UNAUTHORIZED (`credentials_invalid`) with the same words, after the same work, for an unknown e-mail address, a
 * wrong password and a terminated merchant; RATE_LIMITED after too many of them.
 */
export async function logIn(
  deps: LoginDeps,
  body: { readonly email: string; readonly password: string },
  circumstances: Circumstances,
): Promise<{ readonly merchant: Merchant; readonly session: OpenedSession }> {
  const { origin, real, audit } = circumstances;
  const email = normaliseEmail(body.email);
  const attempt = await deps.throttle.admit('merchant', email, origin.ip, real);
  const found = await findCredentialsByEmail(deps.db, email);
  const verdict = await judge(deps, attempt, body.password, found);
  const refuse = async (): Promise<never> => {
    await recordRefusal(deps.db, found?.id, circumstances);
    throw new AppError('UNAUTHORIZED', 'The e-mail address or the password is wrong.', {
      reason: 'credentials_invalid',
    });
  };
  if (!found || !verdict.ok || found.status === 'terminated') return refuse();

  const rehashed = verdict.outdated ? await deps.passwords.hash(body.password) : undefined;
  const opened = await inTransaction(deps.db, async (trx) => {
    if (!(await stillHolds(trx, found))) return undefined;
    if (rehashed) await savePasswordHash(trx, found.id, rehashed);
    const session = await startSession(trx, { type: 'merchant', id: found.id }, origin, real);
    const actor = { type: 'merchant', id: found.id } as const;
    await audit.record(trx, { resourceId: session.sessionId, actor, merchantId: found.id });
    await deps.throttle.succeed(trx, attempt);
    return { merchant: await getMerchant(trx, found.id), session };
  });
  return opened ?? refuse();
}

/**
 * Trades a refresh token for the next one. UNAUTHORIZED with `token_invalid`, `token_expired` or `session_revoked`; a token that comes
 * a second time ends its session, and the audit log says so.
 */
export async function refreshSession(
  deps: Pick<LoginDeps, 'db' | 'forgetSessions'>,
  refreshToken: string,
  { origin, now, real, audit }: Circumstances,
): Promise<OpenedSession & { readonly merchantId: string }> {
  const rotation = await inTransaction(deps.db, async (trx) => {
    const result = await rotateSession(trx, 'merchant', refreshToken, real);
    if (result.kind === 'rotated') {
      const merchantId = result.holderId;
      await audit.record(trx, {
        resourceId: result.sessionId,
        actor: { type: 'merchant', id: merchantId },
        merchantId,
      });
    } else if (result.ended) {
      deps.forgetSessions(result.ended.sessionId);
      await recordReuse(trx, result.ended, origin, now);
    }
    return result;
  });
  if (rotation.kind === 'refused') {
    throw new AppError('UNAUTHORIZED', REFUSED[rotation.reason], { reason: rotation.reason });
  }
  return { sessionId: rotation.sessionId, refreshToken: rotation.refreshToken, merchantId: rotation.holderId };
}

const REFUSED = {
  token_invalid: 'This refresh token is unknown. Log in again.',
  token_expired: 'This session has expired. Log in again.',
  session_revoked: 'This session has ended. Log in again.',
};

/**
 * Sets a new password and ends all sessions but the one that asks. UNAUTHORIZED (`credentials_invalid`) when the current password is
 * wrong, which counts like a failed login.
 */
export async function changePassword(
  deps: LoginDeps,
  principal: SessionPrincipal,
  body: { readonly currentPassword: string; readonly newPassword: string },
  circumstances: Circumstances,
): Promise<void> {
  const { origin, real, audit } = circumstances;
  requireGoodPassword('newPassword', body.newPassword);
  const known = await getCredentials(deps.db, principal.merchantId);
  const attempt = await deps.throttle.admit('merchant', known.email, origin.ip, real);
  const verdict = await judge(deps, attempt, body.currentPassword, known);
  const refuse = async (): Promise<never> => {
    await recordRefusal(deps.db, known.id, circumstances);
    throw new AppError('UNAUTHORIZED', 'The current password is wrong.', { reason: 'credentials_invalid' });
  };
  if (!verdict.ok) return refuse();

  const passwordHash = await deps.passwords.hash(body.newPassword);
  const done = await inTransaction(deps.db, async (trx) => {
    if (!(await stillHolds(trx, known))) return false;
    await deps.verifier.recheck(trx, principal, real);
    await savePasswordHash(trx, known.id, passwordHash);
    const holder = { type: 'merchant', id: known.id } as const;
    const ended = await endSessions(trx, holder, 'password_changed', real, principal.sessionId);
    deps.forgetSessions(known.id);
    await audit.record(trx, { resourceId: known.id, metadata: { sessionsEnded: ended } });
    await deps.throttle.succeed(trx, attempt);
    return true;
  });
  if (!done) await refuse();
}

/** A failure that is not the caller's is not counted against them. */
async function judge(
  deps: LoginDeps,
  attempt: Attempt,
  password: string,
  known: MerchantCredentials | undefined,
): Promise<Verdict> {
  try {
    return await deps.passwords.verify(password, known?.passwordHash);
  } catch (error) {
    await deps.throttle.release(attempt);
    throw error;
  }
}

/** Whether what was verified before the transaction is still true in it, under the merchant's lock. */
async function stillHolds(trx: Trx, known: MerchantCredentials): Promise<boolean> {
  const locked = await lockCredentials(trx, known.id);
  return locked.passwordHash === known.passwordHash && locked.status !== 'terminated';
}

/** One entry a second at most for one address, so that guessing can't fill the log. It names nobody whose e-mail is unknown. */
async function recordRefusal(db: Db, merchantId: string | undefined, at: Circumstances): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await takeTurn(trx, 'refused_login_entry', addressKey(at.origin.ip), SECOND_MS, at.real))) return;
    await recordAudit(
      trx,
      {
        actorType: merchantId ? 'merchant' : 'system',
        actorId: merchantId ?? '',
        action: 'session.refuse',
        resourceId: '',
        merchantId: merchantId ?? null,
        origin: at.origin,
        metadata: { reason: 'credentials_invalid' },
      },
      at.now,
    );
  });
}

async function recordReuse(
  trx: Trx,
  ended: { readonly sessionId: string; readonly holderId: string },
  origin: Origin,
  now: Date,
): Promise<void> {
  await recordAudit(
    trx,
    {
      actorType: 'system',
      actorId: '',
      action: 'session.revoke',
      resourceId: ended.sessionId,
      merchantId: ended.holderId,
      origin,
      metadata: { reason: 'reuse' },
    },
    now,
  );
}
