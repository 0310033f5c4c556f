import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import { findStored } from './queries.ts';

export type WithdrawalFees = {
  /** Of a bank payout: basis points of the amount, at least `min`. */
  readonly bank: { readonly bps: number; readonly min: string };
  /** Of a crypto payout, by network. */
  readonly networks: Readonly<Record<string, string>>;
};

/**
 * The settings that administrators may change while the platform runs. Amounts are decimal strings in dollars; a
 * duration's name ends in its unit.
 */
export type Settings = {
  readonly allowPendingMerchantsToCollect: boolean;
  readonly paymentFeeBps: number;
  readonly paymentToleranceBps: number;
  readonly paymentToleranceMax: string;
  readonly paymentExpiryMinutes: number;
  /** How much less than on the market a coin counts when a payment is quoted in it, in basis points. */
  readonly rateSpreadBps: number;
  readonly lateWindowHours: number;
  /** Of one withdrawal, before the fee. */
  readonly withdrawalMin: string;
  readonly withdrawalMax: string;
  /** Of all withdrawals that a merchant requests within 24 hours, except those that failed or were rejected. */
  readonly withdrawalDailyMax: string;
  /** The most open withdrawals that a merchant may have at once. */
  readonly withdrawalMaxOpen: number;
  readonly withdrawalFees: WithdrawalFees;
  /** Of all refunds of a merchant within 24 hours that may go to others than the wallet that paid. */
  readonly refundDailyMax: string;
  /**
   * From this amount on, a withdrawal must be approved and completed by different administrators; null turns that off.
   */
  readonly fourEyesThreshold: string | null;
  /**
   * How long a change that touches where money goes is announced before it takes effect. See
   * decision settings/changes-of-money-wait.
   */
  readonly changeDelayHours: number;
  /** Completes a crypto withdrawal only after its payout was found on the chain, on every watched network. */
  readonly verifyPayoutOnChain: boolean;
  /** Addresses that payouts may come from; an empty list allows any. */
  readonly payoutWallets: readonly string[];
  /** Where the crypto leg of bank withdrawals goes. */
  readonly offRampAddress: string | null;
  /** Confirmations by network, where more are asked for than by the network's configuration. */
  readonly confirmations: Readonly<Record<string, number>>;
  /** From this worth on, in dollars, we send what payers have signed; null: nothing. */
  readonly relayMinAmount: string | null;
  /** The most signed transfers that we take for a merchant within 24 hours. */
  readonly relayDailyMax: number;
  /** How long a subscription without a trial waits for its customer to agree to the mandate. */
  readonly mandateDeadlineHours: number;
  readonly webhookRetentionDays: number;
  /** Null keeps the audit log forever (decision audit/kept-forever). */
  readonly auditRetentionDays: number | null;
  /** Rates by pair (`USD/LKR`, `ETH/USD`) that override every source. */
  readonly manualRates: Readonly<Record<string, string>>;
};

export const LIVE_DEFAULTS: Settings = {
  allowPendingMerchantsToCollect: false,
  paymentFeeBps: 0,
  paymentToleranceBps: 50,
  paymentToleranceMax: '0.50',
  paymentExpiryMinutes: 60,
  rateSpreadBps: 50,
  lateWindowHours: 24,
  withdrawalMin: '10.00',
  withdrawalMax: '10000.00',
  withdrawalDailyMax: '50000.00',
  withdrawalMaxOpen: 5,
  withdrawalFees: { bank: { bps: 50, min: '5.00' }, networks: {} },
  refundDailyMax: '50000.00',
  fourEyesThreshold: '1000.00',
  changeDelayHours: 24,
  verifyPayoutOnChain: true,
  payoutWallets: [],
  offRampAddress: null,
  confirmations: {},
  relayMinAmount: null,
  relayDailyMax: 200,
  mandateDeadlineHours: 72,
  webhookRetentionDays: 60,
  auditRetentionDays: null,
  manualRates: {},
};

/** One person tries everything out, and at once. */
export const SANDBOX_DEFAULTS: Settings = {
  ...LIVE_DEFAULTS,
  allowPendingMerchantsToCollect: true,
  fourEyesThreshold: null,
  changeDelayHours: 0,
  rateSpreadBps: 0,
  relayMinAmount: '5.00',
};

const NETWORK_FEE = '1.00';

/** The defaults of the mode. A crypto payout costs one dollar on every watched network. */
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
  /** The settings as last read, for display only. */
  readonly latest: () => Settings;
};

/** Reads the settings through a one-second cache that a notification empties. */
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

/** The defaults with these overrides; leaves out settings that this version doesn't know. */
export function settingsOf(overrides: JsonObject, defaults: Settings): Settings {
  const known = Object.entries(overrides).filter(([name]) => Object.hasOwn(defaults, name));
  return { ...defaults, ...(Object.fromEntries(known) as Partial<Settings>) };
}

/** How deep a block of the network has to lie: as the file says or, if they ask for more, the settings. */
export const confirmationsOn = <C extends number | 'finalized'>(
  { confirmations }: Pick<Settings, 'confirmations'>,
  network: { readonly name: string; readonly confirmations: C },
): C | number => {
  const wanted = Object.hasOwn(confirmations, network.name) ? confirmations[network.name] : undefined;
  const configured: number | 'finalized' = network.confirmations;
  return wanted !== undefined && configured !== 'finalized' && wanted > configured ? wanted : network.confirmations;
};
