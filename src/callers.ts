import { lockAdministration } from './admins/administration.ts';
import { adminHandlers } from './admins/handlers.ts';
import { lockAccount } from './admins/queries.ts';
import { hasOtherApprover, mayStill, requireTwoPeople } from './admins/second-person.ts';
import { adminVerifier } from './admins/verifier.ts';
import { apiKeyHandlers } from './api-keys/handlers.ts';
import { apiKeyJobs } from './api-keys/jobs.ts';
import { revokeKeysOf } from './api-keys/service.ts';
import { createKeyUsage } from './api-keys/usage.ts';
import { createApiKeys, keyVerifier } from './api-keys/verifier.ts';
import { asCaller } from './identity/assumed.ts';
import { createSecondFactors } from './identity/second-factor.ts';
import { createThrottle } from './identity/throttle.ts';
import { openAccounts } from './ledger/accounts.ts';
import { merchantAdminHandlers } from './merchants/admin-handlers.ts';
import { type MerchantDeps, merchantHandlers } from './merchants/handlers.ts';
import { createMerchantSessions, merchantVerifier } from './merchants/verifier.ts';
import { limitScale, type Platform } from './platform.ts';
import type { AsAdmin, Tokens } from './ports/security.ts';
import type { ChangeDeps } from './settings/changes.ts';
import { readMerchantFigures } from './settlements/merchant-figures.ts';
import { wakeSubscriptions } from './subscriptions/merchants.ts';
import { createWebhookKeys } from './webhooks/keys.ts';

export type Callers = ReturnType<typeof buildCallers>;

/** Builds what authenticates callers, and their accounts: merchants, their API keys, administrators. */
export function buildCallers(platform: Platform, tokens: Tokens) {
  const { db, sideDb, events, outbound, keyRing, livemode, log } = platform;
  const sessions = createMerchantSessions(db, platform.listener);
  const byMerchant = merchantVerifier({ tokens, sessions });
  const byAdmin = adminVerifier({ db, tokens, livemode });
  const apiKeys = createApiKeys({ db, keyRing }, platform.listener);
  const byKey = keyVerifier({
    keys: apiKeys,
    noteUse: createKeyUsage(db, log),
    alwaysTimestamp: platform.config.hmacGetRequireTimestamp,
  });
  const merchants = {
    db,
    events,
    tokens,
    verifier: byMerchant,
    passwords: platform.passwords,
    throttle: createThrottle(db, { secret: platform.secretFor('login throttle'), scale: limitScale(platform) }),
    secondFactors: createSecondFactors({ sideDb, keyRing, livemode }),
    forgetSessions: sessions.forget,
    createKeys: (trx, merchantId, real) => createWebhookKeys(trx, keyRing, merchantId, real),
    openAccounts,
    validateAddress: platform.chains.isAddress,
    checkUrl: outbound.checkUrl,
    livemode,
    checkoutUrl: platform.checkoutUrl,
  } satisfies MerchantDeps;
  const { secondFactors } = merchants;
  const changes: ChangeDeps = {
    livemode,
    approvers: approversOf(livemode),
    confirm: async (trx, principal, otp, real) => {
      const { adminId } = principal;
      await lockAccount(trx, adminId);
      // The holder of the lock may have taken the account back: see decision admins/taken-back-with-what-it-proposed.
      await byAdmin.recheck(trx, principal, real);
      return secondFactors.require(trx, { type: 'admin', id: adminId }, otp, real);
    },
  };
  const apiKeyDeps = { db, events, keyRing, livemode, forgetKey: apiKeys.forget };
  return {
    merchants,
    verifiers: [byMerchant, byKey, byAdmin],
    asAdmin: asAdminBy(byAdmin, platform),
    changes,
    handlers: {
      ...merchantHandlers(merchants),
      ...apiKeyHandlers({ ...apiKeyDeps, requireSecondFactor: secondFactors.require }),
      ...adminHandlers({ ...merchants, verifier: byAdmin, grants: { ...changes, settings: platform.settings } }),
      ...merchantAdminHandlers({
        ...merchants,
        revokeKeys: (trx, merchantId, at) => revokeKeysOf(trx, apiKeyDeps, merchantId, at),
        ...{ followStatus: wakeSubscriptions, confirm: changes.confirm },
        readFigures: (merchantId, real) => readMerchantFigures(db, merchantId, real),
      }),
    },
    jobs: apiKeyJobs({ ...apiKeyDeps, log }),
  };
}

const asAdminBy =
  (verifier: ReturnType<typeof adminVerifier>, { db, clock }: Pick<Platform, 'db' | 'clock'>): AsAdmin =>
  (principal, work) =>
    asCaller(db, { verifier, principal }, clock.real(), work);

const approversOf = (livemode: boolean): ChangeDeps['approvers'] => ({
  hasOther: (trx, adminId, now) => hasOtherApprover(trx, { livemode }, adminId, now),
  requireTwoPeople,
  hold: lockAdministration,
  mayStill,
});
