import type { components } from '../../generated/api.ts';
import { formatMicro, presentFiat } from '../lib/money.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { ChargeAttempt } from './attempts.ts';
import type { Paid } from './charge-queries.ts';
import type { Subscription } from './queries.ts';
import { type Charge, deferredUntil, isOurTurn } from './schedule/charge.ts';
import { openNumber, orderOf, shownStatus } from './schedule/subscription-state.ts';
import type { SubscriptionView } from './views.ts';

type Schemas = components['schemas'];

export type SubscriptionPresentDeps = {
  readonly checkoutUrl: string;
  readonly chains: Pick<Chains, 'presentAddress'>;
};

/** When a subscription is charged next, as far as that is known. */
type Outlook = {
  readonly nextChargeAt: Date | null;
  /** When a failed charge is retried. */
  readonly nextRetryAt: Date | null;
  /** Until when a due charge waits for the windows of its mandate. */
  readonly earliestChargeAt: Date | null;
};

/** The outlook of a subscription whose newest charge is `latest`. */
export function outlookOf(subscription: Subscription, latest: Charge | null): Outlook {
  const status = shownStatus(subscription);
  const none: Outlook = { nextChargeAt: null, nextRetryAt: null, earliestChargeAt: null };
  if (status === 'cancelled' || status === 'expired' || subscription.pausedSince) return none;
  const deferred = latest && deferredUntil(latest);
  if (deferred) {
    const isOurs = isOurTurn(latest?.failureCode ?? null);
    return {
      nextChargeAt: deferred,
      nextRetryAt: isOurs ? deferred : null,
      earliestChargeAt: isOurs ? null : deferred,
    };
  }
  if (status === 'past_due' && subscription.charge === 'none') {
    return { ...none, nextChargeAt: subscription.nextActionAt, nextRetryAt: subscription.nextActionAt };
  }
  if (status === 'active' && !subscription.everCharged && subscription.mandateStatus !== 'active') return none;
  return { ...none, nextChargeAt: orderOf(subscription, openNumber(subscription)).periodStart };
}

/** The merchant's detail view; also the `data` of its events. */
export function presentSubscription(view: SubscriptionView, deps: SubscriptionPresentDeps): Schemas['Subscription'] {
  const { subscription, latestCharge } = view;
  const { nextChargeAt, nextRetryAt, earliestChargeAt } = outlookOf(subscription, latestCharge);
  return {
    ...presentSummary(view),
    amount: presentFiat(subscription.amountMinor),
    currency: subscription.currency,
    interval: subscription.interval,
    walletAddress: deps.chains.presentAddress(subscription.wallet),
    trialEnd: iso(subscription.trialEnd),
    cancelledAt: iso(subscription.cancelledAt ?? subscription.cancelRequestedAt),
    cancelReason: subscription.cancelReason,
    token: subscription.token,
    network: subscription.network,
    authorizeUrl: `${deps.checkoutUrl}/subscription/${subscription.id}`,
    nextChargeAt: iso(nextChargeAt),
    failureCode: failureOf(view),
    nextRetryAt: iso(nextRetryAt),
    earliestChargeAt: iso(earliestChargeAt),
    latestChargeId: latestCharge?.id ?? null,
  };
}

/** One line of a list. */
export const presentSummary = ({
  subscription,
  planName,
}: Pick<SubscriptionView, 'subscription' | 'planName'>): Schemas['SubscriptionSummary'] => ({
  id: subscription.id,
  planId: subscription.planId,
  planName,
  customerEmail: subscription.customerEmail,
  customerName: subscription.customerName,
  status: shownStatus(subscription),
  currentPeriodStart: subscription.currentPeriodStart.toISOString(),
  currentPeriodEnd: subscription.currentPeriodEnd.toISOString(),
  mandateStatus: subscription.mandateStatus,
  subscribedBy: subscription.subscribedBy,
  createdAt: subscription.createdAt.toISOString(),
});

/** Why the last attempt failed: the customer's fault if there is one, else the network's. */
export const failureOf = ({
  subscription,
  latestCharge,
}: Pick<SubscriptionView, 'subscription' | 'latestCharge'>): Schemas['ChargeFailureCode'] =>
  subscription.lastFailure ?? (latestCharge && deferredUntil(latestCharge) ? latestCharge.failureCode : null);

/** The answer to a cancellation. */
export function presentCancellation(subscription: Subscription, paid: Paid): Schemas['SubscriptionCancellation'] {
  const { id, cancelledAt, cancelRequestedAt, currentPeriodEnd } = subscription;
  const at = cancelledAt ?? cancelRequestedAt;
  if (!at) throw new Error(`subscription ${id} is not cancelled`);
  const until = currentPeriodEnd.toISOString();
  const message =
    cancelRequestedAt || paid.isOnItsWay
      ? 'The subscription is cancelled. A charge that was sent before still counts, and access then stays for its period.'
      : `The subscription is cancelled. ${accessAfter(subscription, paid.until, at)}`;
  return { id, status: 'cancelled', cancelledAt: at.toISOString(), currentPeriodEnd: until, message };
}

/** What the customer keeps of what was cancelled at `at`: a period that is paid, or free days. */
function accessAfter(
  { everCharged, periodNumber, currentPeriodEnd, trialEnd }: Subscription,
  paidUntil: Date | null,
  at: Date,
): string {
  if (!everCharged && periodNumber > 0) return 'Nothing was paid for its first period, and nothing more is charged.';
  const until = everCharged ? paidUntil : currentPeriodEnd;
  if (until === null) return 'A reorg of the chain took back what was paid, and nothing more is charged.';
  if (!everCharged && trialEnd !== null && until < trialEnd) {
    return 'Its free days are for customers who agree, so they end now, and nothing is charged.';
  }
  if (until <= at) return `What was paid or free ended at ${until.toISOString()}, and nothing more is charged.`;
  return `Access stays until ${until.toISOString()}, and nothing more is charged.`;
}

/** A charge with its newest attempts. */
export function presentCharge(charge: Charge, attempts: readonly ChargeAttempt[]): Schemas['Charge'] {
  const isOurs = isOurTurn(charge.failureCode);
  return {
    id: charge.id,
    subscriptionId: charge.subscriptionId,
    number: charge.number,
    status: charge.status,
    amount: presentFiat(charge.amountMinor),
    currency: charge.currency,
    token: charge.token,
    network: charge.network,
    tokenAmount: charge.quote && formatMicro(charge.quote.amountMicro),
    periodStart: charge.periodStart.toISOString(),
    periodEnd: charge.periodEnd.toISOString(),
    dueAt: iso(charge.dueAt),
    earliestChargeAt: isOurs ? null : iso(deferredUntil(charge)),
    failureCode: charge.failureCode,
    reversedAt: iso(charge.reversedAt),
    paymentId: charge.paymentId,
    txHash: charge.txHash,
    attempts: attempts.map(({ startedAt, outcome, failureCode, txHash }) => ({
      at: startedAt.toISOString(),
      outcome: outcome ?? 'sent',
      failureCode,
      txHash,
    })),
    createdAt: charge.createdAt.toISOString(),
  };
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
