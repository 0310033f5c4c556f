import { AppError, conflict } from '../lib/errors.ts';
import type { MerchantPrincipal, MerchantStanding, MerchantStatus } from '../ports/security.ts';

/** How a refusal describes a status, and what the merchant can do about it. */
const CURES: Record<MerchantStatus, string> = {
  pending_verification:
    'is not verified yet. Wait for the approval; in the sandbox an administrator of your own gives it.',
  active: 'is active.',
  rejected: 'was rejected. Correct the profile to ask for another review.',
  frozen: 'is frozen. Contact support.',
  terminated: 'is closed.',
};

/** Throws FORBIDDEN (`merchant_not_active`) unless the merchant may make links, plans, keys and sessions. */
export function requireMayCreate(status: MerchantStatus): void {
  if (status !== 'active' && status !== 'pending_verification') throw notActive(status);
}

/** What decides whether a merchant may collect: its own part, and the platform's. */
export type CollectsBy = Pick<MerchantStanding, 'status' | 'rejectedAt'>;
type Policy = { readonly allowPendingMerchantsToCollect: boolean };

/** Throws FORBIDDEN (`merchant_not_active`) unless the merchant may request payments. */
export function requireMayCollect(merchant: CollectsBy, settings: Policy): void {
  if (!mayCollect(merchant, settings)) throw notActive(merchant.status);
}

/** Whether the merchant may request payments. See decision merchants/a-rejected-one-waits. */
export const mayCollect = ({ status, rejectedAt }: CollectsBy, settings: Policy): boolean =>
  status === 'active' ||
  (status === 'pending_verification' && rejectedAt === null && settings.allowPendingMerchantsToCollect);

/** Throws CONFLICT (`merchant_not_active`) unless the merchant of a payment may still collect it. */
export function requireCollects(isCollecting: boolean): void {
  if (isCollecting) return;
  throw conflict('The merchant can not take payments right now, so there is nowhere to pay.', 'merchant_not_active');
}

/** Throws FORBIDDEN (`merchant_not_active`) unless the merchant may withdraw. */
export function requireMayWithdraw(status: MerchantStatus): void {
  if (status !== 'active') throw notActive(status);
}

const notActive = (status: MerchantStatus): AppError =>
  new AppError('FORBIDDEN', `This merchant ${CURES[status]}`, { reason: 'merchant_not_active' });

/** Throws FORBIDDEN (`not_owner`) unless the profile is the caller's own, whether or not that merchant exists. */
export function requireOwnProfile(principal: MerchantPrincipal, merchantId: string): void {
  if (principal.merchantId === merchantId) return;
  throw new AppError('FORBIDDEN', 'A merchant can read and change only its own profile.', { reason: 'not_owner' });
}
