import type { components } from '../../../generated/api.ts';
import { mandateTypedData, toSign } from '../../chains/evm/collector.ts';
import { checksummed } from '../../chains/evm/wallet-address.ts';
import { chainIdOf } from '../../chains/operator/operator.ts';
import { formatUnits, MICRO_DECIMALS, presentFiat } from '../../lib/money.ts';
import type { CollectingToken } from '../plans/plan-network.ts';
import { failureOf, type SubscriptionView } from '../present.ts';
import type { StoredMandate, Subscription } from '../records.ts';
import { type MostAllowed, mostAllowed } from '../schedule/mandate-window.ts';
import { outlookOf, shownStatus } from '../schedule/outlook.ts';
import { isOpen, isReverted, onChain } from './mandate.ts';

type Schemas = components['schemas'];

/** Everything that the customer's page shows. */
export type PublicView = SubscriptionView & {
  readonly merchantName: string;
  readonly description: string | null;
  readonly mandate: StoredMandate;
  readonly collecting: CollectingToken;
};

/** How many charges come in a year, one to spare. */
const CHARGES_A_YEAR: Readonly<Record<Subscription['interval'], bigint>> = {
  daily: 366n,
  weekly: 53n,
  monthly: 13n,
  yearly: 2n,
};

/** What the customer may know, and has to know to agree. */
export function presentPublicSubscription(view: PublicView, livemode: boolean): Schemas['PublicSubscription'] {
  const { subscription, mandate, collecting, latestCharge } = view;
  const { network, token } = collecting;
  const status = shownStatus(subscription);
  return {
    id: subscription.id,
    merchantName: view.merchantName,
    planName: view.planName,
    description: view.description,
    amount: presentFiat(subscription.amountMinor),
    currency: subscription.currency,
    interval: subscription.interval,
    status,
    cancelReason: subscription.cancelReason,
    trialEnd: subscription.trialEnd?.toISOString() ?? null,
    firstChargeAt: subscription.anchorAt.toISOString(),
    nextChargeAt: outlookOf(subscription, latestCharge).nextChargeAt?.toISOString() ?? null,
    currentPeriodEnd: subscription.currentPeriodEnd.toISOString(),
    walletAddress: checksummed(subscription.wallet),
    network: network.name,
    chainId: chainIdOf(network),
    token: subscription.token,
    tokenContract: checksummed(mandate.tokenContract),
    tokenDecimals: token.decimals,
    collector: checksummed(mandate.collector),
    mandateStatus: subscription.mandateStatus,
    agreeBy: isReverted(mandate) ? 'transaction' : 'signature',
    submittedAt: mandate.submittedAt?.toISOString() ?? null,
    failureCode: failureOf(view),
    mandate: presentMandate(mandate),
    typedData: isToSign(subscription, mandate) ? typedDataOf(mandate, chainIdOf(network)) : null,
    terms: presentTerms(mostAllowed(mandate), token.decimals),
    allowance: { recommended: (mandate.maxPerPeriod * CHARGES_A_YEAR[subscription.interval]).toString() },
    livemode,
  };
}

/** Whether the customer is asked to sign: the subscription lives, and its newest mandate is not on the chain. */
export function isToSign(subscription: Subscription, mandate: StoredMandate): boolean {
  const status = shownStatus(subscription);
  return status !== 'cancelled' && status !== 'expired' && isOpen(mandate);
}

const presentMandate = (mandate: StoredMandate): Schemas['Mandate'] => ({
  id: mandate.id,
  payer: checksummed(mandate.payer),
  token: checksummed(mandate.tokenContract),
  maxPerPeriod: mandate.maxPerPeriod.toString(),
  period: mandate.period,
  start: mandate.start,
  end: mandate.end,
  carry: mandate.carry,
  ref: mandate.ref,
});

function typedDataOf(mandate: StoredMandate, chainId: number): Schemas['MandateTypedData'] {
  const place = { collector: mandate.collector as `0x${string}`, chainId };
  return JSON.parse(toSign(mandateTypedData(place, onChain(mandate)))) as Schemas['MandateTypedData'];
}

function presentTerms(most: MostAllowed, decimals: number): Schemas['MandateTerms'] {
  const show = (units: bigint): string => formatUnits(units, decimals, decimals <= MICRO_DECIMALS);
  return {
    mostPerCharge: show(most.perWindow),
    mostAtOnce: show(most.atOnce),
    mostInAll: show(most.inAll),
    windowDays: most.windowDays,
    from: most.from.toISOString(),
    until: most.until.toISOString(),
  };
}
