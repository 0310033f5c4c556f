import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

export type WithdrawalFees = {
  /** Of a payout by bank: hundredths of a percent of the amount, at least `min`. */
  readonly bank: { readonly bps: number; readonly min: string };
  /** Of a payout in crypto, by network. */
  readonly networks: Readonly<Record<string, string>>;
};

/** What the platform's owners may change while it runs. Amounts are decimal strings in dollars, durations are in the unit that the name ends in. */
export type Settings = {
  readonly allowPendingMerchantsToCollect: boolean;
  readonly paymentFeeBps: number;
  readonly paymentToleranceBps: number;
  readonly paymentToleranceMax: string;
  readonly paymentExpiryMinutes: number;
  readonly lateWindowHours: number;
  /** Of one withdrawal, before the fee. */
  readonly withdrawalMin: string;
  readonly withdrawalMax: string;
  /** Of all withdrawals that a merchant asks for within a UTC day, but those that came to nothing. */
  readonly withdrawalDailyMax: string;
  /** Withdrawals of a merchant that may wait or be on their way at once. */
  readonly withdrawalMaxOpen: number;
  readonly withdrawalFees: WithdrawalFees;
  /** From this amount on whoever completes a withdrawal is not who approved it; null asks that of none. */
  readonly fourEyesThreshold: string | null;
  /** A crypto withdrawal is complete only when the chain says so, on every network that we watch. */
  readonly verifyPayoutOnChain: boolean;
  /** Addresses that payouts may come from; none means any. */
  readonly payoutWallets: readonly string[];
  /** Where the crypto of bank withdrawals goes. */
  readonly offRampAddress: string | null;
  readonly mandateDeadlineHours: number;
  readonly webhookRetentionDays: number;
  /** Null keeps the audit log for ever. */
  readonly auditRetentionDays: number | null;
  /** Units of a fiat currency, or dollars of a coin, by pair (`USD/LKR`, `ETH/USD`); they win over every source. */
  readonly manualRates: Readonly<Record<string, string>>;
};

export const LIVE_DEFAULTS: Settings = {
  allowPendingMerchantsToCollect: false,
  paymentFeeBps: 0,
  paymentToleranceBps: 50,
  paymentToleranceMax: '0.50',
  paymentExpiryMinutes: 60,
  lateWindowHours: 24,
  withdrawalMin: '10.00',
  withdrawalMax: '10000.00',
  withdrawalDailyMax: '50000.00',
  withdrawalMaxOpen: 5,
  withdrawalFees: { bank: { bps: 50, min: '5.00' }, networks: { devnet: '1.00' } },
  fourEyesThreshold: null,
  verifyPayoutOnChain: true,
  payoutWallets: [],
  offRampAddress: null,
  mandateDeadlineHours: 72,
  webhookRetentionDays: 60,
  auditRetentionDays: null,
  manualRates: {},
};

export const SANDBOX_DEFAULTS: Settings = { ...LIVE_DEFAULTS, allowPendingMerchantsToCollect: true };

const CACHE_MS = 1000;

export type SettingsReader = {
  /** The settings in force, at most a second old. */
  readonly current: () => Promise<Settings>;
};

/** Reads the settings through a cache of a second that a change empties at once. */
export function createSettings(db: Db, defaults: Settings, subscribe: Subscribe): SettingsReader {
  let cached: { readonly value: Promise<Settings>; readonly until: number } | undefined;
  subscribe('kasi_settings', () => {
    cached = undefined;
  });
  return {
    current: () => {
      if (!cached || cached.until < monotonicMs()) {
        const value = readSettings(db, defaults);
        value.catch(() => {
          cached = undefined;
        });
        cached = { value, until: monotonicMs() + CACHE_MS };
      }
      return cached.value;
    },
  };
}

async function readSettings(db: Db, defaults: Settings): Promise<Settings> {
  const row = await db.selectFrom('platform_settings').select('overrides').where('id', '=', 1).executeTakeFirst();
  return { ...defaults, ...(row?.overrides as Partial<Settings> | undefined) };
}
