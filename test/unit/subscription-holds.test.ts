import { expect, test } from 'vitest';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import type { SubscriptionInput } from '../../src/subscriptions/schedule/subscription.ts';
import { at, clock, play, subscription } from './subscription-fixture.ts';

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
    [clock, '2026-04-16T00:05:00.000Z'],
  ]);
  expect(lines).toEqual(['past_due', 'past_due', 'past_due +charge_failed mandate_revoked 3']);
  expect(last).toMatchObject({ failures: 1, nextActionAt: at('2026-04-16T01:05:00.000Z') });
});

test('a first period is not used up while its customer can not agree', () => {
  const begun = subscribe({ interval: 'monthly', trialDays: 14, mandateDeadlineHours: 72 }, at('2026-03-01')).next;
  const { last } = play({ ...begun, trialReminderSent: true }, [
    [unlistedClock, '2026-03-15'],
    [unlistedClock, '2026-04-10'],
    [clock, '2026-04-10T00:05:00.000Z'],
    [{ kind: 'mandate_authorized' }, '2026-04-10T01:00:00.000Z'],
    [clock, '2026-04-10T01:00:00.000Z'],
    [{ kind: 'charge_succeeded', number: 1 }, '2026-04-10T01:00:00.000Z'],
  ]);
  expect(last).toMatchObject({ status: 'active', currentPeriodEnd: at('2026-05-10') });
});
