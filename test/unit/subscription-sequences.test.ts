import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Interval } from '../../src/lib/calendar.ts';
import { DAY_MS, HOUR_MS, after as later, MINUTE_MS } from '../../src/lib/clock.ts';
import { AppError } from '../../src/lib/errors.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type { Paused, SubscriptionEvent } from '../../src/subscriptions/schedule/subscription-events.ts';
import {
  isChargeOpen,
  openNumber,
  type SubscriptionInput,
  type SubscriptionState,
  type SubscriptionStep,
} from '../../src/subscriptions/schedule/subscription-state.ts';
import { at, clock, failed, pausedClock } from './subscription-fixture.ts';

/** The numbers of the periods that were charged and skipped. */
type Outcome = { readonly charged: number[]; readonly skipped: number[] };

/** Applies the clock and pays every charge it orders at `now`, one after another, as the jobs would. */
function payAllDue(state: SubscriptionState, outcome: Outcome, now: Date, paused = false): SubscriptionState {
  let result = step(state, paused ? pausedClock : clock, now);
  for (let rounds = 0; ; rounds += 1) {
    if (rounds > 10) throw new Error('the payAllDue never ends');
    const { skipped, charge } = result;
    for (let number = skipped?.from ?? 1; number <= (skipped?.to ?? 0); number += 1) outcome.skipped.push(number);
    if (!charge) return result.next;
    outcome.charged.push(charge.number);
    result = step(step(result.next, { kind: 'charge_succeeded', number: charge.number }, now).next, clock, now);
  }
}

const paying = (interval: Interval, day = '2026-01-31'): SubscriptionState => {
  const fresh = subscribe({ interval, trialDays: 0, mandateDeadlineHours: 72 }, at(day)).next;
  const signed = step(fresh, { kind: 'mandate_authorized' }, at(day)).next;
  return payAllDue(signed, { charged: [], skipped: [] }, at(day));
};

describe('after an outage', () => {
  test.each([
    ['monthly', '2026-03-03', [2], []],
    ['monthly', '2026-06-15', [5], [2, 3, 4]],
    ['weekly', '2026-03-03', [5], [2, 3, 4]],
    ['yearly', '2027-02-03', [2], []],
    ['daily', '2026-02-03', [2, 3, 4], []],
    ['daily', '2026-02-06', [2, 3, 4, 5, 6, 7], []],
    ['daily', '2026-02-20', [15, 16, 17, 18, 19, 20, 21], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
  ] as const)('a %s plan from 31 January that is next advanced on %s charges %j', (interval, day, charged, skipped) => {
    const outcome: Outcome = { charged: [], skipped: [] };
    const { currentPeriodEnd, status } = payAllDue(paying(interval), outcome, at(day));
    expect(outcome).toEqual({ charged, skipped });
    expect([status, currentPeriodEnd > at(day)]).toEqual(['active', true]);
  });

  test('a retry missed for three days is made once', () => {
    const state = paying('monthly');
    const first = step(step(state, clock, at('2026-02-28')).next, failed(2), at('2026-02-28'));
    const recovered = step(first.next, clock, at('2026-03-03T12:00:00.000Z'));
    expect(recovered.charge?.number).toBe(2);
    const again = step(recovered.next, failed(2), at('2026-03-03T12:00:00.000Z'));
    expect(again.next).toMatchObject({ failures: 2, nextActionAt: at('2026-03-05') });
  });

  test('an ordered charge that was never sent is replaced by that of the current period', () => {
    const ordered = step(paying('monthly'), clock, at('2026-02-28')).next;
    const { charge, withdrawn, skipped } = step(ordered, clock, at('2026-04-01'));
    expect([charge?.number, withdrawn, skipped]).toEqual([3, 2, { from: 2, to: 2, reason: 'late' }]);
  });

  test('a sent charge is waited for however long, and the periods after it are caught up', () => {
    const ordered = step(paying('daily'), clock, at('2026-02-01')).next;
    const sent = step(ordered, { kind: 'charge_started', number: 2 }, at('2026-02-01')).next;
    expect(step(sent, clock, at('2026-02-04'))).toMatchObject({ charge: null, skipped: null });
    const outcome: Outcome = { charged: [], skipped: [] };
    payAllDue(step(sent, { kind: 'charge_succeeded', number: 2 }, at('2026-02-04')).next, outcome, at('2026-02-04'));
    expect(outcome.charged).toEqual([3, 4, 5]);
  });
});

describe('while the merchant may not collect', () => {
  test('nothing is charged, and the paused periods are skipped except the current one', () => {
    const outcome: Outcome = { charged: [], skipped: [] };
    let state = paying('monthly');
    for (const day of ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-15'])
      state = payAllDue(state, outcome, at(day), true);
    expect([state.status, outcome]).toEqual(['active', { charged: [], skipped: [] }]);
    state = payAllDue(state, outcome, at('2026-05-02'));
    expect(outcome).toEqual({ charged: [4], skipped: [2, 3] });
    expect(state).toMatchObject({ pausedSince: null, currentPeriodStart: at('2026-04-30') });
  });

  test('a daily plan does not catch up on paused days', () => {
    const outcome: Outcome = { charged: [], skipped: [] };
    const paused = payAllDue(paying('daily'), outcome, at('2026-02-01'), true);
    payAllDue(paused, outcome, at('2026-02-03T12:00:00.000Z'));
    expect(outcome).toEqual({ charged: [4], skipped: [2, 3] });
  });

  test('retries do not run out, and start over afterwards', () => {
    const first = step(step(paying('monthly'), clock, at('2026-02-28')).next, failed(2), at('2026-02-28')).next;
    const paused = step(first, pausedClock, at('2026-03-01')).next;
    const resumed = step(paused, clock, at('2026-03-20')).next;
    const again = step(resumed, failed(2), at('2026-03-20'));
    expect(again.events).toEqual(['subscription.charge_failed']);
    expect(again.next).toMatchObject({ status: 'past_due', failures: 1, nextActionAt: at('2026-03-20T01:00:00.000Z') });
  });
});

type Move = {
  readonly kind: SubscriptionInput['kind'];
  readonly wait: number;
  readonly number: number;
  readonly paused: Paused;
};

const moves = fc.array(
  fc.record<Move>({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constant('clock' as const) },
      { weight: 3, arbitrary: fc.constantFrom('charge_started', 'charge_succeeded', 'charge_failed') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...(['charge_deferred', 'charge_reverted', 'charge_reversed', 'mandate_authorized', 'funds_seen'] as const),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('mandate_reverted', 'mandate_revoked', 'mandate_expired', 'retry', 'cancel'),
      },
    ),
    wait: fc.oneof(fc.constant(0), fc.nat(2 * HOUR_MS), fc.nat(3 * DAY_MS), fc.nat(60 * DAY_MS)),
    /** Distance from the next period's number. */
    number: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
    ),
    paused: fc.constantFrom<Paused>(false, false, false, false, true, 'delisted', 'unlisted'),
  }),
  { minLength: 5, maxLength: 60 },
);

function inputOf(move: Move, state: SubscriptionState, now: Date): SubscriptionInput {
  const number = Math.max(
    1,
    openNumber(state) + (isChargeOpen(state, openNumber(state)) ? move.number : -Math.abs(move.number)),
  );
  switch (move.kind) {
    case 'clock':
      return { kind: 'clock', paused: move.paused };
    case 'charge_failed':
      return failed(number);
    case 'charge_deferred':
      return { kind: 'charge_deferred', number, until: later(now, DAY_MS) };
    case 'charge_reversed':
      // The last that was paid, or one before it.
      return { kind: 'charge_reversed', number: Math.max(1, number - 1), isNew: true, collectable: state.everCharged };
    case 'cancel':
      return { kind: 'cancel', reason: 'requested' };
    case 'charge_started':
    case 'charge_succeeded':
    case 'charge_reverted':
      return { kind: move.kind, number };
    default:
      return { kind: move.kind };
  }
}

/** The statuses in which each event may be emitted. */
const STATUS_AFTER: Readonly<Record<SubscriptionEvent, readonly SubscriptionState['status'][]>> = {
  'subscription.created': ['active', 'trialing'],
  'subscription.trial_will_end': ['trialing'],
  'subscription.activated': ['active', 'cancelled'],
  'subscription.renewed': ['active', 'cancelled'],
  'subscription.charge_failed': ['past_due', 'cancelled'],
  'subscription.charge_reversed': ['active', 'past_due', 'cancelled', 'expired'],
  'subscription.charge_recovered': ['active', 'past_due', 'cancelled', 'expired'],
  'subscription.past_due': ['past_due'],
  'subscription.paused': ['active', 'trialing', 'past_due'],
  'subscription.cancelled': ['cancelled'],
  'subscription.expired': ['expired'],
};

function requireSound(before: SubscriptionState, input: SubscriptionInput, result: SubscriptionStep, now: Date): void {
  const { next, events, charge, refused, skipped } = result;
  const living = next.status !== 'cancelled' && next.status !== 'expired';
  expect(next.nextActionAt === null).toBe(next.status === 'expired');
  expect(next.nextNumber >= before.nextNumber && next.periodNumber >= before.periodNumber).toBe(true);
  expect(next.periodNumber).toBeLessThanOrEqual(next.nextNumber);
  for (const event of events) expect(STATUS_AFTER[event]).toContain(next.status);
  expect(events.includes('subscription.cancelled')).toBe(
    !living && before.status !== 'cancelled' && before.status !== 'expired',
  );
  if (charge) {
    const takenBack = input.kind === 'charge_reverted' || input.kind === 'charge_reversed';
    const mayBe = next.mandateStatus === 'active' || takenBack;
    // What had been paid before its period began is collected again at once, and again after that was undone.
    const wasPaid = takenBack && next.recharge === charge.number;
    expect([living, mayBe, isChargeOpen(next, charge.number), wasPaid || charge.periodStart <= now]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
  if (refused) expect([refused.number >= openNumber(before), next.charge]).toEqual([true, 'none']);
  if (next.recharge !== null) expect([living, next.recharge < next.nextNumber]).toEqual([true, true]);
  if (skipped) expect([skipped.from, skipped.to + 1]).toEqual([before.nextNumber, next.nextNumber]);
  if (!living) expect([next.charge, next.cancelledAt === null, charge]).toEqual(['none', false, null]);
  // After a clock input nothing may stay due, or the job would loop forever.
  if (input.kind === 'clock' && living && next.nextActionAt) expect(next.nextActionAt > now).toBe(true);
  if (input.kind === 'clock' && input.paused) expect(charge).toBeNull();
}

const DAILY_WITH_TRIAL = { interval: 'daily', trialDays: 14, mandateDeadlineHours: 72 } as const;

/** A story that a run of this test has found. */
const PAID_EARLY_AND_TAKEN_BACK_TWICE: Move[] = (
  ['charge_succeeded', 'charge_reversed', 'charge_reverted', 'clock', 'charge_deferred', 'clock', 'clock'] as const
).map((kind) => ({ kind, wait: 0, number: 0, paused: false }));

test('in any sequence of inputs, no period is charged twice, ended subscriptions stay ended, and nextActionAt is always set', () => {
  const plans = fc.record({
    interval: fc.constantFrom<Interval>('daily', 'weekly', 'monthly', 'yearly'),
    trialDays: fc.constantFrom(0, 0, 2, 14),
    mandateDeadlineHours: fc.constant(72),
  });
  fc.assert(
    fc.property(plans, moves, (plan, story) => {
      let now = at('2026-01-31');
      let state = subscribe(plan, now).next;
      /** Numbers of periods that were paid or skipped. */
      const over = new Set<number>();
      for (const move of story) {
        now =
          move.kind === 'clock' && state.nextActionAt && move.wait < MINUTE_MS
            ? latest(now, state.nextActionAt)
            : later(now, move.wait);
        const input = inputOf(move, state, now);
        // Only what was paid is taken back.
        if (input.kind === 'charge_reversed' && !(state.everCharged && over.has(input.number))) continue;
        const result = tryStep(state, input, now);
        if (!result) continue;
        requireSound(state, input, result, now);
        const { skipped, charge, next } = result;
        for (let number = skipped?.from ?? 1; number <= (skipped?.to ?? 0); number += 1) over.add(number);
        if (input.kind === 'charge_reversed' && next.recharge === input.number) over.delete(input.number);
        if (charge) expect(over.has(charge.number)).toBe(false);
        if (state.recharge !== null && result.events.includes('subscription.charge_recovered')) {
          expect(over.has(state.recharge)).toBe(false);
          over.add(state.recharge);
        }
        if (next.everCharged && (!state.everCharged || next.periodNumber > state.periodNumber)) {
          expect(over.has(next.periodNumber)).toBe(false);
          over.add(next.periodNumber);
        }
        state = next;
      }
    }),
    { numRuns: 200, examples: [[DAILY_WITH_TRIAL, PAID_EARLY_AND_TAKEN_BACK_TWICE]] },
  );
});

const latest = (a: Date, b: Date): Date => (a > b ? a : b);

function tryStep(state: SubscriptionState, input: SubscriptionInput, now: Date): SubscriptionStep | null {
  try {
    return step(state, input, now);
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return null;
    throw error;
  }
}
