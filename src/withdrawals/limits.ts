import { AppError } from '../lib/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { centsOf, formatCents } from './fees.ts';

/** What a merchant has taken out already. */
export type Usage = {
  /** Withdrawals whose money is held. */
  readonly open: number;
  /** US cents that were asked for on this UTC day and not given back. */
  readonly todayMinor: bigint;
};

/** What the platform allows, in US cents, and what of it is left to one merchant. */
export type Limits = {
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  readonly dailyMaxMinor: bigint;
  readonly dailyRemainingMinor: bigint;
  readonly openMax: number;
  readonly openRemaining: number;
};

/** The limits that stand before a merchant who has taken out `usage`. */
export function limitsOf(settings: Settings, usage: Usage): Limits {
  const dailyMaxMinor = centsOf(settings.withdrawalDailyMax);
  const left = dailyMaxMinor - usage.todayMinor;
  return {
    minMinor: centsOf(settings.withdrawalMin),
    maxMinor: centsOf(settings.withdrawalMax),
    dailyMaxMinor,
    dailyRemainingMinor: left > 0n ? left : 0n,
    openMax: settings.withdrawalMaxOpen,
    openRemaining: Math.max(0, settings.withdrawalMaxOpen - usage.open),
  };
}

/**
 * Throws CONFLICT (`limit_exceeded`) for a withdrawal that one of the limits stands against, and says which and what it
 * allows.
 */
export function requireWithin(limits: Limits, amountMinor: bigint): void {
  const { minMinor, maxMinor, dailyMaxMinor, dailyRemainingMinor, openMax, openRemaining } = limits;
  if (amountMinor < minMinor) throw exceeded(`One withdrawal must be at least ${formatCents(minMinor)} USD.`);
  if (amountMinor > maxMinor) throw exceeded(`One withdrawal may be at most ${formatCents(maxMinor)} USD.`);
  if (openRemaining === 0) {
    throw exceeded(`At most ${openMax} withdrawals may be open at once. Wait until one is paid, or cancel one.`);
  }
  if (amountMinor > dailyRemainingMinor) {
    throw exceeded(
      `Withdrawals of one UTC day may come to ${formatCents(dailyMaxMinor)} USD; ${formatCents(dailyRemainingMinor)} USD are left today.`,
    );
  }
}

const exceeded = (message: string): AppError => new AppError('CONFLICT', message, { reason: 'limit_exceeded' });
