import {
  type LoginDeps as AccountDeps,
  type AccountStore,
  changePassword as change,
  logIn as enter,
  type SignedIn,
} from '../identity/login.ts';
import { refreshSession as refresh } from '../identity/refresh.ts';
import type { BegunSession, OpenedSession } from '../identity/sessions.ts';
import { twoFactorOperations } from '../identity/two-factor.ts';
import { oncePerWindow } from '../limits/counters.ts';
import type { Circumstances } from '../ports/operation.ts';
import type { SessionPrincipal, Verifier } from '../ports/security.ts';
import type { Merchant } from './merchant.ts';
import {
  findCredentialsByEmail,
  getCredentials,
  getMerchant,
  lockCredentials,
  type MerchantCredentials,
  savePasswordHash,
} from './queries.ts';

export type LoginDeps = Omit<AccountDeps, 'accounts' | 'oncePerWindow'> & {
  /** The verifier of merchantBearer; operations that open their own transaction recheck with it. */
  readonly verifier: Verifier<SessionPrincipal>;
};

const toAccount = <C extends MerchantCredentials>(found: C) => ({ ...found, isOpen: found.status !== 'terminated' });

export const accounts: AccountStore = {
  type: 'merchant',
  findByEmail: async (db, email) => {
    const found = await findCredentialsByEmail(db, email);
    return found && toAccount(found);
  },
  get: async (db, id) => toAccount(await getCredentials(db, id)),
  lock: async (trx, id) => toAccount(await lockCredentials(trx, id)),
  savePasswordHash,
};

/** Starts a merchant's session; see `identity/login.ts`. */
export async function logIn(
  deps: LoginDeps,
  body: Parameters<typeof enter>[1],
  circumstances: Circumstances,
): Promise<{ readonly merchant: Merchant; readonly session: BegunSession }> {
  const { account, session } = await enter({ ...deps, accounts, oncePerWindow }, body, circumstances, getMerchant);
  return { merchant: account, session };
}

/** Exchanges a merchant's refresh token for the next one; see `identity/refresh.ts`. */
export async function refreshSession(
  deps: Pick<LoginDeps, 'db' | 'forgetSessions'>,
  refreshToken: string,
  circumstances: Circumstances,
): Promise<OpenedSession & { readonly merchantId: string }> {
  const { accountId, ...session } = await refresh({ ...deps, accounts }, refreshToken, circumstances);
  return { ...session, merchantId: accountId };
}

/** Sets a merchant's new password; see `identity/login.ts`. */
export async function changePassword(
  deps: LoginDeps,
  principal: SessionPrincipal,
  body: { readonly currentPassword: string; readonly newPassword: string; readonly otp?: string },
  circumstances: Circumstances,
): Promise<void> {
  await change(
    { ...deps, accounts, oncePerWindow },
    toSignedIn(deps, principal, circumstances.real),
    body,
    circumstances,
  );
}

/** The operations that turn a merchant's second factor on and off; see `identity/two-factor.ts`. */
export const twoFactorOf = (deps: LoginDeps) =>
  twoFactorOperations({ ...deps, accounts, oncePerWindow }, (principal: SessionPrincipal, real) =>
    toSignedIn(deps, principal, real),
  );

const toSignedIn = (deps: LoginDeps, principal: SessionPrincipal, real: Date): SignedIn => ({
  accountId: principal.merchantId,
  sessionId: principal.sessionId,
  recheck: (trx) => deps.verifier.recheck(trx, principal, real),
});
