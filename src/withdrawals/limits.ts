import { type AppError, conflict } from '../lib/errors.ts';
import { formatCents, max } from '../lib/money.ts';
import type { Settings } from '../settings/settings.ts';
import { centsOf } from './fees.ts';

/** What a merchant has withdrawn already. */
export type Usage = {
  /** Withdrawals whose money is in the hold account. */
  readonly open: number;
  /** US cents requested within 24 hours and not returned. */
  readonly lastDayMinor: bigint;
};

/** The platform's limits, in US cents, and what is left of them for one merchant. */
export type Limits = {
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  readonly dailyMaxMinor: bigint;
  readonly dailyRemainingMinor: bigint;
  readonly openMax: number;
  readonly openRemaining: number;
};

/** The limits for a merchant with `usage`. */
export function limitsOf(settings: Settings, usage: Usage): Limits {
  const dailyMaxMinor = centsOf(settings.withdrawalDailyMax);
  const left = dailyMaxMinor - usage.lastDayMinor;
  return {
    minMinor: centsOf(settings.withdrawalMin),
    maxMinor: centsOf(settings.withdrawalMax),
    dailyMaxMinor,
    dailyRemainingMinor: max(left, 0n),
    openMax: settings.withdrawalMaxOpen,
    openRemaining: Math.max(0, settings.withdrawalMaxOpen - usage.open),
  };
}

/** Throws CONFLICT (`limit_exceeded`) for a withdrawal beyond a limit; the message names the limit. */
export function requireWithin(limits: Limits, amountMinor: bigint): void {
  const { minMinor, maxMinor, dailyMaxMinor, dailyRemainingMinor, openMax, openRemaining } = limits;
  if (amountMinor < minMinor) throw exceeded(`One withdrawal must be at least ${formatCents(minMinor)} USD.`);
  if (amountMinor > maxMinor) throw exceeded(`One withdrawal may be at most ${formatCents(maxMinor)} USD.`);
  if (openRemaining === 0) {
    throw exceeded(`At most ${openMax} withdrawals may be open at once. Wait until one is paid, or cancel one.`);
  }
  if (amountMinor > dailyRemainingMinor) {
    throw exceeded(
      `Withdrawals of 24 hours may come to ${formatCents(dailyMaxMinor)} USD; \
${formatCents(dailyRemainingMinor)} USD are left now.`,
    );
  }
}

const exceeded = (message: string): AppError => conflict(message, 'limit_exceeded');
