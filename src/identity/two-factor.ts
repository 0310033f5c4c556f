import type { Trx } from '../lib/db-types.ts';
import type { Circumstances } from '../ports/operation.ts';
import { accountHolderOf, type LoginDeps, provePassword, type SignedIn } from './login.ts';
import type { PendingFactor } from './second-factor.ts';
import { endSessions } from './sessions.ts';

/** A call by a principal who is logged in. */
type CallOf<P, B> = Circumstances & { readonly principal: P; readonly body: B };

const done = <B>(body: B): { readonly status: 200; readonly body: B } => ({ status: 200, body });

/**
 * The operations that turn a second factor on and off, for merchants and administrators. `toSignedIn` gives the
 * principal's account and session; that session stays while all others end.
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
 * Makes a secret for the signed-in account. Needs the password (decision identity/a-session-alone-changes-no-factor).
 * Throws UNAUTHORIZED (`credentials_invalid`), which counts as a failed login, and CONFLICT when the factor is enabled.
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

/**
 * Enables the factor by a first code. Throws UNAUTHORIZED (`otp_invalid`), RATE_LIMITED after too many wrong codes, and
 * CONFLICT when no secret waits for a code.
 */
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

/**
 * Disables the factor by password and code. Throws UNAUTHORIZED (`credentials_invalid`, `otp_invalid`), which count as
 * failed logins, and CONFLICT when the factor is off.
 */
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
    const factorUsed = await deps.secondFactors.disable(trx, accountHolderOf(deps, signedIn.accountId), otp, real);
    const sessionsEnded = await endOthers(trx, deps, signedIn, real);
    await audit.record(trx, { resourceId: signedIn.accountId, metadata: { sessionsEnded, ...factorUsed } });
  });
}

async function provePasswordAgain(deps: LoginDeps, signedIn: SignedIn, password: string, circumstances: Circumstances) {
  const { email } = await deps.accounts.get(deps.db, signedIn.accountId);
  const { sessionId: session } = signedIn;
  return provePassword(deps, email, password, { ...circumstances, session, refusal: 'The password is wrong.' });
}

async function endOthers(trx: Trx, deps: LoginDeps, { accountId, sessionId }: SignedIn, real: Date): Promise<number> {
  const ended = await endSessions(trx, accountHolderOf(deps, accountId), 'two_factor_changed', real, sessionId);
  deps.forgetSessions(accountId);
  return ended;
}
