import { type Interval, periodStart } from '../../lib/calendar.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/clock.ts';
import { type Currency, divideUp } from '../../lib/money.ts';

/**
 * The limits that a payer signs, in the units of the contract: seconds since 1970 and base units of the token. Time is cut into windows
 * of `period` seconds from `start`; each brings `maxPerPeriod`, and what at most `carry` windows left unused is kept.
 */
export type MandateTerms = {
  readonly maxPerPeriod: bigint;
  readonly period: number;
  readonly start: number;
  /** The first second that is too late. */
  readonly end: number;
  readonly carry: number;
};

/** What the contract remembers of a mandate's windows: the last one charged in, counted from 1, and what that left. */
export type WindowState = { readonly window: number; readonly available: bigint };

/** A mandate that was never charged. */
export const FRESH: WindowState = { window: 0, available: 0n };

/** No window is longer than the shortest period of its interval, so periods never come faster than windows do. */
const WINDOW_DAYS: Readonly<Record<Interval, number>> = { daily: 1, weekly: 7, monthly: 28, yearly: 365 };

const CARRY: Readonly<Record<Interval, number>> = { daily: 7, weekly: 1, monthly: 1, yearly: 1 };

/** A block's time may be a little behind ours; a charge that falls on a window's edge must find it begun. */
const LEAD_SECONDS = HOUR_MS / SECOND_MS;

/**
 * A mandate ends by itself ten years after its first due time. Wallets warn of what never ends, "until this date" can be said in a sentence,
 * and with an end there is a sum that can never be exceeded. A subscription that lives longer asks its payer again.
 */
const YEARS = 10;

/** An LKR price may ask up to a quarter more of the token than on the day of signing before the payer has to sign again. */
const LKR_HEADROOM = { numerator: 5n, denominator: 4n };

/**
 * The terms of a mandate whose first charge is due at `firstDue` (the subscription's anchor: now without a trial, else the trial's end).
 * `tokenAmount` is today's price in base units; that of an LKR plan follows the rate, so its limit is a quarter higher, rounded up.
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

/** What the terms allow at most, in base units of the token, for the page that asks the payer to sign. */
export type MostAllowed = {
  /** In each window, on the average. */
  readonly perWindow: bigint;
  readonly windowDays: number;
  /** Within one window, when earlier ones were left unused. */
  readonly atOnce: bigint;
  /** From the first to the last day of the mandate. */
  readonly inAll: bigint;
  readonly from: Date;
  /** From here on nothing can be taken. */
  readonly until: Date;
};

/** The numbers that the page tells. Up to any moment never more than `perWindow` times the windows begun is taken. */
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

/** What the contract lets be charged at `now`: 0 before the start and from the end on. */
export function availableAt(terms: MandateTerms, state: WindowState, now: Date): bigint {
  const seconds = secondsOf(now);
  if (seconds < terms.start || seconds >= terms.end) return 0n;
  const available = state.available + BigInt(windowAt(terms, seconds) - state.window) * terms.maxPerPeriod;
  return available < capacity(terms) ? available : capacity(terms);
}

/** The state after `amount` was charged at `now`, or null where the contract refuses it for the window. */
export function chargedAt(terms: MandateTerms, state: WindowState, amount: bigint, now: Date): WindowState | null {
  const available = availableAt(terms, state, now);
  return amount > available ? null : { window: windowAt(terms, secondsOf(now)), available: available - amount };
}

/**
 * From when on the windows allow `amount`: `now`, or the start of the window that brings enough of it. Null when none ever does: the amount
 * is more than may be taken at once, or the mandate ends first.
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
 * How many periods before the one that contains now are still charged when it was we who came late. One window of the carry is left alone:
 * whoever spends all of it finds the next period, due as always, refused until a window begins. So a daily plan makes up for six days,
 * and the others charge only for the period that contains now.
 */
export const catchUpPeriods = (interval: Interval): number => CARRY[interval] - 1;

/** The window of a time within the mandate, counted from 1. */
const windowAt = (terms: MandateTerms, seconds: number): number =>
  Math.floor((seconds - terms.start) / terms.period) + 1;

const capacity = (terms: MandateTerms): bigint => BigInt(1 + terms.carry) * terms.maxPerPeriod;

const secondsOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

const dateOf = (seconds: number): Date => new Date(seconds * SECOND_MS);
