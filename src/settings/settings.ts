import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import { findStored } from './queries.ts';

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
  /** How deep a block must lie to be counted on, where that differs from the configuration of the network. */
  readonly confirmations: Readonly<Record<string, number>>;
  /** How long a subscription without a trial waits for its customer to agree. */
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
  withdrawalFees: { bank: { bps: 50, min: '5.00' }, networks: {} },
  fourEyesThreshold: null,
  verifyPayoutOnChain: true,
  payoutWallets: [],
  offRampAddress: null,
  confirmations: {},
  mandateDeadlineHours: 72,
  webhookRetentionDays: 60,
  auditRetentionDays: null,
  manualRates: {},
};

export const SANDBOX_DEFAULTS: Settings = { ...LIVE_DEFAULTS, allowPendingMerchantsToCollect: true };

const NETWORK_FEE = '1.00';

/** What holds where the platform's owners have chosen nothing else; a payout in crypto costs a dollar on every network that we watch. */
export function defaultSettings(livemode: boolean, networks: readonly string[]): Settings {
  const defaults = livemode ? LIVE_DEFAULTS : SANDBOX_DEFAULTS;
  const fees = {
    ...defaults.withdrawalFees,
    networks: Object.fromEntries(networks.map((name) => [name, NETWORK_FEE])),
  };
  return { ...defaults, withdrawalFees: fees };
}

const CACHE_MS = 1000;

export type SettingsReader = {
  /** The settings in force, at most a second old. */
  readonly current: () => Promise<Settings>;
  /** The settings as they were last read, for what is only shown. */
  readonly latest: () => Settings;
};

/** Reads the settings through a cache of a second that a change empties at once. */
export function createSettings(db: Db, defaults: Settings, subscribe: Subscribe): SettingsReader {
  let cached: { readonly value: Promise<Settings>; readonly until: number } | undefined;
  let latest = defaults;
  const read = (): Promise<Settings> => {
    const value = readSettings(db, defaults);
    cached = { value, until: monotonicMs() + CACHE_MS };
    value.then(
      (settings) => {
        latest = settings;
      },
      () => {
        cached = undefined;
      },
    );
    return value;
  };
  subscribe('kasi_settings', () => void read());
  return {
    current: () => (cached && cached.until > monotonicMs() ? cached.value : read()),
    latest: () => latest,
  };
}

async function readSettings(db: Db, defaults: Settings): Promise<Settings> {
  return settingsOf((await findStored(db)).overrides, defaults);
}

/** The settings in force when these were chosen over the defaults; what this version no longer knows is left out. */
export function settingsOf(overrides: JsonObject, defaults: Settings): Settings {
  const known = Object.entries(overrides).filter(([name]) => Object.hasOwn(defaults, name));
  return { ...defaults, ...(Object.fromEntries(known) as Partial<Settings>) };
}

/** How deep a block of the network must lie to be counted on. */
export const confirmationsOn = <C extends number | 'finalized'>(
  { confirmations }: Pick<Settings, 'confirmations'>,
  network: { readonly name: string; readonly confirmations: C },
): C | number =>
  (Object.hasOwn(confirmations, network.name) ? confirmations[network.name] : undefined) ?? network.confirmations;
