import type { Events } from '../events/record.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, conflict, invalidField, notFound, unreachable } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { parseFiat, presentFiat } from '../lib/money.ts';
import { requireMayCollect } from '../merchants/guard.ts';
import type { MerchantFace } from '../merchants/queries.ts';
import { createPayment, type PaymentDeps } from '../payments/service.ts';
import type { Payment } from '../payments/types.ts';
import { parseAnswers } from './custom-fields.ts';
import { type LinkChange, type LinkEvent, type LinkInput, type PaymentLink, statusOf, step } from './link.ts';
import { endOfHold, requirePlace, requireTurn, type Starter } from './places.ts';
import { type LinkPresentDeps, presentLink, snapshotOf } from './present.ts';
import {
  emptyLink,
  findOfferedLink,
  insertLink,
  type LinkRef,
  lockLink,
  type OfferedLink,
  saveLink,
  type TotalledLink,
} from './queries.ts';
import { requireRoom } from './room.ts';
import { generateSlug } from './slug.ts';

export type LinkDeps = LinkPresentDeps & { readonly events: Events };

export type LinkDraft = Pick<
  PaymentLink,
  | 'merchantId'
  | 'title'
  | 'description'
  | 'amountMinor'
  | 'payerAmount'
  | 'items'
  | 'acceptedTokens'
  | 'maxPayments'
  | 'customFields'
  | 'thankYou'
  | 'thankYouUrl'
  | 'expiresAt'
> & {
  /** null: generate one. */
  readonly slug: string | null;
};

const NO_TOTALS = { paidMinor: 0n, paidCount: 0 };
/** Generated slugs have 50 random bits, so several collisions in a row mean a bug. */
const GENERATED_MAX = 5;

/**
 * Stores a link and announces it. Throws CONFLICT if the requested slug is taken; generates another if a generated one
 * is.
 */
export async function createLink(
  trx: Trx,
  deps: LinkDeps,
  draft: LinkDraft,
  now: Date,
  generate: () => string = generateSlug,
): Promise<TotalledLink> {
  const { slug, ...rest } = draft;
  const link: Slugless = {
    ...rest,
    id: newId('paymentLink', now),
    disabled: false,
    expiryAnnouncedAt: null,
    eventSequence: 1,
    createdAt: now,
    updatedAt: now,
  };
  const created = {
    link: slug === null ? await insertGenerated(trx, link, generate) : await insertWished(trx, link, slug),
    totals: NO_TOTALS,
  };
  await announce(trx, deps, 'payment_link.created', created, now);
  return created;
}

type Slugless = Omit<PaymentLink, 'slug'>;

async function insertWished(trx: Trx, slugless: Slugless, slug: string): Promise<PaymentLink> {
  const link = { ...slugless, slug };
  if (await insertLink(trx, link)) return link;
  throw conflict(`The slug "${slug}" is taken. Choose another or leave it out.`);
}

async function insertGenerated(trx: Trx, slugless: Slugless, generate: () => string): Promise<PaymentLink> {
  for (let attempt = 1; attempt <= GENERATED_MAX; attempt += 1) {
    const link = { ...slugless, slug: generate() };
    if (await insertLink(trx, link)) return link;
  }
  throw new Error(`${GENERATED_MAX} generated slugs in a row were taken`);
}

/**
 * Changes a merchant's link and announces the change; does neither if nothing differs. Throws NOT_FOUND, or
 * VALIDATION_ERROR for more than a link keeps.
 */
export async function updateLink(
  trx: Trx,
  deps: LinkDeps,
  ref: Required<LinkRef>,
  change: LinkChange,
  now: Date,
): Promise<TotalledLink> {
  // A limit counts payments that are being started, so it waits for them.
  const before = await lockLink(trx, ref, change.maxPayments !== undefined);
  if (!before) throw notFound('payment link');
  if (change.customFields || change.thankYou) requireRoom({ ...before.link, ...change });
  return apply(trx, deps, before, { kind: 'update', change }, now);
}

/** Announces a link's expiry if that is due and not yet done; does nothing for a deleted link. */
export async function announceExpiry(trx: Trx, deps: LinkDeps, ref: LinkRef, now: Date): Promise<void> {
  const before = await lockLink(trx, ref);
  if (before) await apply(trx, deps, before, { kind: 'clock' }, now);
}

async function apply(
  trx: Trx,
  deps: LinkDeps,
  before: TotalledLink,
  input: LinkInput,
  now: Date,
): Promise<TotalledLink> {
  const { next, events } = step(before.link, input, now);
  if (next === before.link) return before;
  await saveLink(trx, next);
  for (const { type, link } of events) await announce(trx, deps, type, { ...before, link }, now);
  return { ...before, link: next };
}

async function announce(trx: Trx, deps: LinkDeps, type: LinkEvent, totalled: TotalledLink, now: Date): Promise<void> {
  const { merchantId, id: resourceId, eventSequence: sequence } = totalled.link;
  const data = presentLink(totalled, deps, now);
  await deps.events.record(trx, { merchantId, type, resourceId, sequence, data }, now);
}

/** Deletes a merchant's link. Its payments stay, and its slug becomes free. Throws NOT_FOUND. */
export async function deleteLink(trx: Trx, ref: Required<LinkRef>, now: Date): Promise<void> {
  if (!(await emptyLink(trx, ref, now))) throw notFound('payment link');
}

/** Throws NOT_FOUND, DISABLED or EXPIRED unless the link can be paid now. */
export function requireOffered(offered: OfferedLink | undefined, now: Date): OfferedLink {
  if (!offered) throw notFound('payment link');
  const status = statusOf(offered.link, now);
  switch (status) {
    case 'active':
      return offered;
    case 'disabled':
      throw new AppError('DISABLED', 'This payment link has been disabled by the merchant.');
    case 'expired':
      throw new AppError('EXPIRED', 'This payment link has expired.');
    default:
      return unreachable(status);
  }
}

/** What a payer asks of a link; `amount` in dollars, null: as the link says. */
export type LinkStart = {
  readonly slug: string;
  readonly amount: number | null;
  readonly customerEmail: string | null;
  /** By the keys of the link's questions. */
  readonly answers: Readonly<Record<string, string | number>>;
  readonly starter: Starter;
};

/** What a payer pays, in US cents. Throws VALIDATION_ERROR for what the link does not leave to them. */
function chosenAmount({ payerAmount, amountMinor }: PaymentLink, amount: number | null): bigint {
  if (amount === null) return amountMinor;
  const chosen = parseFiat(amount);
  if (!payerAmount) {
    if (chosen === amountMinor) return chosen;
    throw invalidField('amount', `is fixed on this link: leave it out, or send ${presentFiat(amountMinor)}`);
  }
  const { minMinor, maxMinor } = payerAmount;
  if (minMinor <= chosen && chosen <= maxMinor) return chosen;
  throw invalidField('amount', `must lie between ${presentFiat(minMinor)} and ${presentFiat(maxMinor)} USD`);
}

/**
 * The link that a payment is started from, locked until the payment is stored: against a limit that is set meanwhile,
 * and, where there is one, against everybody else who starts a payment of it. Throws what requireOffered throws.
 */
async function lockOffered(trx: Trx, deps: PaymentDeps, slug: string, now: Date): Promise<OfferedLink> {
  const offered = requireOffered(await findOfferedLink(trx, slug, deps, 'beside'), now);
  if (offered.link.maxPayments === null) return offered;
  return requireOffered(await findOfferedLink(trx, slug, deps, 'in turn'), now);
}

/**
 * Creates a payment for one payer of a link, with the link's current terms. Throws what requireOffered and requirePlace
 * throw, RATE_LIMITED as requireTurn does, FORBIDDEN if the merchant may not collect, VALIDATION_ERROR for answers that
 * the link does not take, and what createPayment throws.
 */
export async function startPayment(
  trx: Trx,
  deps: PaymentDeps,
  request: LinkStart,
  now: Date,
): Promise<{ readonly payment: Payment; readonly face: MerchantFace }> {
  const { link, merchant } = await lockOffered(trx, deps, request.slug, now);
  const settings = await deps.settings.current();
  requireMayCollect(merchant, settings);
  const amountMinor = chosenAmount(link, request.amount);
  const customFields = parseAnswers(link.customFields, request.answers);
  const places = await requirePlace(trx, link);
  await requireTurn(trx, link.id, places, request.starter);
  const payment = await createPayment(
    trx,
    deps,
    {
      merchantId: link.merchantId,
      merchantToleranceBps: merchant.toleranceBps,
      source: { kind: 'link', linkId: link.id, snapshot: snapshotOf(link), customFields },
      amountMinor,
      currency: 'USD',
      acceptedTokens: link.acceptedTokens,
      description: link.title,
      customerEmail: request.customerEmail,
      locale: null,
      items: link.items,
      metadata: {},
      expiresAt: endOfHold(link, settings.paymentExpiryMinutes * MINUTE_MS, now),
    },
    now,
  );
  return { payment, face: merchant.face };
}
