import type { components } from '../../generated/api.ts';
import { formatMicro, presentFiat } from '../lib/money.ts';
import type { MerchantFace } from '../merchants/queries.ts';
import { failureOf, outlookOf, type SubscriptionPresentDeps } from '../subscriptions/present.ts';
import type { Charge } from '../subscriptions/schedule/charge.ts';
import { shownStatus } from '../subscriptions/schedule/subscription-state.ts';
import type { SubscriptionView } from '../subscriptions/views.ts';
import type { Challenge } from './challenge.ts';

type Schemas = components['schemas'];

export type CustomerPresentDeps = SubscriptionPresentDeps;

type CustomerView = SubscriptionView & { readonly face: MerchantFace; readonly charges: readonly Charge[] };

/** What a wallet gets to sign. */
export const presentChallenge = ({ id, message, expiresAt }: Challenge): Schemas['WalletChallenge'] => ({
  id,
  message,
  expiresAt: expiresAt.toISOString(),
});

/** A subscription in its customer's list. */
export function presentCustomerSubscription(
  view: CustomerView,
  deps: CustomerPresentDeps,
): Schemas['CustomerSubscription'] {
  const { subscription, latestCharge } = view;
  return {
    id: subscription.id,
    url: `${deps.checkoutUrl}/subscription/${subscription.id}`,
    ...view.face,
    planName: view.planName,
    amount: presentFiat(subscription.amountMinor),
    currency: subscription.currency,
    interval: subscription.interval,
    status: shownStatus(subscription),
    mandateStatus: subscription.mandateStatus,
    cancelReason: subscription.cancelReason,
    trialEnd: subscription.trialEnd?.toISOString() ?? null,
    currentPeriodEnd: subscription.currentPeriodEnd.toISOString(),
    nextChargeAt: outlookOf(subscription, latestCharge).nextChargeAt?.toISOString() ?? null,
    failureCode: failureOf(view),
    isRetryable: isRetryable(view),
    walletAddress: deps.chains.presentAddress(subscription.wallet),
    network: subscription.network,
    token: subscription.token,
    charges: view.charges.flatMap((charge) => presentPaid(charge, deps)),
  };
}

/** Whether a try would go: a charge failed for something in the wallet, none is on its way, and the mandate stands. */
const isRetryable = ({ subscription }: SubscriptionView): boolean =>
  shownStatus(subscription) === 'past_due' &&
  subscription.charge === 'none' &&
  subscription.mandateStatus === 'active' &&
  subscription.pausedSince === null;

function presentPaid(charge: Charge, { checkoutUrl }: CustomerPresentDeps): Schemas['CustomerCharge'][] {
  if (charge.paymentId === null) return [];
  return [
    {
      number: charge.number,
      periodStart: charge.periodStart.toISOString(),
      periodEnd: charge.periodEnd.toISOString(),
      amount: presentFiat(charge.amountMinor),
      currency: charge.currency,
      tokenAmount: charge.quote && formatMicro(charge.quote.amountMicro),
      token: charge.token,
      status: charge.status,
      receiptUrl: `${checkoutUrl}/receipt/${charge.paymentId}`,
    },
  ];
}
