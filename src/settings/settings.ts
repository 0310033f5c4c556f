import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

/** What the platform's owners may change while it runs. Amounts are decimal strings in dollars, durations are in the unit that the name ends in. */
export type Settings = {
  readonly allowPendingMerchantsToCollect: boolean;
  readonly paymentFeeBps: number;
  readonly paymentToleranceBps: number;
  readonly paymentToleranceMax: string;
  readonly paymentExpiryMinutes: number;
  readonly lateWindowHours: number;
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
