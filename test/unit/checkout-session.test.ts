import { describe, expect, test } from 'vitest';
import { type Session, type SessionStatus, statusOf, step } from '../../src/checkout/session.ts';
import type { PaymentStatus } from '../../src/payments/types.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const SESSION: Session = {
  id: 'cs_1',
  merchantId: 'mer_1',
  merchantName: 'Tea House',
  paymentId: 'pay_1',
  amountMinor: 2500n,
  currency: 'USD',
  successUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  metadata: {},
  status: 'open',
  paymentStatus: 'initiated',
  eventSequence: 0,
  expiresAt: later(1),
  createdAt: later(-1000),
};

describe('the status of a session', () => {
  test.each<[PaymentStatus, number, SessionStatus, SessionStatus]>([
    ['initiated', 1, 'open', 'open'],
    ['initiated', 0, 'open', 'expired'],
    ['pending', 1, 'open', 'open'],
    ['pending', -1, 'open', 'expired'],
    ['confirming', -1, 'open', 'open'],
    ['confirming', -1, 'expired', 'expired'],
    ['paid', -1, 'open', 'completed'],
    ['paid', -1, 'expired', 'completed'],
    ['expired', 1, 'open', 'expired'],
    ['failed', -1, 'open', 'expired'],
  ])('for a %s payment, %i ms before its deadline, announced as %s: %s', (paymentStatus, ms, status, expected) => {
    expect(statusOf({ ...SESSION, paymentStatus, status, expiresAt: later(ms) }, NOW)).toBe(expected);
  });
});

describe('ending a session', () => {
  test.each<[SessionStatus, 'completed' | 'expired', SessionStatus, string | null]>([
    ['open', 'completed', 'completed', 'checkout.session.completed'],
    ['open', 'expired', 'expired', 'checkout.session.expired'],
    ['expired', 'completed', 'completed', 'checkout.session.completed'],
    ['expired', 'expired', 'expired', null],
    ['completed', 'completed', 'completed', null],
    ['completed', 'expired', 'completed', null],
  ])('%s, then %s: the status is %s and the event %s', (status, outcome, expected, event) => {
    const result = step({ ...SESSION, status, eventSequence: 3 }, outcome);
    expect([result.next.status, result.event]).toEqual([expected, event]);
    expect(result.next.eventSequence).toBe(event === null ? 3 : 4);
  });
});
