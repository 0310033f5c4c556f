import type { components } from '../../generated/api.ts';
import type { LogoDeps } from './logo.ts';
import type { Merchant } from './merchant.ts';
import { presentMerchant } from './present.ts';

type Schemas = components['schemas'];

/** Balance and counts of a merchant's account. */
export type MerchantFigures = {
  readonly balance: Schemas['SettlementBalance'];
  readonly paymentCount: number;
  readonly paidCount: number;
  readonly lastPaidAt: Date | null;
  readonly apiKeyCount: number;
};

/** A merchant in the administrators' list. */
export const presentSummaryForAdmin = (merchant: Merchant): Schemas['AdminMerchantSummary'] => ({
  id: merchant.id,
  businessName: merchant.businessName,
  email: merchant.email,
  phone: merchant.phone,
  businessType: merchant.businessType,
  status: merchant.status,
  statusReason: merchant.statusReason,
  createdAt: merchant.createdAt.toISOString(),
  updatedAt: merchant.updatedAt.toISOString(),
});

/** A merchant as administrators see it: its own view with balance and counts. */
export const presentForAdmin = (
  merchant: Merchant,
  figures: MerchantFigures,
  deps: LogoDeps,
): Schemas['AdminMerchant'] => ({
  ...presentMerchant(merchant, deps),
  ...figures,
  lastPaidAt: figures.lastPaidAt?.toISOString() ?? null,
  rejectedAt: merchant.rejectedAt?.toISOString() ?? null,
});
