import type { components } from '../../generated/api.ts';
import { checksummed } from '../chains/evm/wallet-address.ts';
import { formatUnits, MICRO_DECIMALS, presentFiat } from '../lib/money.ts';
import type { ChargeAttempt } from './attempt-queries.ts';
import type { Charge, Subscription } from './records.ts';
import { deferredTo, outlookOf, shownStatus } from './schedule/outlook.ts';

type Schemas = components['schemas'];

export type SubscriptionPresentDeps = { readonly checkoutUrl: string };

/** A subscription with what its detail view shows of others. */
export type SubscriptionView = {
  readonly subscription: Subscription;
  readonly planName: string;
  /** The newest charge; null before the first. */
  readonly latestCharge: Charge | null;
};

/** The detail view of its merchant; also the `data` of its events. */
export function presentSubscription(view: SubscriptionView, deps: SubscriptionPresentDeps): Schemas['Subscription'] {
  const { subscription, latestCharge } = view;
  const { nextChargeAt, nextRetryAt, earliestChargeAt } = outlookOf(subscription, latestCharge);
  return {
    ...presentSummary(view),
    amount: presentFiat(subscription.amountMinor),
    currency: subscription.currency,
    interval: subscription.interval,
    walletAddress: checksummed(subscription.wallet),
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
  createdAt: subscription.createdAt.toISOString(),
});

/** Why the last try failed: by a fault of the customer's, or else of the network. */
export const failureOf = ({
  subscription,
  latestCharge,
}: Pick<SubscriptionView, 'subscription' | 'latestCharge'>): Schemas['ChargeFailureCode'] =>
  subscription.lastFailure ?? (latestCharge && deferredTo(latestCharge) ? latestCharge.failureCode : null);

/** What cancelling came to. */
export function presentCancellation(subscription: Subscription): Schemas['SubscriptionCancellation'] {
  const { id, cancelledAt, cancelRequestedAt, currentPeriodEnd } = subscription;
  const at = cancelledAt ?? cancelRequestedAt;
  if (!at) throw new Error(`subscription ${id} is not cancelled`);
  const until = currentPeriodEnd.toISOString();
  const message = cancelRequestedAt
    ? `The subscription is cancelled. A charge that was sent before still counts, and access then stays for its period.`
    : `The subscription is cancelled. Access stays until ${until}, and nothing more is charged.`;
  return { id, status: 'cancelled', cancelledAt: at.toISOString(), currentPeriodEnd: until, message };
}

/** A charge with its newest tries. */
export function presentCharge(charge: Charge, attempts: readonly ChargeAttempt[]): Schemas['Charge'] {
  const isOurs = charge.failureCode === 'network_unavailable';
  return {
    id: charge.id,
    subscriptionId: charge.subscriptionId,
    number: charge.number,
    status: charge.status,
    amount: presentFiat(charge.amountMinor),
    currency: charge.currency,
    token: charge.token,
    network: charge.network,
    tokenAmount: charge.quote && formatUnits(charge.quote.amountMicro, MICRO_DECIMALS, true),
    periodStart: charge.periodStart.toISOString(),
    periodEnd: charge.periodEnd.toISOString(),
    dueAt: iso(charge.dueAt),
    earliestChargeAt: isOurs ? null : iso(deferredTo(charge)),
    failureCode: charge.failureCode,
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
