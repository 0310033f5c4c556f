import { knownLogins } from '../identity/known-login.ts';
import { knownRefreshes } from '../identity/known-refresh.ts';
import { endSession, listSessions, presentLogin, presentTokens } from '../identity/sessions.ts';
import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { type HandlersOf, standingAside } from '../ports/operation.ts';
import type { SessionPrincipal, Tokens } from '../ports/security.ts';
import { requireOwnProfile } from './guard.ts';
import { accounts, changePassword, type LoginDeps, logIn, refreshSession, twoFactorOf } from './login.ts';
import { presentMerchant, presentSession } from './present.ts';
import type { ProfileRules } from './profile.ts';
import { getMerchant } from './queries.ts';
import { type RegistrationDeps, registerMerchant, updateMerchant } from './service.ts';
import type { AnnounceDeps } from './status-changes.ts';

export type MerchantDeps = LoginDeps & RegistrationDeps & AnnounceDeps & ProfileRules & { readonly tokens: Tokens };

type MerchantOperation =
  | 'registerMerchant'
  | 'loginMerchant'
  | 'refreshMerchantSession'
  | 'logoutMerchant'
  | 'listMerchantSessions'
  | 'revokeMerchantSession'
  | 'changeMerchantPassword'
  | 'setupTwoFactor'
  | 'enableTwoFactor'
  | 'disableTwoFactor'
  | 'getMerchant'
  | 'updateMerchant';

/** The operations of the tag `merchants`. */
export function merchantHandlers(deps: MerchantDeps): HandlersOf<MerchantOperation> {
  const twoFactor = twoFactorOf(deps);
  return {
    registerMerchant: async (call) => {
      const { merchant, session } = await registerMerchant(deps, call.body, call);
      const tokens = presentLogin(deps.tokens, 'merchant-api', merchant.id, session);
      return { status: 201, body: { merchant: presentMerchant(merchant, deps), ...tokens } };
    },
    loginMerchant: standingAside(knownLogins({ ...deps, accounts }), async (call) => {
      const { merchant, session } = await logIn(deps, call.body, call);
      const tokens = presentLogin(deps.tokens, 'merchant-api', merchant.id, session);
      return { status: 200, body: { merchant: presentMerchant(merchant, deps), ...tokens } };
    }),
    refreshMerchantSession: standingAside(knownRefreshes(deps, 'merchant'), async (call) => {
      const { merchantId, ...session } = await refreshSession(deps, call.body.refreshToken, call);
      return { status: 200, body: presentTokens(deps.tokens, 'merchant-api', merchantId, session) };
    }),
    logoutMerchant: async ({ principal, real, trx, audit }) => {
      await endSession(trx, accountHolderOf(principal), principal.sessionId, 'logout', real);
      deps.forgetSessions(principal.sessionId);
      audit.note({ resourceId: principal.sessionId });
      return { status: 200, body: { message: 'Logged out.' } };
    },
    listMerchantSessions: async ({ principal, query, real }) => {
      const { found, total } = await listSessions(deps.db, accountHolderOf(principal), windowOf(query), real);
      const data = found.rows.map((session) => presentSession(session, principal.sessionId));
      return { status: 200, body: { data, pagination: presentPagination(query, total, found) } };
    },
    revokeMerchantSession: async ({ principal, params, real, trx, audit }) => {
      if (!(await endSession(trx, accountHolderOf(principal), params.id, 'revoked', real))) throw notFound('session');
      deps.forgetSessions(params.id);
      audit.note({ resourceId: params.id });
      return { status: 200, body: { message: 'Session ended.' } };
    },
    changeMerchantPassword: async (call) => {
      await changePassword(deps, call.principal, call.body, call);
      return { status: 200, body: { message: 'Password changed. All other sessions have ended.' } };
    },
    setupTwoFactor: twoFactor.setUp,
    enableTwoFactor: twoFactor.enable,
    disableTwoFactor: twoFactor.disable,
    getMerchant: async ({ principal, params }) => {
      requireOwnProfile(principal, params.id);
      return { status: 200, body: presentMerchant(await getMerchant(deps.db, params.id), deps) };
    },
    updateMerchant: async ({ principal, params, body, now, real, trx, audit }) => {
      requireOwnProfile(principal, params.id);
      const { merchant, change } = await updateMerchant(trx, deps, params.id, body, { now, real });
      audit.note({ resourceId: merchant.id, metadata: change });
      return { status: 200, body: presentMerchant(merchant, deps) };
    },
  };
}

const accountHolderOf = (principal: SessionPrincipal) => ({ type: 'merchant', id: principal.merchantId }) as const;
