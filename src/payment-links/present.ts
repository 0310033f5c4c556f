import type { components } from '../../generated/api.ts';
import type { JsonObject } from '../lib/json.ts';
import { presentFiat } from '../lib/money.ts';
import { presentItems } from '../payments/items.ts';
import type { LockedRate } from '../rates/quote.ts';
import { displayAmount } from './display-amount.ts';
import { type PaymentLink, statusOf } from './link.ts';
import type { Places } from './places.ts';
import type { OfferedLink, TotalledLink } from './queries.ts';

type Schemas = components['schemas'];

export type LinkPresentDeps = { readonly checkoutUrl: string };

/** The merchant's detail view; also the `data` of events. */
export function presentLink({ link, totals }: TotalledLink, deps: LinkPresentDeps, now: Date): Schemas['PaymentLink'] {
  return {
    ...presentCommon(link, deps, now),
    merchantId: link.merchantId,
    description: link.description,
    ...presentTerms(link),
    totalPaid: presentFiat(totals.paidMinor),
    paymentCount: totals.paidCount,
    thankYou: link.thankYou,
    thankYouUrl: link.thankYouUrl,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
}

/** One line of the list. */
export function presentLinkSummary(
  { link, totals }: TotalledLink,
  deps: LinkPresentDeps,
  now: Date,
): Schemas['PaymentLinkSummary'] {
  return {
    ...presentCommon(link, deps, now),
    totalPaid: presentFiat(totals.paidMinor),
    paymentCount: totals.paidCount,
    createdAt: link.createdAt.toISOString(),
  };
}

/** The payer's view. */
export function presentPublicLink(
  { link, merchant }: OfferedLink,
  deps: LinkPresentDeps & {
    readonly livemode: boolean;
    /** null where it takes as many payments as people make. */
    readonly places: Places | null;
    /** Rupees for a dollar; null without a usable rate. */
    readonly rate: LockedRate | null;
    /** Whether the merchant may collect at present. */
    readonly collects: boolean;
  },
  now: Date,
): Schemas['PublicPaymentLink'] {
  return {
    ...presentCommon(link, deps, now),
    description: link.description,
    ...presentTerms(link),
    displayAmount: deps.rate && displayAmount(link.amountMinor, deps.rate),
    paymentsLeft: deps.places?.left ?? null,
    paymentsOpen: deps.places?.open ?? null,
    merchantName: merchant.face.merchantName,
    merchantBrand: merchant.face.merchantBrand,
    merchantCollects: deps.collects,
    embedOrigins: merchant.face.embedOrigins,
    livemode: deps.livemode,
  };
}

/** The snapshot that a payment keeps of its link. */
export const snapshotOf = (link: PaymentLink): JsonObject => ({
  title: link.title,
  description: link.description,
  amount: presentFiat(link.amountMinor),
  currency: 'USD',
  acceptedTokens: [...link.acceptedTokens],
  slug: link.slug,
  thankYou: link.thankYou,
  thankYouUrl: link.thankYouUrl,
});

const presentTerms = ({ payerAmount, items, acceptedTokens, customFields }: PaymentLink) => ({
  payerAmount: payerAmount && { min: presentFiat(payerAmount.minMinor), max: presentFiat(payerAmount.maxMinor) },
  items: presentItems(items),
  acceptedTokens: [...acceptedTokens] as Schemas['Token'][],
  customFields: [...(customFields ?? [])],
});

const presentCommon = (link: PaymentLink, deps: LinkPresentDeps, now: Date) => ({
  id: link.id,
  title: link.title,
  amount: presentFiat(link.amountMinor),
  currency: 'USD' as const,
  slug: link.slug,
  url: `${deps.checkoutUrl}/pay/${link.slug}`,
  status: statusOf(link, now),
  maxPayments: link.maxPayments,
  expiresAt: link.expiresAt?.toISOString() ?? null,
});
