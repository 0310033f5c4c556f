import type { components } from '../../generated/api.ts';
import type { ListedSession } from '../identity/sessions.ts';
import { presentFiat } from '../lib/money.ts';
import { type LogoDeps, logoUrlOf } from './logo.ts';
import type { Merchant } from './merchant.ts';

type Schemas = components['schemas'];

/** The merchant as it sees itself. */
export function presentMerchant(merchant: Merchant, deps: LogoDeps): Schemas['Merchant'] {
  return {
    id: merchant.id,
    businessName: merchant.businessName,
    email: merchant.email,
    phone: merchant.phone,
    businessType: merchant.businessType,
    status: merchant.status,
    statusReason: merchant.statusReason,
    walletAddress: merchant.walletAddress,
    webhookUrl: merchant.webhookUrl,
    twoFactorEnabled: merchant.twoFactorEnabled,
    paymentToleranceBps: merchant.paymentToleranceBps,
    refundOffers: [...merchant.refundOffers],
    refundOfferMinimum: presentFiat(merchant.refundOfferMinimum),
    supportEmail: merchant.supportEmail,
    supportUrl: merchant.supportUrl,
    website: merchant.website,
    brandColor: merchant.brandColor,
    logoUrl: logoUrlOf(merchant.logoName, deps),
    sendReceipts: merchant.sendReceipts,
    embedOrigins: [...merchant.embedOrigins],
    createdAt: merchant.createdAt.toISOString(),
    updatedAt: merchant.updatedAt.toISOString(),
  };
}

/** A session in the merchant's list; `currentId` is the caller's session. */
export function presentSession(session: ListedSession, currentId: string): Schemas['MerchantSession'] {
  return {
    id: session.id,
    ipAddress: session.ipAddress,
    userAgent: session.userAgent,
    current: session.id === currentId,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}
