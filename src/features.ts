import { adminAuditHandlers } from './audit/admin-handlers.ts';
import { CHECKPOINT_PURPOSE } from './audit/chain.ts';
import { auditHandlers } from './audit/handlers.ts';
import { auditJobs } from './audit/jobs.ts';
import { buildCallers } from './callers.ts';
import { depositAddress } from './chains/evm/deposit-address.ts';
import { isNobody, isWalletAddress } from './chains/evm/wallet-address.ts';
import { operatorJobs } from './chains/operator/jobs.ts';
import { createPayoutCheck } from './chains/payout.ts';
import { sessionHandlers } from './checkout/handlers.ts';
import { sessionJobs } from './checkout/jobs.ts';
import { announceSession } from './checkout/listener.ts';
import { eventHandlers } from './events/handlers.ts';
import { eventJobs } from './events/jobs.ts';
import { idempotencyJobs } from './idempotency/jobs.ts';
import { identityJobs } from './identity/jobs.ts';
import { signingKey } from './lib/standard-webhooks.ts';
import { limitJobs } from './limits/limits.ts';
import { paymentLinkHandlers } from './payment-links/handlers.ts';
import { countPaidLinks, paymentLinkJobs } from './payment-links/jobs.ts';
import { paymentHandlers } from './payments/handlers.ts';
import { paymentJobs } from './payments/jobs.ts';
import type { PaymentDeps } from './payments/service.ts';
import type { PaymentStream } from './payments/stream.ts';
import type { Platform } from './platform.ts';
import type { Job } from './ports/job.ts';
import type { Handlers } from './ports/operation.ts';
import type { Tokens, Verifier } from './ports/security.ts';
import { rateJobs } from './rates/jobs.ts';
import { createRates, type RateOrigin, SANDBOX_RATES } from './rates/reader.ts';
import { reconcileJobs } from './reconcile/jobs.ts';
import { settingsHandlers } from './settings/admin-handlers.ts';
import type { SettingsRules } from './settings/rules.ts';
import { settlementHandlers } from './settlements/handlers.ts';
import { subscriptionHandlers } from './subscriptions/handlers.ts';
import { subscriptionJobs } from './subscriptions/jobs.ts';
import type { SubscribeDeps } from './subscriptions/service.ts';
import { noteChargeMoves, noteOperatorMoves } from './subscriptions/settling/signals.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { webhookJobs } from './webhooks/jobs.ts';
import { createSigningKeys } from './webhooks/keys.ts';
import { adminWithdrawalHandlers } from './withdrawals/admin-handlers.ts';
import { mayReceive } from './withdrawals/destination.ts';
import { withdrawalHandlers } from './withdrawals/handlers.ts';

export type Features = {
  readonly handlers: Omit<Handlers, SandboxOperation>;
  readonly jobs: readonly Job[];
  readonly verifiers: readonly Verifier[];
  readonly payments: PaymentDeps;
  readonly subscribing: SubscribeDeps;
};

type SandboxOperation =
  | 'getSandbox'
  | 'paySandboxPayment'
  | 'paySandboxWithdrawal'
  | 'createSandboxWallet'
  | 'updateSandboxWallet'
  | 'subscribeSandboxCustomer'
  | 'authorizeSandboxSubscription'
  | 'revokeSandboxMandate'
  | 'mineSandboxBlocks'
  | 'reorgSandboxChain'
  | 'getSandboxClock'
  | 'advanceSandboxClock';

/** Builds every feature by hand, top to bottom: who needs what of whom is what this function says. */
export function buildFeatures(platform: Platform, tokens: Tokens, stream: PaymentStream): Features {
  const { db, outbound, keyRing, log, clock } = platform;
  const payments: PaymentDeps = {
    ...platform,
    rates: createRates({ clock, origin: ratesOf(platform) }),
    depositAddress: addressesOf(platform),
    listeners: [countPaidLinks, announceSession, noteChargeMoves],
  };
  const callers = buildCallers(platform, tokens);
  const keys = createSigningKeys(db, keyRing, log);
  const paymentDeps = { ...payments, db, livemode: platform.livemode, stream, log };
  const subscribing: SubscribeDeps = {
    ...payments,
    isAddress: isWalletAddress,
    isForeign: (trx, address) => mayReceive(trx, platform.networks, address),
  };
  return {
    payments,
    subscribing,
    verifiers: callers.verifiers,
    handlers: {
      ...callers.handlers,
      ...paymentHandlers(paymentDeps),
      ...paymentLinkHandlers(paymentDeps),
      ...sessionHandlers(paymentDeps),
      ...settlementHandlers({ db }),
      ...settingsHandlers({ db, defaults: platform.settingsDefaults, rules: settingsRules(platform) }),
      ...withdrawalHandlers({
        ...platform,
        validateAddress: isWalletAddress,
        requireSecondFactor: callers.merchants.secondFactors.require,
      }),
      ...subscriptionHandlers({ ...paymentDeps, ...subscribing }),
      ...adminWithdrawalHandlers({
        ...platform,
        checkPayout: createPayoutCheck(platform),
        recheckAdmin: callers.recheckAdmin,
      }),
      ...eventHandlers({ db }),
      ...auditHandlers({ db }),
      ...adminAuditHandlers({ db }),
      ...webhookHandlers({ ...platform, ...callers.merchants, keys }),
    },
    jobs: [
      ...[identityJobs, idempotencyJobs, limitJobs, eventJobs].flatMap((jobs) => jobs({ db })),
      ...auditJobs({ db, key: signingKey(platform.secretFor(CHECKPOINT_PURPOSE)) }),
      ...callers.jobs,
      ...rateJobs({ db, sources: platform.config.rateSources, fetchJson: outbound.fetchJson }),
      ...operatorJobs({ ...platform, listeners: [noteOperatorMoves] }),
      ...paymentJobs(paymentDeps),
      ...paymentLinkJobs(paymentDeps),
      ...sessionJobs(paymentDeps),
      ...subscriptionJobs({ ...platform, ...payments }),
      ...reconcileJobs({ db, log }),
      ...webhookJobs({ ...platform, keys, subscribe: platform.listener.on, random: Math.random }),
    ],
  };
}

const ratesOf = ({ livemode, sideDb }: Platform): RateOrigin =>
  livemode ? { kind: 'table', db: sideDb } : { kind: 'fixed', rates: SANDBOX_RATES };

const settingsRules = ({ networks }: Platform): SettingsRules => ({
  networks,
  isAddress: isWalletAddress,
  isNobody,
  mayReceive: (trx, address) => mayReceive(trx, networks, address),
});

/** One factory serves every EVM network, at one address; the configuration was checked for that. */
function addressesOf(platform: Platform): PaymentDeps['depositAddress'] {
  const factory = platform.networks[0]?.factory;
  if (!factory) throw new Error('no network is configured');
  return (paymentId) => ({ address: depositAddress(factory as `0x${string}`, paymentId), factory });
}
