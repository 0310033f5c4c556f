import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Interval, periodIndexAt, periodStart } from '../../src/lib/calendar.ts';
import { DAY_MS, HOUR_MS, after as later } from '../../src/lib/clock.ts';
import {
  availableAt,
  catchUpPeriods,
  earliestChargeAt,
  FRESH,
  type MandateTerms,
  mandateTerms,
  mostAllowed,
  type WindowState,
} from '../../src/subscriptions/schedule/mandate-window.ts';
import { chargedAt } from '../support/mandate-windows.ts';

const FIRST_DUE = new Date('2026-01-31T12:00:00.500Z');
const DOLLAR = 1_000_000n;

const terms = (interval: Interval, firstDue = FIRST_DUE, tokenAmount = 10n * DOLLAR): MandateTerms =>
  mandateTerms({ interval, currency: 'USD', tokenAmount, firstDue });

const seconds = (text: string): number => Date.parse(text) / 1000;

describe('the terms of a mandate', () => {
  test.each([
    ['daily', 86_400, 7],
    ['weekly', 604_800, 1],
    ['monthly', 2_419_200, 1],
    ['yearly', 31_536_000, 1],
  ] as const)('of a %s plan have windows of %i seconds, of which %i may be carried over', (interval, period, carry) => {
    expect(terms(interval)).toEqual({
      maxPerPeriod: 10n * DOLLAR,
      period,
      start: seconds('2026-01-31T11:00:00Z'),
      end: seconds('2036-01-31T12:00:00Z'),
      carry,
    });
  });

  test('allow exactly the price in dollars, and a quarter more for a price in rupees, rounded up', () => {
    const most = (currency: 'USD' | 'LKR', tokenAmount: bigint) =>
      mandateTerms({ interval: 'monthly', currency, tokenAmount, firstDue: FIRST_DUE }).maxPerPeriod;
    expect([most('USD', 3_333_333n), most('LKR', 4n), most('LKR', 5n), most('LKR', 3_333_333n)]).toEqual([
      3_333_333n,
      5n,
      7n,
      4_166_667n,
    ]);
  });

  test('are shown to the payer as amounts and dates', () => {
    expect(mostAllowed(terms('monthly'))).toEqual({
      perWindow: 10n * DOLLAR,
      windowDays: 28,
      atOnce: 20n * DOLLAR,
      inAll: 1310n * DOLLAR, // 3,652 days and an hour begin 131 windows.
      from: new Date('2026-01-31T11:00:00Z'),
      until: new Date('2036-01-31T12:00:00Z'),
    });
    expect(mostAllowed(terms('daily')).atOnce).toBe(80n * DOLLAR);
    expect(mostAllowed(terms('yearly')).inAll).toBe(110n * DOLLAR);
  });
});

describe('the windows', () => {
  const monthly = terms('monthly');
  const start = new Date(monthly.start * 1000);

  test('add their amount when they begin, carry one unused window, and end with the mandate', () => {
    const days = [-0.001, 0, 27.999, 28, 56, 500, 3652.041, 3652.042];
    expect(days.map((day) => availableAt(monthly, FRESH, later(start, day * DAY_MS)) / DOLLAR)).toEqual([
      0n,
      10n,
      10n,
      20n,
      20n,
      20n,
      20n,
      0n,
    ]);
  });

  test('give the earliest time at which an amount is allowed', () => {
    const spent: WindowState = { window: 1, available: 0n };
    const day = (count: number): Date => later(start, count * DAY_MS);
    const earliest = (amount: bigint, at: number, state = spent) =>
      earliestChargeAt(monthly, state, amount * DOLLAR, day(at));
    expect(earliest(10n, -5, FRESH)).toEqual(start);
    expect(earliest(10n, 3, FRESH)).toEqual(day(3));
    expect(earliest(10n, 3)).toEqual(day(28));
    expect(earliest(11n, 3)).toEqual(day(56));
    expect(earliest(20n, 30)).toEqual(day(56));
    expect(earliest(0n, 3)).toEqual(day(3));
    expect(earliest(21n, 3)).toBeNull(); // Never that much at once.
    expect(earliest(10n, 3651, { window: 131, available: 0n })).toBeNull(); // The mandate ends before the next window.
    expect(earliest(10n, 4000)).toBeNull();
  });

  test('never refuse at the earliest time, and always one millisecond before it', () => {
    const amounts = fc.bigInt(1n, 20n * DOLLAR);
    const charges = fc.array(fc.record({ amount: amounts, gap: fc.nat(70 * DAY_MS) }), { maxLength: 30 });
    fc.assert(
      fc.property(charges, amounts, fc.nat(40 * DAY_MS), (history, amount, passed) => {
        let [state, now] = [FRESH, later(start, -10 * DAY_MS)];
        for (const charge of history) {
          now = later(now, charge.gap);
          state = chargedAt(monthly, state, charge.amount, now) ?? state;
        }
        now = later(now, passed);
        const at = earliestChargeAt(monthly, state, amount, now);
        if (!at) return;
        expect(at >= now && chargedAt(monthly, state, amount, at) !== null).toBe(true);
        if (at > now) expect(chargedAt(monthly, state, amount, later(at, -1))).toBeNull();
      }),
    );
  });

  test('never allow more than has accrued, nor more than the maximum at once', () => {
    const charges = fc.array(fc.record({ amount: fc.bigInt(1n, 90n), gap: fc.nat(4 * DAY_MS) }), { maxLength: 60 });
    fc.assert(
      fc.property(charges, (history) => {
        const daily = terms('daily', FIRST_DUE, 10n);
        let [state, now] = [FRESH, new Date(daily.start * 1000)];
        const taken = new Map<number, bigint>();
        for (const { amount, gap } of history) {
          now = later(now, gap);
          const next = chargedAt(daily, state, amount, now);
          if (!next) continue;
          taken.set(next.window, (taken.get(next.window) ?? 0n) + amount);
          state = next;
          const inAll = [...taken.values()].reduce((sum, each) => sum + each, 0n);
          expect(inAll <= BigInt(next.window) * 10n && (taken.get(next.window) ?? 0n) <= 80n).toBe(true);
        }
      }),
    );
  });
});

/** Charges the full price at each of these times; returns those that the windows refused. */
function refusals(interval: Interval, anchor: Date, times: readonly Date[], madeFor = anchor): string[] {
  const mandate = terms(interval, madeFor, 1n);
  let state = FRESH;
  return times.flatMap((time) => {
    const next = chargedAt(mandate, state, 1n, time);
    state = next ?? state;
    return next ? [] : [`${interval} from ${anchor.toISOString()}: ${time.toISOString()}`];
  });
}

describe('the windows never refuse a charge that the calendar makes due', () => {
  const DELAYS_MS = [0, HOUR_MS, 6 * HOUR_MS, ...[1, 3, 5, 7, 10, 14].map((days) => days * DAY_MS)];
  const FIVE_YEARS: Readonly<Record<Interval, number>> = { daily: 1826, weekly: 260, monthly: 60, yearly: 5 };
  const anchors = fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  test('for any first day of four years, on time for 60 months, alone and after a late charge', () => {
    const first = new Date('2027-01-01T23:59:59.999Z');
    for (let day = 0; day < 1461; day += 1) {
      const anchor = later(first, day * DAY_MS);
      const late = DELAYS_MS[day % DELAYS_MS.length] ?? 0;
      const delayed = day % 60;
      const monthly = Array.from({ length: 60 }, (_, index) =>
        later(periodStart(anchor, 'monthly', index), index === delayed ? late : 0),
      );
      const yearly = Array.from({ length: 10 }, (_, index) =>
        later(periodStart(anchor, 'yearly', index), index === delayed % 10 ? late : 0),
      );
      expect(refusals('monthly', anchor, monthly)).toEqual([]);
      expect(refusals('yearly', anchor, yearly)).toEqual([]);
    }
  });

  test.each(['daily', 'weekly', 'monthly', 'yearly'] as const)('%s plans, on time or late by any retry', (interval) => {
    const delays = fc.array(fc.option(fc.constantFrom(...DELAYS_MS)), { minLength: 40, maxLength: 40 });
    // Who agrees later than the mandate was made for is charged from then on.
    const agreed = fc.oneof(fc.constant(0), fc.integer({ min: HOUR_MS, max: 90 * DAY_MS }));
    fc.assert(
      fc.property(anchors, delays, agreed, (first, late, after) => {
        const anchor = later(first, after);
        const times = Array.from({ length: FIVE_YEARS[interval] }, (_, index) => {
          const delay = late[index % late.length];
          const time = later(periodStart(anchor, interval, index), delay ?? 0);
          return delay === null || time >= periodStart(anchor, interval, index + 1) ? [] : [time];
        }).flat();
        expect(refusals(interval, anchor, times, first)).toEqual([]);
      }),
      { numRuns: interval === 'daily' ? 15 : 100 },
    );
  });

  test.each(['daily', 'weekly', 'monthly', 'yearly'] as const)(
    '%s plans, caught up after outages of any length',
    (interval) => {
      const gaps = fc.array(fc.oneof(fc.nat(HOUR_MS), fc.nat(20 * DAY_MS), fc.nat(900 * DAY_MS)), { maxLength: 30 });
      fc.assert(
        fc.property(anchors, gaps, (anchor, outages) => {
          let [now, next] = [anchor, 0];
          const times: Date[] = [];
          for (const gap of outages) {
            const dueAt = periodStart(anchor, interval, next);
            now = later(now > dueAt ? now : dueAt, gap);
            const index = periodIndexAt(anchor, interval, now);
            for (next = Math.max(next, index - catchUpPeriods(interval)); next <= index; next += 1) times.push(now);
          }
          const end = periodStart(anchor, 'yearly', 10);
          expect(
            refusals(
              interval,
              anchor,
              times.filter((time) => time < end),
            ),
          ).toEqual([]);
        }),
      );
    },
  );

  test('refuse one more catch-up charge than the limit', () => {
    // Two months charged at once just before the third is due leave nothing for it when no window begins in between.
    const anchor = new Date('2026-01-31T00:00:00Z');
    const recovered = new Date('2026-05-30T23:00:00Z');
    const due = periodStart(anchor, 'monthly', 4);
    expect(refusals('monthly', anchor, [recovered, recovered, due])).toHaveLength(1);
    expect(refusals('monthly', anchor, [recovered, due])).toEqual([]);
  });
});
