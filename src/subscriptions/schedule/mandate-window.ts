import { type Interval, periodStart } from '../../lib/calendar.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/clock.ts';
import { type Currency, divideUp } from '../../lib/money.ts';

/**
 * The limits that a payer signs, in the units of the contract: seconds since 1970 and base units of the token. Time
 * is cut into windows of `period` seconds from `start`; each adds `maxPerPeriod`, and unused amounts of at most
 * `carry` windows are kept.
 */
export type MandateTerms = {
  readonly maxPerPeriod: bigint;
  readonly period: number;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly carry: number;
};

/** What the contract stores: the last window charged in, counted from 1, and the amount left after that charge. */
export type WindowState = { readonly window: number; readonly available: bigint };

/** A mandate that was never charged. */
export const FRESH: WindowState = { window: 0, available: 0n };

/** No window is longer than the shortest period of its interval, so each period finds a new window. */
const WINDOW_DAYS: Readonly<Record<Interval, number>> = { daily: 1, weekly: 7, monthly: 28, yearly: 365 };

const CARRY: Readonly<Record<Interval, number>> = { daily: 7, weekly: 1, monthly: 1, yearly: 1 };

/** Block time may lag behind ours; a charge at the edge of a window must find the window begun. */
const LEAD_SECONDS = HOUR_MS / SECOND_MS;

/** See decision subscriptions/mandates-end-after-ten-years. */
const YEARS = 10;

/** An LKR price may cost up to a quarter more tokens than on the day of signing before the payer must sign again. */
const LKR_HEADROOM = { numerator: 5n, denominator: 4n };

/**
 * The terms of a mandate whose first charge is due at `firstDue` (the subscription's anchor: now without a trial,
 * else the trial's end). `tokenAmount` is today's price in base units. An LKR price follows the rate, so its limit is
 * a quarter higher, rounded up.
 */
export function mandateTerms(plan: {
  readonly interval: Interval;
  readonly currency: Currency;
  readonly tokenAmount: bigint;
  readonly firstDue: Date;
}): MandateTerms {
  const { interval, currency, tokenAmount, firstDue } = plan;
  const { numerator, denominator } = LKR_HEADROOM;
  return {
    maxPerPeriod: currency === 'USD' ? tokenAmount : divideUp(tokenAmount * numerator, denominator),
    period: (WINDOW_DAYS[interval] * DAY_MS) / SECOND_MS,
    start: secondsOf(firstDue) - LEAD_SECONDS,
    end: secondsOf(periodStart(firstDue, 'yearly', YEARS)),
    carry: CARRY[interval],
  };
}

/** What one charge took when these terms were made, in base units. */
export const unitsWhenMade = ({ maxPerPeriod }: Pick<MandateTerms, 'maxPerPeriod'>, currency: Currency): bigint =>
  currency === 'USD' ? maxPerPeriod : (maxPerPeriod * LKR_HEADROOM.denominator) / LKR_HEADROOM.numerator;

/** The most that the terms allow, in base units of the token, for the page that asks the payer to sign. */
export type MostAllowed = {
  /** In each window, on average. */
  readonly perWindow: bigint;
  readonly windowDays: number;
  /** Within one window, after unused ones. */
  readonly atOnce: bigint;
  /** Over the whole life of the mandate. */
  readonly inAll: bigint;
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
};

/** The figures on the page. At any moment, at most `perWindow` times the windows begun has been charged. */
export function mostAllowed(terms: MandateTerms): MostAllowed {
  return {
    perWindow: terms.maxPerPeriod,
    windowDays: (terms.period * SECOND_MS) / DAY_MS,
    atOnce: capacity(terms),
    inAll: BigInt(windowAt(terms, terms.end - 1)) * terms.maxPerPeriod,
    from: dateOf(terms.start),
    until: dateOf(terms.end),
  };
}

/** What the contract allows to charge at `now`: 0 before the start and from the end on. */
export function availableAt(terms: MandateTerms, state: WindowState, now: Date): bigint {
  const seconds = secondsOf(now);
  if (seconds < terms.start || seconds >= terms.end) return 0n;
  const available = state.available + BigInt(windowAt(terms, seconds) - state.window) * terms.maxPerPeriod;
  return available < capacity(terms) ? available : capacity(terms);
}

/**
 * The earliest time at which the windows allow `amount`: `now`, or the start of the window that adds enough. Null
 * when none ever does: the amount exceeds the most for one charge, or the mandate ends first.
 */
export function earliestChargeAt(terms: MandateTerms, state: WindowState, amount: bigint, now: Date): Date | null {
  if (amount > capacity(terms)) return null;
  const from = Math.max(secondsOf(now), terms.start);
  if (from >= terms.end) return null;
  const lacking = amount - availableAt(terms, state, dateOf(from));
  if (lacking <= 0n) return from === terms.start && now < dateOf(from) ? dateOf(from) : now;
  const windows = Number(divideUp(lacking, terms.maxPerPeriod));
  const at = terms.start + (windowAt(terms, from) - 1 + windows) * terms.period;
  return at < terms.end ? dateOf(at) : null;
}

/**
 * How many periods before the current one are still charged after an outage of ours: six for a daily plan, none for the
 * others. One window of the carry is left unused. See decision subscriptions/catch-up-after-an-outage.
 */
export const catchUpPeriods = (interval: Interval): number => CARRY[interval] - 1;

/** The window that contains a time, counted from 1. */
const windowAt = (terms: MandateTerms, seconds: number): number =>
  Math.floor((seconds - terms.start) / terms.period) + 1;

const capacity = (terms: MandateTerms): bigint => BigInt(1 + terms.carry) * terms.maxPerPeriod;

const secondsOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

const dateOf = (seconds: number): Date => new Date(seconds * SECOND_MS);
