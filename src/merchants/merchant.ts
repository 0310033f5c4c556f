import { AppError, unreachable } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { MerchantStatus } from '../ports/security.ts';

export type BusinessType = 'individual' | 'company' | 'nonprofit';

/** A merchant with everything but the password. */
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
  readonly walletAddress: string | null;
  readonly webhookUrl: string | null;
  readonly twoFactorEnabled: boolean;
  /** Its own tolerance for payments that arrive short; null means the platform's. */
  readonly paymentToleranceBps: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What can move a merchant. Reasons are for the merchant to read. */
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
 * What `input` does to a merchant; CONFLICT when its status does not allow it.
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

// Only these two: `merchant` may be a whole one, and what is spread over another must not bring its old fields along.
const pick = ({ status, statusReason }: MerchantState): MerchantState => ({ status, statusReason });

const changeTo = (next: MerchantState): MerchantStep => ({ next, events: ['merchant.status_changed'] });

const refusal = (merchant: MerchantState, input: MerchantInput): AppError =>
  new AppError('CONFLICT', `A merchant that is ${merchant.status} does not allow "${input.kind}".`);
