import { applyAdminGrant, applyRoleGrant } from './admins/grants.ts';
import { areLinked } from './admins/second-person.ts';
import { alertPost, incidentDeps, incidentMailDeps } from './alerting.ts';
import { adminAuditHandlers } from './audit/admin-handlers.ts';
import { CHECKPOINT_PURPOSE } from './audit/chain.ts';
import { auditHandlers } from './audit/handlers.ts';
import { auditJobs } from './audit/jobs.ts';
import { recordAudit } from './audit/record.ts';
import { buildCallers, type Callers } from './callers.ts';
import { operatorJobs } from './chains/operator/jobs.ts';
import { createPayoutCheck, followPayoutOpinions } from './chains/payout.ts';
import { sessionHandlers } from './checkout/handlers.ts';
import { sessionJobs } from './checkout/jobs.ts';
import { announceSession } from './checkout/listener.ts';
import { writeMails } from './checkout/mails.ts';
import { customerHandlers } from './customers/handlers.ts';
import { customerJobs } from './customers/jobs.ts';
import { type Dependent, deploymentJobs } from './deployment/jobs.ts';
import { eventHandlers } from './events/handlers.ts';
import { eventJobs } from './events/jobs.ts';
import { idempotencyJobs } from './idempotency/jobs.ts';
import { identityJobs } from './identity/jobs.ts';
import { incidentHandlers } from './incidents/admin-handlers.ts';
import { incidentJobs } from './incidents/jobs.ts';
import { incidentMailJobs } from './incidents/mails.ts';
import { ledgerJobs } from './ledger/jobs.ts';
import { signingKey } from './lib/standard-webhooks.ts';
import { limitJobs } from './limits/limits.ts';
import { mailJobs } from './mail/jobs.ts';
import { paymentLinkHandlers } from './payment-links/handlers.ts';
import { countPaidLinks, paymentLinkJobs } from './payment-links/jobs.ts';
import { paymentHandlers } from './payments/handlers.ts';
import { paymentJobs } from './payments/jobs.ts';
import { opinionJobs } from './payments/opinions.ts';
import { timePaid } from './payments/paid-time.ts';
import { countNotFinal, countOffering } from './payments/queries.ts';
import type { PaymentDeps } from './payments/service.ts';
import type { PaymentStream } from './payments/stream.ts';
import { adminPayoutHandlers } from './payouts/admin-handlers.ts';
import { mayReceive } from './payouts/destination.ts';
import type { PayoutOwners } from './payouts/payout.ts';
import { payoutJobs } from './payouts/review.ts';
import { countPayoutsNotFinal } from './payouts/review-queries.ts';
import { limitsOf, type Platform } from './platform.ts';
import type { Job } from './ports/job.ts';
import type { Handlers } from './ports/operation.ts';
import type { Tokens, Verifier } from './ports/security.ts';
import { rateJobs } from './rates/jobs.ts';
import type { CoinPrice } from './rates/quote.ts';
import { createCoinWorth, createRates, originOf } from './rates/reader.ts';
import { reconcileJobs } from './reconcile/jobs.ts';
import { adminRefundHandlers } from './refunds/admin-handlers.ts';
import { beginRefund } from './refunds/begin.ts';
import { completeRefund } from './refunds/complete.ts';
import { doubtRefunds } from './refunds/covered.ts';
import { refundHandlers } from './refunds/handlers.ts';
import { refundJobs } from './refunds/jobs.ts';
import { offerReader } from './refunds/offer.ts';
import { moveRefundPayout, narrowRefund, refundPayouts } from './refunds/paid.ts';
import { countWaitingRefunds, HAS_REFUNDS } from './refunds/queries.ts';
import { givingBack } from './refunds/resolve.ts';
import { moveRefund, type RefundDeps } from './refunds/service.ts';
import { listForPayment, readStory } from './refunds/story.ts';
import { relayHandlers } from './relays/handlers.ts';
import { relayJobs } from './relays/jobs.ts';
import { followRelays } from './relays/send.ts';
import type { SandboxOperation } from './sandbox/handlers.ts';
import { sealedJobs } from './sealed.ts';
import { settingsHandlers } from './settings/admin-handlers.ts';
import { changeJobs } from './settings/changes.ts';
import { type ApplySettingsDeps, applySettings } from './settings/update.ts';
import { settlementHandlers } from './settlements/handlers.ts';
import { subscriptionHandlers } from './subscriptions/handlers.ts';
import { subscriptionJobs } from './subscriptions/jobs.ts';
import { wakePaused } from './subscriptions/merchants.ts';
import { countCharged, countUndecided } from './subscriptions/queries.ts';
import type { SubscribeDeps } from './subscriptions/service.ts';
import { signalOperatorOutcomes, signalPaidCharges } from './subscriptions/settling/signals.ts';
import { tallyJobs } from './tallies/jobs.ts';
import { treasuryJobs } from './treasury/jobs.ts';
import { webhookHandlers } from './webhooks/handlers.ts';
import { webhookJobs } from './webhooks/jobs.ts';
import { createSigningKeys, type SigningKeys } from './webhooks/keys.ts';
import { createStatementSigner } from './webhooks/statements.ts';
import { adminWithdrawalHandlers } from './withdrawals/admin-handlers.ts';
import { beginWithdrawal } from './withdrawals/begin.ts';
import { completeWithdrawal } from './withdrawals/complete.ts';
import { isPayable } from './withdrawals/destination.ts';
import { withdrawalHandlers } from './withdrawals/handlers.ts';
import { moveWithdrawalPayout, narrowWithdrawal, withdrawalPayouts } from './withdrawals/paid.ts';
import { countWaitingWithdrawals } from './withdrawals/queries.ts';
import { moveWithdrawal } from './withdrawals/service.ts';

export type Features = {
  readonly handlers: Omit<Handlers, SandboxOperation>;
  readonly jobs: readonly Job[];
  readonly verifiers: readonly Verifier[];
  readonly subscribing: SubscribeDeps;
  readonly refunding: RefundDeps;
};

/** What several features need beside the platform; built once. */
type Shared = {
  readonly callers: Callers;
  readonly payments: PaymentDeps;
  readonly coinPrice: CoinPrice;
  readonly subscribing: SubscribeDeps;
  /** The keys that sign webhooks. */
  readonly keys: SigningKeys;
};

/**
 * Builds every feature. The lists of handlers and jobs below name what each feature needs: no feature gets the
 * platform.
 */
export function buildFeatures(platform: Platform, tokens: Tokens, stream: PaymentStream): Features {
  const { chains, clock, db, events, keyRing, log, networks, reach, settings, checkoutUrl, publicUrl } = platform;
  const rates = createRates({ clock, origin: originOf(platform.livemode, platform.sideDb) });
  const shared: Shared = {
    callers: buildCallers(platform, tokens),
    coinPrice: rates.coinPrice,
    keys: createSigningKeys(db, keyRing, log),
    payments: {
      clock,
      events,
      settings,
      rates,
      networks,
      chains,
      reach,
      listeners: [countPaidLinks, announceSession, signalPaidCharges, doubtRefunds, timePaid(platform.meters.paid)],
      checkoutUrl,
      publicUrl,
    },
    subscribing: {
      events,
      settings,
      rates,
      networks,
      chains,
      reach,
      checkoutUrl,
      isForeign: (trx, address) => mayReceive(trx, chains, address),
    },
  };
  return {
    subscribing: shared.subscribing,
    refunding: { ...shared.payments, chains },
    verifiers: shared.callers.verifiers,
    handlers: buildHandlers(platform, stream, shared),
    jobs: buildJobs(platform, shared),
  };
}

/** Payments, and what goes back of them. */
function buildPaymentHandlers(
  { db, livemode, chains }: Platform,
  stream: PaymentStream,
  { callers, coinPrice, payments, keys }: Shared,
) {
  const refunding = { ...payments, chains, requireSecondFactor: callers.merchants.secondFactors.require };
  const giveBack = givingBack(refunding);
  const refundsOf = {
    any: HAS_REFUNDS,
    list: listForPayment,
    story: readStory,
    offer: offerReader(refunding),
    giveBack,
  };
  return {
    ...paymentHandlers({
      ...{ ...payments, chains, db, livemode, stream, refundsOf },
      signStatement: createStatementSigner({ db, keys }),
    }),
    ...refundHandlers({ ...refunding, db, livemode }),
    ...relayHandlers({ ...payments, chains, coinPrice, db, livemode, refundsOf }),
  };
}

/** What administrators pay, one by one and together. */
function buildPayoutHandlers(platform: Platform, { callers, payments }: Shared) {
  const { chains, clock, db, events, keyRing, networks, settings } = platform;
  const completing = {
    checkPayout: createPayoutCheck({
      ...{ networks, chains, confirmationsOn: platform.confirmationsOn },
      onOpinions: (network, disagreement) => followPayoutOpinions(db, network, disagreement, clock.now()),
    }),
    asAdmin: callers.asAdmin,
    areLinked,
    narrow: { withdrawal: narrowWithdrawal, refund: narrowRefund },
    move: { withdrawal: moveWithdrawalPayout, refund: moveRefundPayout },
  };
  const withdrawing = { ...{ db, clock, events, keyRing, settings, networks, chains }, ...completing };
  const refunding = { ...payments, db, clock, chains, ...completing };
  return {
    ...adminWithdrawalHandlers(withdrawing),
    ...adminRefundHandlers(refunding),
    ...adminPayoutHandlers({
      ...{ db, clock, networks, chains, asAdmin: callers.asAdmin },
      beginWithdrawal: (trx, begin, now) => beginWithdrawal(trx, withdrawing, begin, now),
      beginRefund: (trx, begin, now) => beginRefund(trx, refunding, begin, now),
      exportWithdrawalAgain: (trx, { id, ...again }, now) => moveWithdrawal(trx, withdrawing, { id }, again, now),
      exportRefundAgain: (trx, { id, ...again }, now) => moveRefund(trx, refunding, { id }, again, now),
      completeWithdrawal: (completion) => completeWithdrawal(withdrawing, completion),
      completeRefund: (completion) => completeRefund(refunding, completion),
    }),
  };
}

function buildHandlers(platform: Platform, stream: PaymentStream, shared: Shared): Features['handlers'] {
  const { chains, clock, db, events, keyRing, livemode, networks, outbound, settings } = platform;
  const { checkoutUrl, publicUrl } = platform;
  const { callers, payments, subscribing, keys } = shared;
  const { secondFactors, forgetSessions, checkUrl } = callers.merchants;
  return {
    ...callers.handlers,
    ...buildPaymentHandlers(platform, stream, shared),
    ...paymentLinkHandlers({ ...payments, db, livemode, limits: limitsOf(platform) }),
    ...sessionHandlers({ ...payments, db, livemode }),
    ...settlementHandlers({ db }),
    ...settingsHandlers({ db, ...callers.changes, ...applyingSettings(platform) }),
    ...withdrawalHandlers({
      db,
      events,
      keyRing,
      networks,
      chains,
      settings,
      requireSecondFactor: secondFactors.require,
    }),
    ...subscriptionHandlers({ ...subscribing, db, livemode }),
    ...customerHandlers({ ...subscribing, chains, db }),
    ...buildPayoutHandlers(platform, shared),
    ...eventHandlers({ db }),
    ...incidentHandlers(incidentDeps(platform)),
    ...auditHandlers({ db }),
    ...adminAuditHandlers({ db }),
    ...webhookHandlers({
      db,
      clock,
      events,
      keyRing,
      keys,
      outbound,
      settings,
      checkoutUrl,
      publicUrl,
      // For the webhook URL, which is a part of the merchant's profile.
      secondFactors,
      forgetSessions,
      checkUrl,
      livemode,
      validateAddress: chains.isAddress,
    }),
  };
}

/** Jobs that need nothing else. */
const OF_THE_DATABASE = [identityJobs, idempotencyJobs, limitJobs, eventJobs, customerJobs, ledgerJobs, tallyJobs];

function buildJobs(platform: Platform, { callers, coinPrice, payments, keys }: Shared): readonly Job[] {
  const { chains, clock, db, events, livemode, log, networks, operator, outbound, sweeper, worker } = platform;
  const accounts = [operator, sweeper].filter((account) => account !== null);
  const { settings, checkoutUrl, publicUrl } = platform;
  const coinWorth = createCoinWorth(payments.rates, async () => (await settings.current()).manualRates);
  return [
    ...OF_THE_DATABASE.flatMap((jobs) => jobs({ db })),
    ...incidentJobs({ db, worker, note: platform.note, post: alertPost(platform), log }),
    ...auditJobs({ db, key: signingKey(platform.secretFor(CHECKPOINT_PURPOSE)) }),
    ...deploymentJobs({ db, dependents: DEPENDENTS, resume: wakingPaused(platform) }),
    ...[...callers.jobs, ...sealedJobs({ db, ring: platform.keyRing, note: platform.note })],
    ...changeJobs({
      db,
      approvers: callers.changes.approvers,
      appliers: {
        settings: (trx, change, now) => applySettings(trx, applyingSettings(platform), change, now),
        role: applyRoleGrant,
        admin: applyAdminGrant,
      },
      audit: (trx, entry, now) =>
        recordAudit(trx, { ...entry, actorType: 'system', actorId: '', merchantId: null, origin: null }, now),
      log,
    }),
    ...rateJobs({ db, sources: platform.config.rateSources, fetchJson: outbound.fetchJson }),
    ...operatorJobs({
      db,
      networks: networks.filter((each) => chains.kindOf(each).operator),
      chains,
      accounts,
      worker,
      log,
      listeners: [signalOperatorOutcomes, followRelays],
    }),
    ...treasuryJobs({ db, networks, chains, sweeper, coinWorth, log }),
    ...relayJobs({ ...payments, chains, coinPrice, db, livemode, sweeper, log }),
    ...paymentJobs({ ...payments, db, log }),
    ...refundJobs({ ...payments, chains, db, log }),
    ...opinionJobs({ db, networks, chains, log }),
    ...paymentLinkJobs({ db, events, checkoutUrl, log }),
    ...sessionJobs({ db, events, checkoutUrl, log }),
    ...buildMailJobs(platform, payments),
    ...subscriptionJobs({ ...payments, chains, coinPrice, db, operator, worker, log }),
    ...payoutJobs({ db, networks, chains, owners: payoutOwners(platform, payments), log }),
    ...reconcileJobs({ db, networks, chains, log }),
    ...webhookJobs({
      db,
      clock,
      events,
      keys,
      livemode,
      log,
      outbound,
      settings,
      checkoutUrl,
      publicUrl,
      subscribe: platform.listener.on,
      ...{ random: Math.random, attempted: platform.meters.delivery },
    }),
  ];
}

/** Mails to payers, and to administrators about incidents. */
function buildMailJobs(platform: Platform, payments: PaymentDeps): Job[] {
  const { db, worker, log, mailServer: server, chains, livemode } = platform;
  const write = writeMails({
    ...payments,
    chains,
    db,
    livemode,
    refundsOf: { offer: offerReader({ ...payments, chains }) },
  });
  return [
    ...mailJobs({ db, worker, log, server, write }),
    ...(server ? incidentMailJobs(incidentMailDeps(platform)) : []),
  ];
}

/** What becomes of withdrawals and refunds whose payouts are looked at again. */
export const payoutOwners = (
  { chains, events }: Pick<Platform, 'chains' | 'events'>,
  payments: PaymentDeps,
): PayoutOwners => ({
  withdrawal: withdrawalPayouts({ events }),
  refund: refundPayouts({ ...payments, chains }),
});

/** What may depend on a network or a token that is no longer listed. */
const DEPENDENTS: readonly Dependent[] = [
  { what: 'payments that are not over', count: countOffering },
  { what: 'transfers that are not final', count: countNotFinal },
  {
    what: 'withdrawals',
    count: async (db, { network, symbol, isReplaced }) =>
      isReplaced ? 0 : countWaitingWithdrawals(db, network, symbol),
  },
  {
    what: 'refunds',
    count: async (db, { network, symbol, isReplaced }) => (isReplaced ? 0 : countWaitingRefunds(db, network, symbol)),
  },
  {
    what: 'subscriptions',
    count: async (db, { network, symbol, isReplaced }) => (isReplaced ? 0 : countCharged(db, network, symbol)),
  },
  {
    what: 'payouts that are not final',
    count: async (db, { network, symbol, isReplaced }) => (isReplaced ? 0 : countPayoutsNotFinal(db, network, symbol)),
  },
  {
    what: 'charges whose outcome is open',
    count: async (db, { network, symbol, isReplaced }) => (isReplaced ? 0 : countUndecided(db, network, symbol)),
  },
];

const wakingPaused =
  (platform: Platform) =>
  async (now: Date): Promise<void> =>
    wakePaused(platform, await platform.settings.current(), now);

const applyingSettings = ({ networks, chains, settingsDefaults: defaults }: Platform): ApplySettingsDeps => ({
  defaults,
  rules: {
    networks,
    isAddress: (address) => isPayable({ networks, chains }, address),
    isNobody: chains.isOwnerless,
    mayReceive: (trx, address) => mayReceive(trx, chains, address),
  },
});
