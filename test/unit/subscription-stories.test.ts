import { describe, expect, test } from 'vitest';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type { SubscriptionInput, SubscriptionState } from '../../src/subscriptions/schedule/subscription-state.ts';
import { at, clock, DUE, failed, NOW, pausedClock, play, subscription, summaryOf } from './subscription-fixture.ts';

const authorized: SubscriptionInput = { kind: 'mandate_authorized' };
const revoked: SubscriptionInput = { kind: 'mandate_revoked' };
const funds: SubscriptionInput = { kind: 'funds_seen' };
const started = (number: number): SubscriptionInput => ({ kind: 'charge_started', number });
const succeeded = (number: number): SubscriptionInput => ({ kind: 'charge_succeeded', number });
const deferred = (number: number, until: string): SubscriptionInput => ({
  kind: 'charge_deferred',
  number,
  until: at(until),
});

const reversed = (number: number, collectable = true): SubscriptionInput => ({
  ...{ kind: 'charge_reversed', number, isNew: true, collectable },
});

describe('what a reorg took back', () => {
  const again = { kind: 'charge_succeeded', number: 2, again: true } as const;

  test('is given up once a later number came back alone, which the chain takes nothing below after', () => {
    const { lines, last } = play(subscription(), [
      [reversed(1), NOW],
      [reversed(2), NOW],
      [again, NOW],
    ]);
    expect(lines).toEqual([
      'active +charge_reversed charge 1',
      'active +charge_reversed',
      'active +charge_recovered withdraw 1',
    ]);
    expect(last).toMatchObject({ recharge: null, charge: 'none', nextActionAt: DUE });
    expect(step(last, clock, NOW).charge?.number).toBe(3);
  });

  test('is given up also after its wallet was empty, and when a new number was collected', () => {
    const { last } = play(subscription(), [
      [reversed(1), NOW],
      [failed(1), NOW],
    ]);
    expect(last).toMatchObject({ status: 'past_due', recharge: 1 });
    expect(summaryOf(step(last, again, NOW))).toBe('active +charge_recovered withdraw 1');
    expect(summaryOf(step(last, succeeded(3), NOW))).toBe('active +renewed withdraw 1');
  });

  test('is not ordered where the chain takes it no more, and the next period is', () => {
    const { lines } = play(subscription(), [
      [reversed(2, false), NOW],
      [clock, NOW],
    ]);
    expect(lines).toEqual(['active +charge_reversed', 'active charge 3']);
  });
});

const begin = (
  interval: SubscriptionState['interval'],
  day: string,
  trialDays = 0,
  mandateDeadlineHours = 72,
): SubscriptionState => subscribe({ interval, trialDays, mandateDeadlineHours }, at(day)).next;

describe('without a trial', () => {
  test('it is active at once, with an unpaid first period, and waits for the mandate', () => {
    const result = subscribe({ interval: 'monthly', trialDays: 0, mandateDeadlineHours: 72 }, at('2026-01-31'));
    expect(summaryOf(result)).toBe('active +created');
    expect(result.next).toMatchObject({
      mandateStatus: 'pending',
      trialEnd: null,
      periodNumber: 1,
      currentPeriodStart: at('2026-01-31'),
      currentPeriodEnd: at('2026-02-28'),
      nextActionAt: at('2026-02-03'),
    });
  });

  test('the first charge is due once the mandate is active, for a period that begins then', () => {
    const { lines, last } = play(begin('monthly', '2026-01-31'), [
      [clock, '2026-02-01'],
      [authorized, '2026-02-02'],
      [clock, '2026-02-02'],
      [started(1), '2026-02-02'],
      [succeeded(1), '2026-02-02'],
    ]);
    expect(lines).toEqual(['active', 'active', 'active charge 1', 'active', 'active +activated']);
    const first = { currentPeriodStart: at('2026-02-02'), currentPeriodEnd: at('2026-03-02') };
    expect(last).toMatchObject({ ...first, periodNumber: 1, nextActionAt: at('2026-03-02') });
  });

  test('a customer who agrees within the first hour has the period that began at subscribing', () => {
    const prompt = { kind: 'mandate_authorized', at: at('2026-01-31T01:00:00.000Z') } as const;
    const { last } = play(begin('monthly', '2026-01-31'), [[prompt, '2026-01-31T05:00:00.000Z']]);
    expect(last).toMatchObject({ anchorAt: at('2026-01-31'), currentPeriodEnd: at('2026-02-28') });
  });

  test('who agrees just before the first period ends is not charged again before another has passed', () => {
    const { lines, last } = play(begin('daily', '2026-03-01'), [
      [{ kind: 'mandate_authorized', at: at('2026-03-01T23:50:00.000Z') }, '2026-03-01T23:50:12.000Z'],
      [clock, '2026-03-01T23:50:12.000Z'],
      [succeeded(1), '2026-03-01T23:50:30.000Z'],
      [clock, '2026-03-02T12:00:00.000Z'],
      [clock, '2026-03-02T23:50:00.000Z'],
    ]);
    expect(lines).toEqual(['active', 'active charge 1', 'active +activated', 'active', 'active charge 2']);
    expect(last.currentPeriodEnd).toEqual(at('2026-03-02T23:50:00.000Z'));
  });

  test('a charge that waits for gas is withdrawn where its customer agrees anew, as its period begins anew', () => {
    const { last } = play(begin('monthly', '2026-01-31'), [
      [{ kind: 'mandate_authorized', at: at('2026-01-31') }, '2026-01-31'],
      [clock, '2026-01-31'],
      [{ kind: 'mandate_revoked' }, '2026-01-31T01:00:00.000Z'],
    ]);
    expect(last.charge).toBe('due');
    const agreed = step(last, { kind: 'mandate_authorized', at: at('2026-02-01') }, at('2026-02-01'));
    expect(agreed).toMatchObject({ withdrawn: 1, next: { charge: 'none', anchorAt: at('2026-02-01') } });
    const ordered = step(agreed.next, clock, at('2026-02-01'));
    expect(ordered.charge).toEqual({ number: 1, periodStart: at('2026-02-01'), periodEnd: at('2026-03-01') });
  });

  test('days between agreeing and our seeing it are late; days before it were not agreed to', () => {
    const daily = begin('daily', '2026-03-01');
    const seen = step(daily, { kind: 'mandate_authorized', at: at('2026-03-01') }, at('2026-03-04'));
    expect(seen.skipped).toEqual({ from: 1, to: 3, reason: 'late' });
    const skipped = { ...daily, nextNumber: 2 };
    const agreed = step(skipped, { kind: 'mandate_authorized', at: at('2026-03-04') }, at('2026-03-04'));
    expect(agreed.skipped).toEqual({ from: 2, to: 3, reason: 'not_authorized' });
  });

  test('who agreed before a pause is charged after it for a period that begins then', () => {
    const { lines, last } = play(begin('monthly', '2026-01-31'), [
      [{ kind: 'mandate_authorized', at: at('2026-01-31') }, '2026-01-31'],
      [pausedClock, '2026-01-31'],
      [pausedClock, '2026-02-26T22:00:00.000Z'],
      [clock, '2026-02-27T22:00:00.000Z'],
      [succeeded(1), '2026-02-27T22:00:00.000Z'],
    ]);
    expect(lines).toEqual(['active', 'active', 'active', 'active charge 1', 'active +activated']);
    expect(last).toMatchObject({ pausedSince: null, currentPeriodEnd: at('2026-03-27T22:00:00.000Z') });
  });

  test('without a mandate in time it is cancelled, together with the unpaid period', () => {
    const { lines, last } = play(begin('monthly', '2026-01-31'), [
      [clock, '2026-02-02T23:59:59.999Z'],
      [clock, '2026-02-03'],
      [clock, '2026-02-03'],
    ]);
    expect(lines).toEqual(['active', 'cancelled +cancelled', 'expired +expired']);
    expect(last).toMatchObject({
      cancelReason: 'not_authorized',
      currentPeriodEnd: at('2026-02-03'),
      nextActionAt: null,
    });
  });

  test('a deadline that passes while the customer can not agree ends nothing, and there is a day to agree afterwards', () => {
    const { lines, last } = play(begin('daily', '2026-03-01'), [
      [pausedClock, '2026-03-04'],
      [pausedClock, '2026-03-05'],
      [clock, '2026-03-07'],
      [authorized, '2026-03-07T23:00:00.000Z'],
      [clock, '2026-03-07T23:00:00.000Z'],
    ]);
    expect(lines).toEqual(['active', 'active', 'active', 'active', 'active charge 1']);
    expect(last).toMatchObject({ pausedSince: null, currentPeriodEnd: at('2026-03-08T23:00:00.000Z') });
    const unagreed = play(begin('daily', '2026-03-01'), [
      [{ kind: 'clock', paused: 'delisted' }, '2026-03-04'],
      [{ kind: 'clock', paused: 'delisted' }, '2026-03-05'],
      [clock, '2026-03-07'],
      [clock, '2026-03-08'],
    ]);
    expect(unagreed.lines).toEqual(['active +paused', 'active', 'active', 'cancelled +cancelled']);
    expect(unagreed.last.cancelReason).toBe('not_authorized');
  });

  test('a trial whose deadline and end pass in a pause is charged when its customer agrees, for a period that begins then', () => {
    const trial = { interval: 'daily', trialDays: 7, mandateDeadlineHours: 72, subscribedBy: 'customer' } as const;
    const begun = subscribe(trial, at('2026-03-01')).next;
    const { lines, last } = play({ ...begun, authorizeBy: at('2026-03-04'), nextActionAt: at('2026-03-04') }, [
      [pausedClock, '2026-03-04'],
      [pausedClock, '2026-03-05'],
      [clock, '2026-03-12'],
      [authorized, '2026-03-12T12:00:00.000Z'],
      [clock, '2026-03-12T12:00:00.000Z'],
    ]);
    expect(lines).toEqual(['trialing', 'trialing', 'trialing', 'trialing', 'trialing charge 1']);
    expect(last).toMatchObject({ periodNumber: 0, currentPeriodEnd: at('2026-03-08') });
    const paid = step(last, succeeded(1), at('2026-03-12T12:00:00.000Z')).next;
    expect(paid).toMatchObject({ periodNumber: 1, currentPeriodEnd: at('2026-03-13T12:00:00.000Z') });
  });

  test('a pause is over also where the customer agreed meanwhile and nothing is charged yet', () => {
    const trial = { interval: 'daily', trialDays: 14, mandateDeadlineHours: 72, subscribedBy: 'customer' } as const;
    const { last } = play(subscribe(trial, at('2026-03-01')).next, [
      [pausedClock, '2026-03-04'],
      [authorized, '2026-03-04T12:00:00.000Z'],
      [clock, '2026-03-05'],
    ]);
    expect(last).toMatchObject({ pausedSince: null, nextActionAt: at('2026-03-12') });
    // An outage at the end of the free days is caught up with, as for all others.
    const late = play(last, [
      [clock, '2026-03-12'],
      [clock, '2026-03-17T12:00:00.000Z'],
    ]);
    expect(late.lines).toEqual(['trialing +trial_will_end', 'trialing charge 1']);

    const reverted = play(begin('daily', '2026-03-01'), [
      [authorized, '2026-03-01T12:00:00.000Z'],
      [pausedClock, '2026-03-01T12:00:00.000Z'],
      [{ kind: 'mandate_reverted' }, '2026-03-01T13:00:00.000Z'],
      [clock, '2026-03-02T12:00:00.000Z'],
    ]);
    expect(reverted.last).toMatchObject({ mandateStatus: 'pending', pausedSince: null });
  });

  test('a mandate revoked before the first charge can be replaced before the deadline', () => {
    const { lines } = play(begin('monthly', '2026-01-31'), [
      [authorized, '2026-02-01'],
      [clock, '2026-02-01'],
      [revoked, '2026-02-01'],
      [clock, '2026-02-01T01:00:00.000Z'],
      [authorized, '2026-02-02'],
      [clock, '2026-02-02'],
    ]);
    expect(lines.slice(3)).toEqual(['active withdraw 1', 'active', 'active charge 1']);
  });

  test('days before the mandate was signed are not charged', () => {
    const { lines, last } = play(begin('daily', '2026-03-01'), [
      [authorized, '2026-03-03T12:00:00.000Z'],
      [clock, '2026-03-03T12:00:00.000Z'],
      [succeeded(1), '2026-03-03T12:00:00.000Z'],
    ]);
    expect(lines).toEqual(['active', 'active charge 1', 'active +activated']);
    expect(last.currentPeriodEnd).toEqual(at('2026-03-04T12:00:00.000Z'));
  });

  test('a first charge that fails makes it past_due, and the last retry cancels it with the unpaid period', () => {
    const charging = step(
      step(begin('yearly', '2026-01-01'), authorized, at('2026-01-01')).next,
      clock,
      at('2026-01-01'),
    );
    const { lines, last } = play(charging.next, [
      [failed(1), '2026-01-01'],
      [clock, '2026-01-15'],
      [failed(1), '2026-01-15'],
    ]);
    expect(lines).toEqual([
      'past_due +charge_failed +past_due',
      'past_due charge 1',
      'cancelled +charge_failed +cancelled',
    ]);
    expect(last).toMatchObject({ cancelReason: 'payment_failed', currentPeriodEnd: at('2026-01-15') });
  });
});

describe('with a trial', () => {
  test('its end is announced three days ahead, if it is longer than that', () => {
    const long = begin('monthly', '2026-01-01', 4);
    expect(long).toMatchObject({ status: 'trialing', trialEnd: at('2026-01-05'), currentPeriodEnd: at('2026-01-05') });
    expect(long).toMatchObject({ anchorAt: at('2026-01-05'), periodNumber: 0, nextActionAt: at('2026-01-02') });
    expect(summaryOf(step(long, clock, at('2026-01-02')))).toBe('trialing +trial_will_end');
    expect(step(long, clock, at('2026-01-02')).next.nextActionAt).toEqual(at('2026-01-05'));
    expect(begin('monthly', '2026-01-01', 3).nextActionAt).toEqual(at('2026-01-04'));
    // The trial ended before the clock was processed: nothing to announce.
    expect(summaryOf(step(long, clock, at('2026-01-05')))).toBe('past_due +charge_failed +past_due mandate_missing 1');
  });

  test('the first charge is due when it ends', () => {
    const { lines, last } = play(begin('monthly', '2026-01-01', 30), [
      [authorized, '2026-01-01'],
      [clock, '2026-01-28'],
      [clock, '2026-01-31'],
      [succeeded(1), '2026-01-31'],
    ]);
    expect(lines).toEqual(['trialing', 'trialing +trial_will_end', 'trialing charge 1', 'active +activated']);
    expect(last).toMatchObject({ currentPeriodStart: at('2026-01-31'), currentPeriodEnd: at('2026-02-28') });
  });

  test('without a mandate it becomes past_due at the end, and is charged once a mandate is signed', () => {
    const { lines, last } = play(begin('monthly', '2026-01-01', 3), [
      [clock, '2026-01-04'],
      [clock, '2026-01-04T01:00:00.000Z'],
      [authorized, '2026-01-04T02:00:00.000Z'],
      [clock, '2026-01-04T02:00:00.000Z'],
      [succeeded(1), '2026-01-04T02:00:00.000Z'],
    ]);
    expect(lines).toEqual([
      'past_due +charge_failed +past_due mandate_missing 1',
      'past_due +charge_failed mandate_missing 1',
      'past_due',
      'past_due charge 1',
      'active +activated',
    ]);
    expect(last).toMatchObject({ firstFailedAt: null, failures: 0, lastFailure: null });
  });
});

describe('a renewal', () => {
  test('starts its period at the end of the last one, however late it is confirmed', () => {
    const { last } = play(subscription(), [
      [clock, NOW],
      [started(3), NOW],
      [succeeded(3), '2026-04-02'],
    ]);
    expect(last).toMatchObject({ currentPeriodStart: DUE, currentPeriodEnd: at('2026-04-30'), periodNumber: 3 });
    expect(last.nextActionAt).toEqual(at('2026-04-30'));
  });

  test('with a revoked or expired mandate fails without being sent', () => {
    for (const mandateStatus of ['revoked', 'expired'] as const) {
      const result = step(subscription('active', { mandateStatus, charge: 'due' }), clock, NOW);
      expect(summaryOf(result)).toBe('past_due +charge_failed +past_due mandate_revoked 3');
    }
  });

  test('that is deferred uses no retry and resumes at its time, at least a minute later', () => {
    const { lines, last } = play(subscription('active', { charge: 'in_flight' }), [
      [deferred(3, '2026-04-02'), NOW],
      [clock, '2026-04-01'],
      [clock, '2026-04-02'],
    ]);
    expect(lines).toEqual(['active', 'active', 'active charge 3']);
    expect(last.failures).toBe(0);
    const soon = step(subscription('past_due', { charge: 'due' }), deferred(3, '2026-03-01'), NOW).next;
    expect(soon.nextActionAt).toEqual(at('2026-03-31T00:01:05.000Z'));
  });

  test('reverted by a reorg is ordered again under the same number', () => {
    const { lines, last } = play(subscription('active', { charge: 'in_flight' }), [
      [{ kind: 'charge_reverted', number: 3 }, '2026-06-15'],
      [clock, '2026-06-16'],
      [succeeded(3), '2026-06-16'],
    ]);
    expect(lines).toEqual(['active charge 3', 'active', 'active +renewed']);
    expect(last.nextNumber).toBe(4);
  });

  test('is ordered again after an hour without an outcome', () => {
    const ordered = step(subscription(), clock, NOW).next;
    expect(ordered.nextActionAt).toEqual(at('2026-03-31T01:00:05.000Z'));
    expect(summaryOf(step(ordered, clock, at('2026-03-31T01:00:05.000Z')))).toBe('active charge 3');
  });
});

describe('a charge that failed', () => {
  const passed = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
  const first = step(subscription('active', { charge: 'in_flight' }), failed(3), NOW).next;

  test('is retried on schedule, and the last failure cancels', () => {
    let state = first;
    const attempts: [number, string][] = [];
    while (state.status === 'past_due') {
      const time = state.nextActionAt ?? NOW;
      state = step(step(state, clock, time).next, failed(3), time).next;
      attempts.push([(time.getTime() - NOW.getTime()) / 3_600_000, state.status]);
    }
    expect(attempts.map(([hours]) => hours)).toEqual([1, 6, 24, 72, 120, 168, 240, 336]);
    expect(state).toMatchObject({ cancelReason: 'payment_failed', failures: 9, currentPeriodEnd: DUE });
    expect(summaryOf(step(state, clock, passed(336)))).toBe('expired +expired');
  });

  test('is retried at once when funds or an allowance arrive, without moving the planned retries', () => {
    const { lines, last } = play(first, [
      [funds, passed(2)],
      [clock, passed(2)],
      [failed(3), passed(2)],
    ]);
    expect(lines).toEqual(['past_due', 'past_due charge 3', 'past_due +charge_failed']);
    expect(last.nextActionAt).toEqual(passed(6));
    expect(step({ ...first, mandateStatus: 'revoked' }, funds, passed(2)).next.nextActionAt).toEqual(passed(1));
  });

  test('and succeeds later pays for the current period', () => {
    const { lines, last } = play(first, [
      [clock, '2026-05-01'],
      [succeeded(4), '2026-05-01'],
    ]);
    expect(lines).toEqual(['past_due charge 4 skip 3-3 unpaid', 'active +renewed']);
    expect(last).toMatchObject({ currentPeriodStart: at('2026-04-30'), currentPeriodEnd: at('2026-05-31') });
  });

  test('of a daily plan is retried last when the next day is due, for that day', () => {
    const daily = { ...step(begin('daily', '2026-03-01'), authorized, at('2026-03-01')).next, charge: 'due' } as const;
    const { lines } = play(daily, [
      [failed(1), '2026-03-01T00:00:05.000Z'],
      [clock, '2026-03-01T06:00:05.000Z'],
      [failed(1), '2026-03-01T06:00:05.000Z'],
      [clock, '2026-03-01T23:59:59.999Z'],
      [clock, '2026-03-02'],
      [failed(2), '2026-03-02'],
    ]);
    expect(lines.slice(3)).toEqual([
      'past_due',
      'past_due charge 2 skip 1-1 unpaid',
      'cancelled +charge_failed +cancelled',
    ]);
  });
});

describe('a cancellation', () => {
  test('keeps the paid period, and nothing is charged after it', () => {
    const { lines, last } = play(subscription(), [
      [{ kind: 'cancel', reason: 'requested' }, '2026-03-10'],
      [clock, '2026-03-30T23:59:59.999Z'],
      [clock, DUE],
    ]);
    expect(lines).toEqual(['cancelled +cancelled', 'cancelled', 'expired +expired']);
    expect(last).toMatchObject({ cancelledAt: at('2026-03-10'), currentPeriodEnd: DUE, cancelReason: 'requested' });
  });

  test.each([
    ['succeeds', succeeded(3), 'cancelled +renewed +cancelled', at('2026-04-30')],
    ['fails', failed(3), 'cancelled +charge_failed +cancelled', DUE],
    ['is deferred', deferred(3, '2026-04-02'), 'cancelled +cancelled withdraw 3', DUE],
  ] as const)('waits for a charge in flight that %s', (_, outcome, line, currentPeriodEnd) => {
    const { lines, last } = play(subscription('active', { charge: 'in_flight' }), [
      [{ kind: 'cancel', reason: 'requested' }, NOW],
      [outcome, '2026-03-31T00:10:00.000Z'],
    ]);
    expect(lines).toEqual(['active', line]);
    expect(last).toMatchObject({ currentPeriodEnd, cancelledAt: NOW, cancelRequestedAt: null, charge: 'none' });
    expect(() => step(last, { kind: 'cancel', reason: 'requested' }, NOW)).toThrow('cancelled already');
  });

  test('is refused while another one waits', () => {
    const waiting = subscription('active', { charge: 'in_flight', cancelRequestedAt: NOW });
    expect(() => step(waiting, { kind: 'cancel', reason: 'requested' }, NOW)).toThrow('being cancelled');
  });

  test('by terminating the merchant records that reason', () => {
    const { next } = step(subscription('past_due'), { kind: 'cancel', reason: 'merchant_terminated' }, NOW);
    expect(next).toMatchObject({ status: 'cancelled', cancelReason: 'merchant_terminated' });
  });
});
