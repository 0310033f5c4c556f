import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type { SubscriptionInput, SubscriptionState } from '../../src/subscriptions/schedule/subscription-state.ts';
import { at, clock, DUE, failed, numbersFrom, play, subscription } from './subscription-fixture.ts';

/** Its network or token is in no list, or its network has no collector there; that may still be mended. */
const unlistedClock: SubscriptionInput = { kind: 'clock', paused: 'unlisted' };

test('a deadline in the hour in which the list may be mended is a day later, and a pause is announced afterwards', () => {
  const begun = subscribe({ interval: 'daily', trialDays: 0, mandateDeadlineHours: 72 }, at('2026-03-01')).next;
  const { lines } = play(begun, [
    [unlistedClock, '2026-03-04'],
    [unlistedClock, '2026-03-04T00:30:00.000Z'],
    [{ kind: 'clock', paused: 'delisted' }, '2026-03-05'],
    [clock, '2026-03-06'],
    [clock, '2026-03-07'],
  ]);
  expect(lines).toEqual(['active', 'active', 'active +paused', 'active', 'cancelled +cancelled']);
});

test('the retries of a customer who owes, and could not agree for days, start over', () => {
  const { lines, last } = play(subscription('past_due', { mandateStatus: 'revoked' }), [
    [unlistedClock, '2026-03-31T01:00:00.000Z'],
    [unlistedClock, '2026-04-16'],
    [clock, '2026-04-16T01:00:00.000Z'],
  ]);
  expect(lines).toEqual(['past_due', 'past_due', 'past_due +charge_failed mandate_revoked 3']);
  expect(last).toMatchObject({ failures: 1, nextActionAt: at('2026-04-16T02:00:00.000Z') });
});

test('a first period is not used up while its customer can not agree', () => {
  const begun = subscribe({ interval: 'monthly', trialDays: 14, mandateDeadlineHours: 72 }, at('2026-03-01')).next;
  const { last } = play({ ...begun, trialReminderSent: true }, [
    [unlistedClock, '2026-03-15'],
    [unlistedClock, '2026-04-10'],
    [clock, '2026-04-10T01:00:00.000Z'],
    [{ kind: 'mandate_authorized' }, '2026-04-10T01:00:00.000Z'],
    [clock, '2026-04-10T01:00:00.000Z'],
    [{ kind: 'charge_succeeded', number: 1 }, '2026-04-10T01:00:00.000Z'],
  ]);
  expect(last).toMatchObject({ status: 'active', currentPeriodEnd: at('2026-05-10') });
});

test('what is held is looked at every five minutes, and every hour once that has lasted for half a day', () => {
  let state = subscription('past_due', { mandateStatus: 'revoked' });
  const waits: number[] = [];
  for (let now = at('2026-03-31T01:00:00.000Z'); now < at('2026-04-03'); now = state.nextActionAt ?? now) {
    state = step(state, unlistedClock, now).next;
    waits.push((state.nextActionAt?.getTime() ?? Number.NaN) - now.getTime());
  }
  const later = waits.findIndex((wait) => wait > 5 * MINUTE_MS);
  expect(later).toBe(13);
  expect(waits.at(-1)).toBe(60 * MINUTE_MS);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  expect(waits.length).toBeLessThan(110);
});

/** A period in which all retries are. */
const YEARLY: Partial<SubscriptionState> = { interval: 'yearly', anchorAt: at('2024-03-31') };
/** Each ends before the retries do. */
const DAILY: Partial<SubscriptionState> = { interval: 'daily', anchorAt: at('2026-03-29') };

/**
 * How many days a debtor who revoked has until the end, where `holds` says which looks are of a list without the
 * network.
 */
function daysOfRetries(
  holds: (look: number, at: Date) => boolean,
  change: Partial<SubscriptionState> = YEARLY,
): number {
  let state = subscription('past_due', { ...change, mandateStatus: 'revoked' });
  let look = 0;
  while (state.status === 'past_due' && state.nextActionAt && look < 20_000) {
    const now = state.nextActionAt;
    state = step(state, holds(look, now) ? unlistedClock : clock, now).next;
    look += 1;
  }
  return state.cancelledAt ? (state.cancelledAt.getTime() - DUE.getTime()) / DAY_MS : Number.POSITIVE_INFINITY;
}

test('looks of processes with and without the network in turn start the retries over once', () => {
  expect(daysOfRetries(() => false)).toBeCloseTo(14, 2);
  expect(daysOfRetries((look) => look % 2 === 0)).toBeLessThan(14.5);
  expect(daysOfRetries((look) => look % 2 === 1)).toBeLessThan(14.5);
  // The worst: one look in a list without it just before the end.
  expect(daysOfRetries((look) => look === 7)).toBeLessThan(28.1);
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = numbersFrom(seed);
    expect(daysOfRetries(() => random() < 0.5)).toBeLessThan(28.5);
    expect(daysOfRetries(() => random() < 0.9)).toBeLessThan(29);
    expect(daysOfRetries(() => random() < 0.5, DAILY)).toBeLessThan(3.1);
  }
});

test('a hold that lasts a day starts the retries over again, and one that is shorter stops them meanwhile', () => {
  const holdsOn = (from: number, to: number) => (now: Date) =>
    now >= new Date(DUE.getTime() + from * DAY_MS) && now < new Date(DUE.getTime() + to * DAY_MS);
  const daysWith = (from: number, to: number) => daysOfRetries((look, now) => look === 1 || holdsOn(from, to)(now));
  expect(daysWith(3, 3)).toBeCloseTo(14, 1);
  // Looked at on the third day, held to the middle of it: that half goes on afterwards.
  expect(daysWith(3, 3.5)).toBeCloseTo(14.5, 1);
  expect(daysWith(3, 4.5)).toBeCloseTo(4.5 + 14, 1);
  expect(daysWith(10, 40)).toBeCloseTo(40 + 14, 1);
});

test('a hold ends with the charge that is sent in it, however long that is on its way', () => {
  const day = (days: number) => new Date(DUE.getTime() + days * DAY_MS);
  const before = subscription('past_due', { ...YEARLY, retriesAnewAt: DUE, charge: 'due' });
  const held = step(before, unlistedClock, day(1)).next;
  const sent = step(held, { kind: 'charge_started', number: 3 }, new Date(day(1).getTime() + MINUTE_MS)).next;
  expect(sent).toMatchObject({ charge: 'in_flight', heldSince: null });
  // Its gas is dear for two days, in which nothing was held.
  const { next } = step(sent, failed(3), day(3));
  expect(next.retriesAnewAt).toEqual(DUE);
  expect(next.failures).toBe(2);
});

test('a first charge that waits for us is never too late; one that waits for what the chain has of it is', () => {
  const begun = subscribe({ interval: 'monthly', trialDays: 0, mandateDeadlineHours: 72 }, at('2026-01-31')).next;
  const agreed = step(begun, { kind: 'mandate_authorized' }, at('2026-01-31')).next;
  const ordered = step(agreed, clock, at('2026-01-31')).next;
  const later = { ...ordered, nextActionAt: at('2026-03-15') };
  const ours = step(later, { kind: 'clock', paused: false, ours: true }, at('2026-03-15'));
  expect([ours.charge?.number, ours.skipped, ours.next.nextNumber]).toEqual([1, null, 1]);
  expect(step(later, clock, at('2026-03-15')).skipped).toEqual({ from: 1, to: 1, reason: 'late' });
  // What was paid before, or was free before, is charged for the present period only.
  const paid = subscription('active', { charge: 'due' });
  expect(step(paid, { kind: 'clock', paused: false, ours: true }, at('2026-05-15')).skipped).toMatchObject({
    from: 3,
  });
});
