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

type Standing = Pick<Merchant, 'status' | 'statusReason'>;

export type MerchantStep = { readonly next: Standing; readonly events: readonly 'merchant.status_changed'[] };

/**
 * What `input` does to a merchant; CONFLICT when its status does not allow it.
 *
 *     pending_verification ── approve ──▶ active ◀── unfreeze ── freeze ──▶ frozen
 *       ▲            └── reject ──▶ rejected                any but terminated ── terminate ──▶ terminated
 *       └── update_profile ───────────┘
 */
export function step(merchant: Standing, input: MerchantInput): MerchantStep {
  switch (input.kind) {
    case 'approve':
      return moveFrom('pending_verification', merchant, input, { status: 'active', statusReason: null });
    case 'reject':
      return moveFrom('pending_verification', merchant, input, { status: 'rejected', statusReason: input.reason });
    case 'freeze':
      return moveFrom('active', merchant, input, { status: 'frozen', statusReason: input.reason });
    case 'unfreeze':
      return moveFrom('frozen', merchant, input, { status: 'active', statusReason: null });
    case 'terminate':
      if (merchant.status === 'terminated') throw refusal(merchant, input);
      return moveTo({ status: 'terminated', statusReason: input.reason });
    case 'update_profile':
      if (merchant.status !== 'rejected') return { next: pick(merchant), events: [] };
      return moveTo({ status: 'pending_verification', statusReason: null });
    default:
      return unreachable(input);
  }
}

function moveFrom(from: MerchantStatus, merchant: Standing, input: MerchantInput, next: Standing): MerchantStep {
  if (merchant.status !== from) throw refusal(merchant, input);
  return moveTo(next);
}

// Only these two: `merchant` may be a whole one, and what is spread over another must not bring its old fields along.
const pick = ({ status, statusReason }: Standing): Standing => ({ status, statusReason });

const moveTo = (next: Standing): MerchantStep => ({ next, events: ['merchant.status_changed'] });

const refusal = (merchant: Standing, input: MerchantInput): AppError =>
  new AppError('CONFLICT', `A merchant that is ${merchant.status} does not allow "${input.kind}".`);
