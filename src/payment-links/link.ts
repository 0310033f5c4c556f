import { isDeepStrictEqual } from 'node:util';
import { unreachable } from '../lib/errors.ts';
import type { LineItem } from '../payments/items.ts';
import type { CustomField } from './custom-fields.ts';

export type LinkStatus = 'active' | 'expired' | 'disabled';
export type LinkEvent = 'payment_link.created' | 'payment_link.updated' | 'payment_link.expired';

export type PayerAmount = { readonly minMinor: bigint; readonly maxMinor: bigint };

export type PaymentLink = {
  readonly id: string;
  readonly merchantId: string;
  readonly title: string;
  readonly description: string | null;
  /** In US cents; where payers choose, what the page suggests. */
  readonly amountMinor: bigint;
  /** The amounts between which payers choose, in US cents; null: everybody pays the same. */
  readonly payerAmount: PayerAmount | null;
  /** The lines that add up to the amount; null: nobody listed any. */
  readonly items: readonly LineItem[] | null;
  readonly acceptedTokens: readonly string[];
  readonly slug: string;
  /** How many payments it takes, open ones included; null: as many as people make. */
  readonly maxPayments: number | null;
  /** What every payer is asked; null: nothing. */
  readonly customFields: readonly CustomField[] | null;
  /** What a payer reads once they have paid, and where a button leads them. */
  readonly thankYou: string | null;
  readonly thankYouUrl: string | null;
  readonly disabled: boolean;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** When the expiry was announced; null again after `expiresAt` changes. */
  readonly expiryAnnouncedAt: Date | null;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The paid payments of a link: the sum of their prices, in US cents, and their number. */
export type LinkTotals = { readonly paidMinor: bigint; readonly paidCount: number };

/** What a merchant can change about a link. */
export type LinkChange = Partial<
  Pick<
    PaymentLink,
    'title' | 'description' | 'disabled' | 'expiresAt' | 'maxPayments' | 'customFields' | 'thankYou' | 'thankYouUrl'
  >
>;

export type LinkInput = { readonly kind: 'update'; readonly change: LinkChange } | { readonly kind: 'clock' };

/** Each event carries the link as of that event. */
export type LinkStep = {
  readonly next: PaymentLink;
  readonly events: readonly { readonly type: LinkEvent; readonly link: PaymentLink }[];
};

/** The status at `now`. No column stores it. A link that is both disabled and expired is disabled. */
export function statusOf(link: Pick<PaymentLink, 'disabled' | 'expiresAt'>, now: Date): LinkStatus {
  if (link.disabled) return 'disabled';
  return hasExpired(link, now) ? 'expired' : 'active';
}

/** What `input` does to a link at `now`; returns the same link if nothing would differ. Pure. */
export function step(link: PaymentLink, input: LinkInput, now: Date): LinkStep {
  switch (input.kind) {
    case 'clock':
      return elapse({ next: link, events: [] }, now);
    case 'update': {
      const change = differing(link, input.change);
      // Announce a pending expiry first, because the change may undo it.
      return change ? update(elapse({ next: link, events: [] }, now), change, now) : { next: link, events: [] };
    }
    default:
      return unreachable(input);
  }
}

const hasExpired = (link: Pick<PaymentLink, 'expiresAt'>, now: Date): boolean =>
  link.expiresAt !== null && link.expiresAt <= now;

/** Announces an expiry once, also of a disabled link. See decision payment-links/expiry-announced-once. */
function elapse(from: LinkStep, now: Date): LinkStep {
  if (!hasExpired(from.next, now) || from.next.expiryAnnouncedAt) return from;
  return move(from, { expiryAnnouncedAt: now }, 'payment_link.expired');
}

function update(from: LinkStep, change: LinkChange, now: Date): LinkStep {
  const renewed = change.expiresAt === undefined ? {} : { expiryAnnouncedAt: null };
  return move(from, { ...change, ...renewed, updatedAt: now }, 'payment_link.updated');
}

function move(from: LinkStep, change: Partial<PaymentLink>, type: LinkEvent): LinkStep {
  const next = { ...from.next, ...change, eventSequence: from.next.eventSequence + 1 };
  return { next, events: [...from.events, { type, link: next }] };
}

/** The fields of a change that differ, or undefined if none does. */
function differing(link: PaymentLink, change: LinkChange): LinkChange | undefined {
  const entries = Object.entries(change).filter(
    ([field, value]) => !isDeepStrictEqual(value, link[field as keyof LinkChange]),
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as LinkChange) : undefined;
}
