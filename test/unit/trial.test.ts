import { describe, expect, test } from 'vitest';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type { SubscriptionInput, SubscriptionState } from '../../src/subscriptions/schedule/subscription-state.ts';
import { at, clock } from './subscription-fixture.ts';

const terms = { interval: 'monthly', trialDays: 14, mandateDeadlineHours: 72 } as const;
const begun = (by: 'merchant' | 'customer', trialDays = 14): SubscriptionState =>
  subscribe({ ...terms, trialDays, subscribedBy: by }, at('2026-01-01')).next;
const then = (state: SubscriptionState, input: SubscriptionInput, day: string): SubscriptionState =>
  step(state, input, at(day)).next;
const shown = ({ status, cancelReason, nextActionAt }: SubscriptionState) => [status, cancelReason, nextActionAt];

describe('a trial', () => {
  test('that a customer took ends at the deadline unless they agree', () => {
    const taken = begun('customer');
    expect(shown(taken)).toEqual(['trialing', null, at('2026-01-04')]);
    const left = then(taken, clock, '2026-01-04');
    expect(shown(left)).toEqual(['cancelled', 'not_authorized', at('2026-01-04')]);
    expect(left.currentPeriodEnd, 'and so does what was free').toEqual(at('2026-01-04'));
  });

  test('goes on for who agrees in time: the reminder, then the charge', () => {
    const agreed = then(begun('customer'), { kind: 'mandate_authorized' }, '2026-01-02');
    const waiting = then(agreed, clock, '2026-01-04');
    expect(shown(waiting)).toEqual(['trialing', null, at('2026-01-12')]);
    const reminded = step(waiting, clock, at('2026-01-12'));
    expect(reminded.events).toEqual(['subscription.trial_will_end']);
    expect(reminded.next.nextActionAt).toEqual(at('2026-01-15'));
    expect(step(reminded.next, clock, at('2026-01-15')).charge).toMatchObject({ number: 1 });
  });

  test('that is shorter than the deadline is not followed by retries that nobody agreed to', () => {
    const taken = begun('customer', 2);
    expect(shown(taken)).toEqual(['trialing', null, at('2026-01-03')]);
    expect(shown(then(taken, clock, '2026-01-03'))).toEqual(['cancelled', 'not_authorized', at('2026-01-03')]);
  });

  test('that a merchant gave has no condition, as before', () => {
    const given = begun('merchant');
    expect(given.authorizeBy).toBeNull();
    expect(shown(given)).toEqual(['trialing', null, at('2026-01-12')]);
    expect(then(given, clock, '2026-01-15')).toMatchObject({ status: 'past_due', lastFailure: 'mandate_missing' });
  });

  test('that a customer took, and cancels before agreeing, leaves no free days; one that was agreed to or given does', () => {
    const cancel: SubscriptionInput = { kind: 'cancel', reason: 'customer_requested' };
    expect(then(begun('customer'), cancel, '2026-01-02').currentPeriodEnd).toEqual(at('2026-01-02'));
    const agreed = then(begun('customer'), { kind: 'mandate_authorized' }, '2026-01-02');
    expect(then(agreed, cancel, '2026-01-05').currentPeriodEnd).toEqual(at('2026-01-15'));
    const revoked = then(agreed, { kind: 'mandate_revoked' }, '2026-01-03');
    expect(then(revoked, cancel, '2026-01-05').currentPeriodEnd).toEqual(at('2026-01-15'));
    expect(then(begun('merchant'), cancel, '2026-01-02').currentPeriodEnd).toEqual(at('2026-01-15'));
  });
});
