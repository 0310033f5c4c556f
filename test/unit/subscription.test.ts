import { describe, expect, test } from 'vitest';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type {
  ChargeProgress,
  CustomerFailure,
  SubscriptionInput,
  SubscriptionState,
} from '../../src/subscriptions/schedule/subscription-state.ts';
import {
  at,
  clock,
  DUE,
  failed,
  NOW,
  pausedClock,
  STATUSES,
  subscription,
  summaryOrConflict,
} from './subscription-fixture.ts';

/** The number of the period that begins now: the first after the trial, else the third. */
const numberOf = (status: SubscriptionState['status']): number => (status === 'trialing' ? 1 : 3);

const blocked = (number: number): SubscriptionInput => failed(number, 'token_blocked');
const succeeded = (number: number): SubscriptionInput => ({ kind: 'charge_succeeded', number });
const deferred = (number: number): SubscriptionInput => ({ kind: 'charge_deferred', number, until: at('2026-04-02') });
const reverted = (number: number): SubscriptionInput => ({ kind: 'charge_reverted', number });
const started = (number: number): SubscriptionInput => ({ kind: 'charge_started', number });
const cancelled: SubscriptionInput = { kind: 'cancel', reason: 'requested' };

type Row = readonly [string, ChargeProgress, SubscriptionInput | ((number: number) => SubscriptionInput), string];

/**
 * What each input does, by status: active | trialing | past_due | cancelled | expired. "=" keeps the status, emits no
 * events and orders nothing. With an open charge there are no cancelled or expired rows.
 */
const ROWS: readonly Row[] = [
  ['time', 'none', clock, 'active charge 3 | trialing charge 1 | past_due charge 3 | expired +expired | ='],
  ['time, asked for', 'due', clock, 'active charge 3 | trialing charge 1 | past_due charge 3'],
  ['time, in flight', 'in_flight', clock, '= | = | ='],
  ['time, frozen', 'none', pausedClock, '= | = | = | expired +expired | ='],
  ['time, frozen, asked for', 'due', pausedClock, 'active withdraw 3 | trialing withdraw 1 | past_due withdraw 3'],
  ['a mandate', 'none', { kind: 'mandate_authorized' }, '= | = | = | = | ='],
  ['a reorg of the mandate', 'none', { kind: 'mandate_reverted' }, '= | = | = | = | ='],
  [
    'a reorg of the mandate, asked for',
    'due',
    { kind: 'mandate_reverted' },
    'active withdraw 3 | trialing withdraw 1 | past_due withdraw 3',
  ],
  ['a reorg of the mandate, in flight', 'in_flight', { kind: 'mandate_reverted' }, '= | = | ='],
  ['a revocation', 'none', { kind: 'mandate_revoked' }, '= | = | = | = | ='],
  ["a mandate's end", 'none', { kind: 'mandate_expired' }, '= | = | = | = | ='],
  ['a start', 'due', started, '= | = | ='],
  ['a start unasked', 'none', started, '= | = | = | = | ='],
  ['a success', 'in_flight', succeeded, 'active +renewed | active +activated | active +renewed'],
  ['a success unasked', 'none', succeeded, 'active +renewed | active +activated | active +renewed | = | ='],
  ['an old success', 'in_flight', (number) => succeeded(number - 1), '= | = | ='],
  [
    'a failure',
    'in_flight',
    blocked,
    'past_due +charge_failed +past_due | past_due +charge_failed +past_due | past_due +charge_failed',
  ],
  [
    'a failure before it was sent',
    'due',
    blocked,
    'past_due +charge_failed +past_due | past_due +charge_failed +past_due | past_due +charge_failed',
  ],
  ['a failure unasked', 'none', blocked, '= | = | = | = | ='],
  ['an old failure', 'in_flight', (number) => blocked(number - 1), '= | = | ='],
  ['a deferral', 'in_flight', deferred, '= | = | ='],
  ['a deferral unasked', 'none', deferred, '= | = | = | = | ='],
  ['a reorg', 'in_flight', reverted, 'active charge 3 | trialing charge 1 | past_due charge 3'],
  ['a reorg of what is paid', 'none', (number) => reverted(number - 1), '= | = | = | = | ='],
  ['money', 'none', { kind: 'funds_seen' }, '= | = | = | = | ='],
  ['a retry', 'none', { kind: 'retry' }, 'CONFLICT | CONFLICT | = | CONFLICT | CONFLICT'],
  ['a retry, in flight', 'in_flight', { kind: 'retry' }, 'CONFLICT | CONFLICT | ='],
  [
    'a cancellation',
    'none',
    cancelled,
    'cancelled +cancelled | cancelled +cancelled | cancelled +cancelled | CONFLICT | CONFLICT',
  ],
  [
    'a cancellation, asked for',
    'due',
    cancelled,
    'cancelled +cancelled withdraw 3 | cancelled +cancelled withdraw 1 | cancelled +cancelled withdraw 3',
  ],
  ['a cancellation, in flight', 'in_flight', cancelled, '= | = | ='],
];

describe('every input in every state', () => {
  const cases = ROWS.flatMap(([name, charge, input, wanted]) =>
    wanted.split(' | ').map((cell, index) => {
      const status = STATUSES[index] ?? 'expired';
      const given = typeof input === 'function' ? input(numberOf(status)) : input;
      return { name, charge, status, given, wanted: cell === '=' ? status : cell };
    }),
  );

  test.each(cases)('$name: $status → $wanted', ({ status, charge, given, wanted }) => {
    expect(summaryOrConflict(subscription(status, { charge }), given, NOW)).toBe(wanted);
  });
});

describe('a charge that fails again', () => {
  const first = DUE;
  const hours = (count: number): Date => new Date(first.getTime() + count * 3_600_000);
  const unpaid = subscription('past_due', {
    ...{ charge: 'due', firstFailedAt: first, failures: 1, lastFailure: 'insufficient_balance' },
  });
  const fails = (code: CustomerFailure, previousAttemptAt: Date | null, now: Date) => {
    const { next, events } = step(
      unpaid,
      { kind: 'charge_failed', number: unpaid.nextNumber, code, previousAttemptAt },
      now,
    );
    return {
      told: events.includes('subscription.charge_failed'),
      failures: next.failures,
      nextActionAt: next.nextActionAt,
    };
  };

  test.each([
    ['as planned, an hour later', 'insufficient_balance', first, hours(1), true, hours(6)],
    ['as planned, and late', 'insufficient_balance', first, hours(5), true, hours(6)],
    ['in between, for the same reason', 'insufficient_balance', first, hours(0.5), false, hours(1)],
    ['in between, for another reason', 'token_blocked', first, hours(0.5), true, hours(1)],
    ['as planned, after one in between', 'insufficient_balance', hours(0.5), hours(1), true, hours(6)],
    ['for a later period', 'insufficient_balance', null, hours(0.5), true, hours(1)],
  ] as const)('%s', (_, code, previousAttemptAt, now, told, nextActionAt) => {
    expect(fails(code, previousAttemptAt, now)).toEqual({ told, failures: 2, nextActionAt });
  });
});
