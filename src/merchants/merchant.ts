import type { components } from '../../generated/api.ts';
import { type AppError, conflict, unreachable } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { MerchantStatus } from '../ports/security.ts';

export type BusinessType = 'individual' | 'company' | 'nonprofit';

/** For which exceptions the page of a payment may offer the money back that waits. */
export type RefundOfferException = components['schemas']['RefundOfferException'];

/** A merchant, without its password. */
export type Merchant = {
  readonly id: Id<'merchant'>;
  readonly businessName: string;
  /** Trimmed, in lower case. */
  readonly email: string;
  /** E.164. */
  readonly phone: string;
  readonly businessType: BusinessType;
  readonly status: MerchantStatus;
  /** Why it is rejected, frozen or terminated. */
  readonly statusReason: string | null;
  /** When it was last rejected, also if it asks for another review; the database keeps it. */
  readonly rejectedAt: Date | null;
  readonly walletAddress: string | null;
  readonly webhookUrl: string | null;
  readonly twoFactorEnabled: boolean;
  /** The merchant's tolerance for underpaid payments; null applies the platform's. */
  readonly paymentToleranceBps: number | null;
  readonly refundOffers: readonly RefundOfferException[];
  /** US cents. */
  readonly refundOfferMinimum: bigint;
  /** How payers reach it: links of https, or null. */
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
  readonly website: string | null;
  /** `#rrggbb`, lower-case. */
  readonly brandColor: string | null;
  /** The name of its logo in URLs, the beginning of the image's hash. */
  readonly logoName: string | null;
  /** Whether payers who left an e-mail address get receipts by mail. */
  readonly sendReceipts: boolean;
  /** The websites that may show its checkout in a frame: origins, normalised and sorted. */
  readonly embedOrigins: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Inputs that may change a merchant's status. The merchant sees the reasons (decision merchants/reasons-are-public).
 */
export type MerchantInput =
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'freeze'; readonly reason: string }
  | { readonly kind: 'unfreeze'; readonly reason: string | null }
  | { readonly kind: 'terminate'; readonly reason: string | null }
  | { readonly kind: 'update_profile' };

type MerchantState = Pick<Merchant, 'status' | 'statusReason'>;

export type MerchantStep = { readonly next: MerchantState; readonly events: readonly 'merchant.status_changed'[] };

/**
 * Applies `input` to a merchant's status; throws CONFLICT when the status doesn't allow it.
 *
 *     pending_verification ── approve ──▶ active ◀── unfreeze ── freeze ──▶ frozen
 *       ▲            └── reject ──▶ rejected                any but terminated ── terminate ──▶ terminated
 *       └── update_profile ───────────┘
 */
export function step(merchant: MerchantState, input: MerchantInput): MerchantStep {
  switch (input.kind) {
    case 'approve':
      return changeFrom('pending_verification', merchant, input, { status: 'active', statusReason: null });
    case 'reject':
      return changeFrom('pending_verification', merchant, input, { status: 'rejected', statusReason: input.reason });
    case 'freeze':
      return changeFrom('active', merchant, input, { status: 'frozen', statusReason: input.reason });
    case 'unfreeze':
      return changeFrom('frozen', merchant, input, { status: 'active', statusReason: null });
    case 'terminate':
      if (merchant.status === 'terminated') throw refusal(merchant, input);
      return changeTo({ status: 'terminated', statusReason: input.reason });
    case 'update_profile':
      if (merchant.status !== 'rejected') return { next: pick(merchant), events: [] };
      return changeTo({ status: 'pending_verification', statusReason: null });
    default:
      return unreachable(input);
  }
}

function changeFrom(
  from: MerchantStatus,
  merchant: MerchantState,
  input: MerchantInput,
  next: MerchantState,
): MerchantStep {
  if (merchant.status !== from) throw refusal(merchant, input);
  return changeTo(next);
}

// Exactly these two fields: `merchant` may be a whole Merchant, and callers spread the result over a changed one.
const pick = ({ status, statusReason }: MerchantState): MerchantState => ({ status, statusReason });

const changeTo = (next: MerchantState): MerchantStep => ({ next, events: ['merchant.status_changed'] });

const refusal = (merchant: MerchantState, input: MerchantInput): AppError =>
  conflict(`A merchant that is ${merchant.status} does not allow "${input.kind}".`);
