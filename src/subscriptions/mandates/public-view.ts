import type { components } from '../../../generated/api.ts';
import { AppError } from '../../lib/errors.ts';
import { formatToken, presentFiat } from '../../lib/money.ts';
import { mayCollect } from '../../merchants/guard.ts';
import type { LogoDeps } from '../../merchants/logo.ts';
import { getMerchantAtWork, type MerchantFace } from '../../merchants/queries.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Collector } from '../../ports/collector.ts';
import { findPaidUntil } from '../charge-queries.ts';
import { type CollectingToken, findCollecting } from '../plans/plan.ts';
import { getPlanDescription } from '../plans/queries.ts';
import { failureOf, outlookOf } from '../present.ts';
import { getSubscription, type Subscription } from '../queries.ts';
import { type MostAllowed, mostAllowed } from '../schedule/mandate-window.ts';
import { shownStatus } from '../schedule/subscription-state.ts';
import { type SubscriptionView, viewOf } from '../views.ts';
import { isReverted, isToSign, onChain, type StoredMandate } from './mandate.ts';
import { isOutdated, type OutdatedDeps, replaceOutdated, tokenOf } from './outdated.ts';
import { getCurrentMandate } from './queries.ts';

type Schemas = components['schemas'];

/** Everything that the customer's page shows. */
export type PublicView = SubscriptionView & {
  readonly face: MerchantFace;
  /** Whether the merchant may collect at present. */
  readonly collects: boolean;
  readonly description: string | null;
  /** When the last period ends that is paid; null: none is. */
  readonly paidUntil: Date | null;
  readonly mandate: StoredMandate;
  readonly collecting: CollectingToken;
};

export type PublicViewDeps = LogoDeps &
  OutdatedDeps & { readonly chains: Pick<Chains, 'openCollector' | 'presentAddress'> };

const RETRY_SECONDS = 5;

/**
 * What the customer's page shows. Asks for another mandate first where this one is outdated. Throws NOT_FOUND;
 * SERVICE_UNAVAILABLE when its network is not configured, or its list has just changed.
 */
export async function readPublicView(deps: PublicViewDeps, id: string, now: Date): Promise<PublicView> {
  const { db } = deps;
  const found = await getSubscription(db, { id });
  const collecting = findCollecting(deps, found);
  if (!collecting) throw unconfigured(found);
  const known = { subscription: found, mandate: await getCurrentMandate(db, found) };
  const isOld = isOutdated(found, known.mandate, collecting);
  const asked = isOld ? await replaceOutdated(deps, id, now) : known;
  if (asked === null) throw unconfigured(found);
  const { subscription, mandate } = asked;
  const [view, { face, ...merchant }, settings, description, token, paidUntil] = await Promise.all([
    viewOf(db, subscription),
    getMerchantAtWork(db, subscription.merchantId, deps),
    deps.settings.current(),
    getPlanDescription(db, subscription.planId),
    tokenOf(db, mandate, collecting),
    findPaidUntil(db, subscription),
  ]);
  return {
    ...view,
    face,
    collects: mayCollect(merchant, settings),
    ...{ description, paidUntil, mandate },
    collecting: { ...collecting, token },
  };
}

const unconfigured = ({ network }: Subscription): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The network ${network} can not be collected on at present.`, {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** The most charges a year can have. See decision subscriptions/allowance-for-one-year. */
const CHARGES_A_YEAR: Readonly<Record<Subscription['interval'], bigint>> = {
  daily: 366n,
  weekly: 53n,
  monthly: 13n,
  yearly: 2n,
};

/** What the customer may see, and needs to see to agree. */
export function presentPublicSubscription(
  view: PublicView,
  { chains, livemode }: Pick<PublicViewDeps, 'chains'> & { readonly livemode: boolean },
): Schemas['PublicSubscription'] {
  const { subscription, mandate, collecting, latestCharge } = view;
  const { collector, token } = collecting;
  const { presentAddress } = chains;
  const status = shownStatus(subscription);
  return {
    id: subscription.id,
    merchantName: view.face.merchantName,
    merchantContact: view.face.merchantContact,
    merchantBrand: view.face.merchantBrand,
    merchantCollects: view.collects,
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
    paidUntil: view.paidUntil?.toISOString() ?? null,
    walletAddress: presentAddress(subscription.wallet),
    network: subscription.network,
    chainId: collector.chainId,
    token: subscription.token,
    tokenContract: presentAddress(mandate.tokenContract),
    tokenDecimals: token.decimals,
    collector: presentAddress(mandate.collector),
    mandateStatus: subscription.mandateStatus,
    agreeBy: isReverted(mandate) ? 'transaction' : 'signature',
    submittedAt: mandate.submittedAt?.toISOString() ?? null,
    failureCode: failureOf(view),
    mandate: presentMandate(mandate, presentAddress),
    typedData: isShownToSign(view) ? typedDataOf(collector, mandate) : null,
    terms: presentTerms(mostAllowed(mandate), token.decimals),
    allowance: { recommended: (mandate.maxPerPeriod * CHARGES_A_YEAR[subscription.interval]).toString() },
    livemode,
  };
}

/** What was handed in stays shown; nothing new is asked for while the merchant may not collect. */
const isShownToSign = ({ subscription, mandate, collects }: PublicView): boolean =>
  isToSign(subscription, mandate) && (collects || mandate.submittedAt !== null);

const presentMandate = (mandate: StoredMandate, presentAddress: Chains['presentAddress']): Schemas['Mandate'] => ({
  id: mandate.id,
  payer: presentAddress(mandate.payer),
  token: presentAddress(mandate.tokenContract),
  maxPerPeriod: mandate.maxPerPeriod.toString(),
  period: mandate.period,
  start: mandate.start,
  end: mandate.end,
  carry: mandate.carry,
  ref: mandate.ref,
});

const typedDataOf = (collector: Collector, mandate: StoredMandate): Schemas['MandateTypedData'] =>
  collector.typedData(mandate.collector, onChain(mandate)) as Schemas['MandateTypedData'];

function presentTerms(most: MostAllowed, decimals: number): Schemas['MandateTerms'] {
  const show = (units: bigint): string => formatToken(units, decimals);
  return {
    mostPerCharge: show(most.perWindow),
    mostAtOnce: show(most.atOnce),
    mostInAll: show(most.inAll),
    windowDays: most.windowDays,
    from: most.from.toISOString(),
    until: most.until.toISOString(),
  };
}
