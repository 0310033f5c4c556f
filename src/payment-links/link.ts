import { unreachable } from '../lib/errors.ts';

export type LinkStatus = 'active' | 'expired' | 'disabled';
export type LinkEvent = 'payment_link.created' | 'payment_link.updated' | 'payment_link.expired';

export type PaymentLink = {
  readonly id: string;
  readonly merchantId: string;
  readonly title: string;
  readonly description: string | null;
  /** In US cents. */
  readonly amountMinor: bigint;
  readonly acceptedTokens: readonly string[];
  readonly slug: string;
  readonly disabled: boolean;
  /** null: never. */
  readonly expiresAt: Date | null;
  /** When the merchant was told that `expiresAt` has passed; null again when there is a new one. */
  readonly expiryAnnouncedAt: Date | null;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What the paid payments of a link come to: what they asked, in US cents, and how many they are. */
export type LinkTotals = { readonly paidMinor: bigint; readonly paidCount: number };

/** What a merchant can change of a link. */
export type LinkChange = Partial<Pick<PaymentLink, 'title' | 'description' | 'disabled' | 'expiresAt'>>;

export type LinkInput = { readonly kind: 'update'; readonly change: LinkChange } | { readonly kind: 'clock' };

/** Each event comes with the link as it was then. */
export type LinkStep = {
  readonly next: PaymentLink;
  readonly events: readonly { readonly type: LinkEvent; readonly link: PaymentLink }[];
};

/** The state at `now`. Expiry is a matter of the clock and stands in no column; a link that is both is disabled. */
export function statusOf(link: Pick<PaymentLink, 'disabled' | 'expiresAt'>, now: Date): LinkStatus {
  if (link.disabled) return 'disabled';
  return hasExpired(link, now) ? 'expired' : 'active';
}

/** What `input` does to a link at `now`. Nothing changes when nothing would differ. Pure. */
export function step(link: PaymentLink, input: LinkInput, now: Date): LinkStep {
  switch (input.kind) {
    case 'clock':
      return elapse({ next: link, events: [] }, now);
    case 'update': {
      const change = differing(link, input.change);
      // An expiry that nobody has announced yet comes first, because the change may undo it.
      return change ? update(elapse({ next: link, events: [] }, now), change, now) : { next: link, events: [] };
    }
    default:
      return unreachable(input);
  }
}

const hasExpired = (link: Pick<PaymentLink, 'expiresAt'>, now: Date): boolean =>
  link.expiresAt !== null && link.expiresAt <= now;

/** An expiry is announced once, also when the link is disabled. */
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

/** The part of a change that changes something, or undefined. */
function differing(link: PaymentLink, change: LinkChange): LinkChange | undefined {
  const comparable = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);
  const entries = Object.entries(change).filter(
    ([field, value]) => comparable(value) !== comparable(link[field as keyof LinkChange]),
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as LinkChange) : undefined;
}
