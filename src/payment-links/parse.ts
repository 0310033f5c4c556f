import type { components } from '../../generated/api.ts';
import { parseExpiry } from '../lib/dates.ts';
import { parseFiat } from '../lib/money.ts';
import type { LinkChange } from './link.ts';
import type { LinkDraft } from './service.ts';

type Schemas = components['schemas'];

const ALL_TOKENS: readonly Schemas['Token'][] = ['USDT', 'USDC', 'ETH', 'BTC'];

/** The draft of a new link. Throws VALIDATION_ERROR for an `expiresAt` that is no time or has passed. */
export const parseDraft = (body: Schemas['CreatePaymentLinkRequest'], merchantId: string, now: Date): LinkDraft => ({
  merchantId,
  title: body.title,
  description: body.description || null,
  amountMinor: parseFiat(body.amount),
  acceptedTokens: body.acceptedTokens ?? ALL_TOKENS,
  slug: body.slug ?? null,
  expiresAt: parseExpiry(body.expiresAt ?? null, now),
});

/** The fields that the body changes. Throws as parseDraft does. */
export const parseChange = (body: Schemas['UpdatePaymentLinkRequest'], now: Date): LinkChange => ({
  ...(body.title === undefined ? {} : { title: body.title }),
  ...(body.description === undefined ? {} : { description: body.description || null }),
  ...(body.status === undefined ? {} : { disabled: body.status === 'disabled' }),
  ...(body.expiresAt === undefined ? {} : { expiresAt: parseExpiry(body.expiresAt, now) }),
});
