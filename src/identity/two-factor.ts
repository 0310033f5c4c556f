import type { Trx } from '../lib/db-types.ts';
import type { Circumstances } from '../ports/operation.ts';
import { type Asked, holderOf, type LoginDeps, provePassword } from './login.ts';
import type { PendingFactor } from './second-factor.ts';
import { endSessions } from './sessions.ts';

/** One call of somebody who is logged in. */
type CallOf<P, B> = Circumstances & { readonly principal: P; readonly body: B };

const done = <B>(body: B): { readonly status: 200; readonly body: B } => ({ status: 200, body });

/**
 * The operations by which merchants and administrators turn their second factor on and off. `asking` says who a principal is, and in which
 * session, which goes on while all others end.
 */
export function twoFactorOperations<P>(deps: LoginDeps, asking: (principal: P, real: Date) => Asked) {
  return {
    setUp: async (call: CallOf<P, { readonly password: string }>) => {
      const { expiresAt, ...setup } = await setUpTwoFactor(deps, asking(call.principal, call.real), call.body, call);
      return done({ ...setup, expiresAt: expiresAt.toISOString() });
    },
    enable: async (call: CallOf<P, { readonly otp: string }> & { readonly trx: Trx }) => {
      const { trx, principal, body, real } = call;
      return done({ recoveryCodes: await enableTwoFactor(trx, deps, asking(principal, real), body.otp, call) });
    },
    disable: async (call: CallOf<P, { readonly password: string; readonly otp: string }>) => {
      await disableTwoFactor(deps, asking(call.principal, call.real), call.body, call);
      return done({ message: 'Two-factor authentication is off. All other sessions have ended.' });
    },
  };
}

/**
 * Makes a secret for the account that asks. Its password is asked for once more, because a session alone could lock its owner out.
 * UNAUTHORIZED (`credentials_invalid`), which counts like a failed login; CONFLICT when two-factor authentication is on.
 */
async function setUpTwoFactor(
  deps: LoginDeps,
  asked: Asked,
  { password }: { readonly password: string },
  circumstances: Circumstances,
): Promise<PendingFactor> {
  const proof = await provePasswordAgain(deps, asked, password, circumstances);
  return proof.conclude(async (trx) => {
    await asked.recheck(trx);
    const { id, email } = proof.account;
    const pending = await deps.secondFactors.setUp(trx, holderOf(deps, id), email, circumstances.real);
    await circumstances.audit.record(trx, { resourceId: id });
    return pending;
  });
}

/** By a first code. UNAUTHORIZED (`otp_invalid`), RATE_LIMITED after too many wrong ones, CONFLICT when nothing waits for one. */
async function enableTwoFactor(
  trx: Trx,
  deps: LoginDeps,
  asked: Asked,
  otp: string,
  { real, audit }: Circumstances,
): Promise<string[]> {
  await deps.accounts.lock(trx, asked.accountId);
  const codes = await deps.secondFactors.enable(trx, holderOf(deps, asked.accountId), otp, real);
  const sessionsEnded = await endOthers(trx, deps, asked, real);
  audit.note({ resourceId: asked.accountId, metadata: { sessionsEnded } });
  return codes;
}

/** By both factors. UNAUTHORIZED (`credentials_invalid`, `otp_invalid`), which count like failed logins; CONFLICT when it is off. */
async function disableTwoFactor(
  deps: LoginDeps,
  asked: Asked,
  { password, otp }: { readonly password: string; readonly otp: string },
  circumstances: Circumstances,
): Promise<void> {
  const { real, audit } = circumstances;
  const proof = await provePasswordAgain(deps, asked, password, circumstances);
  await proof.conclude(async (trx) => {
    await asked.recheck(trx);
    const told = await deps.secondFactors.disable(trx, holderOf(deps, asked.accountId), otp, real);
    const sessionsEnded = await endOthers(trx, deps, asked, real);
    await audit.record(trx, { resourceId: asked.accountId, metadata: { sessionsEnded, ...told } });
  });
}

async function provePasswordAgain(deps: LoginDeps, asked: Asked, password: string, circumstances: Circumstances) {
  const { email } = await deps.accounts.get(deps.db, asked.accountId);
  return provePassword(deps, email, password, { ...circumstances, refusal: 'The password is wrong.' });
}

async function endOthers(trx: Trx, deps: LoginDeps, { accountId, sessionId }: Asked, real: Date): Promise<number> {
  const ended = await endSessions(trx, holderOf(deps, accountId), 'two_factor_changed', real, sessionId);
  deps.forgetSessions(accountId);
  return ended;
}
