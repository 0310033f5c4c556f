import { MERCHANT_KINDS, type MerchantKind } from '../ledger/accounts.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import { type Cause, causesOf } from './categories.ts';

/** Micro-dollars on each account of a merchant. */
export type Amounts = Readonly<Record<MerchantKind, bigint>>;

/** What journals of one kind booked in a month on one account: the merchant's own, or the platform's for its fees. */
export type Turnover = {
  /** `2026-10` */
  readonly month: string;
  readonly kind: string;
  readonly account: MerchantKind | 'fees';
  readonly amountMicro: bigint;
  /** Each journal counts in one turnover. */
  readonly journals: bigint;
};

export type Month = {
  readonly month: string;
  readonly opening: Amounts;
  readonly totals: Readonly<Record<Cause, bigint>>;
  readonly closing: Amounts;
  /** How many journals it has. */
  readonly journals: number;
};

/** Bookings carry the time at which their work began, so a few may come after the month that they belong to. */
const FINAL_AFTER_MS = HOUR_MS;

const NOTHING: Amounts = { pending: 0n, available: 0n, hold: 0n, suspense: 0n, debt: 0n };

/** The first moment of a month and of the next. */
export function boundsOf(month: string): { readonly from: Date; readonly to: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
}

/** Whether nothing is booked into a month any more. */
export const isFinal = (month: string, now: Date): boolean => now >= after(boundsOf(month).to, FINAL_AFTER_MS);

/** All accounts together, in micro-dollars. */
export const totalOf = (amounts: Amounts): bigint => MERCHANT_KINDS.reduce((sum, kind) => sum + amounts[kind], 0n);

const plus = (amounts: Amounts, { account, amountMicro }: Turnover): Amounts =>
  account === 'fees' ? amounts : { ...amounts, [account]: amounts[account] + amountMicro };

/**
 * A month, from the turnovers of it and of all months before. Each opens as the one before closes, and its totals make
 * up the difference. Pure.
 */
export function monthOf(month: string, turnovers: readonly Turnover[]): Month {
  const own = turnovers.filter((each) => each.month === month);
  const opening = turnovers.filter((each) => each.month < month).reduce(plus, NOTHING);
  const totals: Record<Cause, bigint> = {
    ...{ received: 0n, fees: 0n, reversals: 0n, refunds: 0n },
    ...{ payouts: 0n, payoutFees: 0n, other: 0n },
  };
  for (const { kind, account, amountMicro } of own) {
    const causes = causesOf(kind);
    totals[causes.value] += amountMicro;
    if (account === 'fees') totals[causes.fee] -= amountMicro;
  }
  const journals = Number(own.reduce((sum, each) => sum + each.journals, 0n));
  return { month, opening, totals, closing: own.reduce(plus, opening), journals };
}

/** The months that have turnovers, newest first. */
export const monthsIn = (turnovers: readonly Turnover[]): string[] =>
  [...new Set(turnovers.map(({ month }) => month))].sort().reverse();
