import type { Trx } from '../lib/db-types.ts';
import type { Circumstances } from '../ports/operation.ts';
import { accountHolderOf, type LoginDeps, provePassword, type SignedIn } from './login.ts';
import type { PendingFactor } from './second-factor.ts';
import { endSessions } from './sessions.ts';

/** One call of somebody who is logged in. */
type CallOf<P, B> = Circumstances & { readonly principal: P; readonly body: B };

const done = <B>(body: B): { readonly status: 200; readonly body: B } => ({ status: 200, body });

/**
 * The operations by which merchants and administrators turn their second factor on and off. `toSignedIn` says who a principal is, and in which
 * session, which goes on while all others end.
 */
export function twoFactorOperations<P>(deps: LoginDeps, toSignedIn: (principal: P, real: Date) => SignedIn) {
  return {
    setUp: async (call: CallOf<P, { readonly password: string }>) => {
      const { expiresAt, ...setup } = await setUpTwoFactor(
        deps,
        toSignedIn(call.principal, call.real),
        call.body,
        call,
      );
      return done({ ...setup, expiresAt: expiresAt.toISOString() });
    },
    enable: async (call: CallOf<P, { readonly otp: string }> & { readonly trx: Trx }) => {
      const { trx, principal, body, real } = call;
      return done({ recoveryCodes: await enableTwoFactor(trx, deps, toSignedIn(principal, real), body.otp, call) });
    },
    disable: async (call: CallOf<P, { readonly password: string; readonly otp: string }>) => {
      await disableTwoFactor(deps, toSignedIn(call.principal, call.real), call.body, call);
      return done({ message: 'Two-factor authentication is off. All other sessions have ended.' });
    },
  };
}

/**
 * Makes a secret for the account that asks. Its password is signedIn for once more, because a session alone could lock its owner out.
 * UNAUTHORIZED (`credentials_invalid`), which counts like a failed login; CONFLICT when two-factor authentication is on.
 */
async function setUpTwoFactor(
  deps: LoginDeps,
  signedIn: SignedIn,
  { password }: { readonly password: string },
  circumstances: Circumstances,
): Promise<PendingFactor> {
  const proof = await provePasswordAgain(deps, signedIn, password, circumstances);
  return proof.conclude(async (trx) => {
    await signedIn.recheck(trx);
    const { id, email } = proof.account;
    const pending = await deps.secondFactors.setUp(trx, accountHolderOf(deps, id), email, circumstances.real);
    await circumstances.audit.record(trx, { resourceId: id });
    return pending;
  });
}

/** By a first code. UNAUTHORIZED (`otp_invalid`), RATE_LIMITED after too many wrong ones, CONFLICT when nothing waits for one. */
async function enableTwoFactor(
  trx: Trx,
  deps: LoginDeps,
  signedIn: SignedIn,
  otp: string,
  { real, audit }: Circumstances,
): Promise<string[]> {
  await deps.accounts.lock(trx, signedIn.accountId);
  const codes = await deps.secondFactors.enable(trx, accountHolderOf(deps, signedIn.accountId), otp, real);
  const sessionsEnded = await endOthers(trx, deps, signedIn, real);
  audit.note({ resourceId: signedIn.accountId, metadata: { sessionsEnded } });
  return codes;
}

/** By both factors. UNAUTHORIZED (`credentials_invalid`, `otp_invalid`), which count like failed logins; CONFLICT when it is off. */
async function disableTwoFactor(
  deps: LoginDeps,
  signedIn: SignedIn,
  { password, otp }: { readonly password: string; readonly otp: string },
  circumstances: Circumstances,
): Promise<void> {
  const { real, audit } = circumstances;
  const proof = await provePasswordAgain(deps, signedIn, password, circumstances);
  await proof.conclude(async (trx) => {
    await signedIn.recheck(trx);
    const told = await deps.secondFactors.disable(trx, accountHolderOf(deps, signedIn.accountId), otp, real);
    const sessionsEnded = await endOthers(trx, deps, signedIn, real);
    await audit.record(trx, { resourceId: signedIn.accountId, metadata: { sessionsEnded, ...told } });
  });
}

async function provePasswordAgain(deps: LoginDeps, signedIn: SignedIn, password: string, circumstances: Circumstances) {
  const { email } = await deps.accounts.get(deps.db, signedIn.accountId);
  return provePassword(deps, email, password, { ...circumstances, refusal: 'The password is wrong.' });
}

async function endOthers(trx: Trx, deps: LoginDeps, { accountId, sessionId }: SignedIn, real: Date): Promise<number> {
  const ended = await endSessions(trx, accountHolderOf(deps, accountId), 'two_factor_changed', real, sessionId);
  deps.forgetSessions(accountId);
  return ended;
}
