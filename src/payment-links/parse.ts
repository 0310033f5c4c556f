import type { components } from '../../generated/api.ts';
import { parseExpiry } from '../lib/dates.ts';
import { invalidField } from '../lib/errors.ts';
import { parseFiat } from '../lib/money.ts';
import { findPageProblem } from '../lib/page-url.ts';
import { parseItems } from '../payments/items.ts';
import { requireShort } from '../payments/service.ts';
import { parseFields } from './custom-fields.ts';
import type { LinkChange, PayerAmount } from './link.ts';
import { requireRoom } from './room.ts';
import type { LinkDraft } from './service.ts';

type Schemas = components['schemas'];

const ALL_TOKENS: readonly Schemas['Token'][] = ['USDT', 'USDC', 'ETH', 'BTC'];

/**
 * The draft of a new link. Throws VALIDATION_ERROR for an `expiresAt` that is no time or has passed, for lines that
 * don't add up, for bounds that don't contain the amount, and for questions that can't be asked.
 */
export function parseDraft(body: Schemas['CreatePaymentLinkRequest'], merchantId: string, now: Date): LinkDraft {
  const amountMinor = parseFiat(body.amount);
  const items = parseItems(body.items, { amountMinor, currency: 'USD' });
  requireShort({ metadata: {}, items });
  const payerAmount = body.payerAmount ? parseBounds(body.payerAmount, amountMinor) : null;
  if (payerAmount && items) throw invalidField('items', 'add up to one amount: leave them out, or payerAmount');
  const extras = { customFields: null, thankYou: null, thankYouUrl: null, ...parseTexts(body) };
  requireRoom({ ...extras, items });
  return {
    merchantId,
    title: body.title,
    description: body.description || null,
    ...{ amountMinor, payerAmount, items },
    maxPayments: body.maxPayments ?? null,
    ...extras,
    acceptedTokens: body.acceptedTokens ?? ALL_TOKENS,
    slug: body.slug ?? null,
    expiresAt: parseExpiry(body.expiresAt ?? null, now),
  };
}

function parseBounds({ min, max }: Schemas['PayerAmountInput'], amountMinor: bigint): PayerAmount {
  const bounds = { minMinor: parseFiat(min), maxMinor: parseFiat(max) };
  if (bounds.minMinor > bounds.maxMinor) throw invalidField('payerAmount.min', 'must be at most payerAmount.max');
  if (bounds.minMinor <= amountMinor && amountMinor <= bounds.maxMinor) return bounds;
  throw invalidField('amount', 'is what the page suggests, so it must lie between payerAmount.min and payerAmount.max');
}

/** The fields that the body changes. Throws as parseDraft does. */
export const parseChange = (body: Schemas['UpdatePaymentLinkRequest'], now: Date): LinkChange => ({
  ...(body.title === undefined ? {} : { title: body.title }),
  ...(body.description === undefined ? {} : { description: body.description || null }),
  ...(body.status === undefined ? {} : { disabled: body.status === 'disabled' }),
  ...(body.expiresAt === undefined ? {} : { expiresAt: parseExpiry(body.expiresAt, now) }),
  ...(body.maxPayments === undefined ? {} : { maxPayments: body.maxPayments }),
  ...parseTexts(body),
});

/** What payers are asked and thanked with, as far as the body says it. */
const parseTexts = (body: Pick<Schemas['UpdatePaymentLinkRequest'], 'customFields' | 'thankYou' | 'thankYouUrl'>) => ({
  ...(body.customFields === undefined ? {} : { customFields: parseFields(body.customFields) }),
  ...(body.thankYou === undefined ? {} : { thankYou: body.thankYou || null }),
  ...(body.thankYouUrl === undefined ? {} : { thankYouUrl: parseUrl(body.thankYouUrl || null) }),
});

function parseUrl(url: string | null): string | null {
  const problem = url && findPageProblem(url);
  if (problem) throw invalidField('thankYouUrl', problem);
  return url && new URL(url).href;
}
