import { knownLogins } from '../identity/known-login.ts';
import { knownRefreshes } from '../identity/known-refresh.ts';
import { type AccountStore, changePassword, type LoginDeps, logIn, type SignedIn } from '../identity/login.ts';
import { refreshSession } from '../identity/refresh.ts';
import { endSession, presentLogin, presentTokens } from '../identity/sessions.ts';
import { twoFactorOperations } from '../identity/two-factor.ts';
import { oncePerWindow } from '../limits/counters.ts';
import { type HandlersOf, standingAside } from '../ports/operation.ts';
import type { AdminPrincipal, Tokens, Verifier } from '../ports/security.ts';
import type { GrantDeps } from './grants.ts';
import { presentOwnAdmin } from './present.ts';
import { findAccountByEmail, getAccount, getAdmin, lockAccount, noteLogin, savePasswordHash } from './queries.ts';
import { roleHandlers } from './role-handlers.ts';
import { userHandlers } from './user-handlers.ts';

export type AdminDeps = Omit<LoginDeps, 'accounts' | 'oncePerWindow' | 'forgetSessions'> & {
  readonly tokens: Tokens;
  readonly verifier: Verifier<AdminPrincipal>;
  readonly grants: GrantDeps;
};

type SessionOperation =
  | 'loginAdmin'
  | 'refreshAdminSession'
  | 'logoutAdmin'
  | 'getOwnAdmin'
  | 'changeAdminPassword'
  | 'setupAdminTwoFactor'
  | 'enableAdminTwoFactor'
  | 'disableAdminTwoFactor';

const accounts: AccountStore = {
  type: 'admin',
  findByEmail: findAccountByEmail,
  get: getAccount,
  lock: lockAccount,
  savePasswordHash,
};

/** The operations of the tag `admins`. */
export function adminHandlers(given: AdminDeps) {
  return { ...sessionHandlers(given), ...userHandlers(given), ...roleHandlers(given) };
}

function sessionHandlers(given: AdminDeps): HandlersOf<SessionOperation> {
  // Administrators' sessions are not cached, so there is nothing to drop (decision admins/nothing-is-cached).
  const deps: LoginDeps = { ...given, accounts, oncePerWindow, forgetSessions: () => undefined };
  const toSignedIn = (principal: AdminPrincipal, real: Date): SignedIn => ({
    accountId: principal.adminId,
    sessionId: principal.sessionId,
    recheck: (trx) => given.verifier.recheck(trx, principal, real),
  });
  const twoFactor = twoFactorOperations(deps, toSignedIn);
  return {
    loginAdmin: standingAside(knownLogins(deps), async (call) => {
      const { account, session } = await logIn(deps, call.body, call, async (trx, id) => {
        await noteLogin(trx, id, call.real);
        return getAdmin(trx, id);
      });
      return {
        status: 200,
        body: { admin: presentOwnAdmin(account), ...presentLogin(given.tokens, 'admin-api', account.id, session) },
      };
    }),
    refreshAdminSession: standingAside(knownRefreshes(deps, 'admin'), async (call) => {
      const { accountId, ...session } = await refreshSession(deps, call.body.refreshToken, call);
      return { status: 200, body: presentTokens(given.tokens, 'admin-api', accountId, session) };
    }),
    logoutAdmin: async ({ principal, real, trx, audit }) => {
      await endSession(trx, { type: 'admin', id: principal.adminId }, principal.sessionId, 'logout', real);
      audit.note({ resourceId: principal.sessionId });
      return { status: 200, body: { message: 'Logged out.' } };
    },
    getOwnAdmin: async ({ principal }) => ({
      status: 200,
      body: presentOwnAdmin(await getAdmin(given.db, principal.adminId)),
    }),
    changeAdminPassword: async (call) => {
      await changePassword(deps, toSignedIn(call.principal, call.real), call.body, call);
      return { status: 200, body: { message: 'Password changed. All other sessions have ended.' } };
    },
    setupAdminTwoFactor: twoFactor.setUp,
    enableAdminTwoFactor: twoFactor.enable,
    disableAdminTwoFactor: twoFactor.disable,
  };
}
