import { describe, expect, test } from 'vitest';
import { step } from '../../src/payments/payment.ts';
import {
  NO_TOTALS,
  type Payment,
  type PaymentException,
  type PaymentStatus,
  type Totals,
} from '../../src/payments/types.ts';

import { CENT, clock, DEADLINE, E18, later, NOW, observed, payment, totals } from './payment-fixture.ts';

describe('what arrives', () => {
  const cases: [string, Partial<Payment>, Totals, PaymentStatus, PaymentException | null, string[]][] = [
    ['a part makes it pending', {}, totals(4_000n), 'pending', null, ['payment.pending']],
    ['a second part that is not enough says nothing new', { status: 'pending' }, totals(8_000n), 'pending', null, []],
    ['the amount makes it confirming', {}, totals(10_000n), 'confirming', null, ['payment.confirming']],
    [
      'the amount less the tolerance is enough',
      { status: 'pending' },
      totals(9_950n),
      'confirming',
      null,
      ['payment.confirming'],
    ],
    [
      'a base unit less is not',
      {},
      totals(0n, { seen: 9_950n * CENT - 1n, inTime: 9_950n * CENT - 1n }),
      'pending',
      null,
      ['payment.pending'],
    ],
    [
      'a transfer that is deep already is paid at once',
      {},
      totals(10_000n, { confirmed: 100n * E18 }),
      'paid',
      null,
      ['payment.confirming', 'payment.completed'],
    ],
    [
      'too much is paid and overpaid',
      {},
      totals(12_000n, { confirmed: 120n * E18 }),
      'paid',
      'overpaid',
      ['payment.confirming', 'payment.completed'],
    ],
    [
      'too much within the tolerance is just paid',
      {},
      totals(10_050n, { confirmed: 100n * E18 }),
      'paid',
      null,
      ['payment.confirming', 'payment.completed'],
    ],
    [
      'money after the deadline waits for the clock',
      { status: 'pending' },
      totals(10_000n, { inTime: 0n }),
      'pending',
      null,
      [],
    ],
    [
      'an expired payment that is completed within the window is late',
      { status: 'expired' },
      totals(10_000n, { inTime: 0n }),
      'confirming',
      'late',
      ['payment.confirming'],
    ],
    [
      'after the window it is an exception',
      { status: 'expired' },
      totals(10_000n, { inTime: 0n, inLateWindow: 0n }),
      'expired',
      'late',
      ['payment.exception'],
    ],
    [
      'what is collected for a subscription is late after the window, too',
      { status: 'expired', source: 'subscription' },
      totals(10_000n, { inTime: 0n, inLateWindow: 0n }),
      'confirming',
      'late',
      ['payment.confirming'],
    ],
    [
      'a late part is an exception',
      { status: 'expired' },
      totals(4_000n, { inTime: 0n }),
      'expired',
      'underpaid',
      ['payment.exception'],
    ],
    [
      'a cancelled payment stays so',
      { status: 'expired', reason: 'cancelled' },
      totals(10_000n),
      'expired',
      'late',
      ['payment.exception'],
    ],
    ['a failed payment stays so', { status: 'failed' }, totals(10_000n), 'failed', 'late', ['payment.exception']],
    [
      'more for a paid payment is an exception',
      { status: 'paid', settledMicro: 100_000_000n },
      totals(15_000n),
      'paid',
      'overpaid',
      ['payment.exception'],
    ],
    [
      'what a reorg brings back to a paid payment is not',
      { status: 'paid', settledMicro: 100_000_000n },
      totals(10_000n),
      'paid',
      null,
      [],
    ],
  ];
  test.each(cases)('%s', (_name, change, seen, status, exception, events) => {
    const moved = step(payment(change), observed, seen, NOW);
    expect([moved.next.status, moved.next.exception, moved.events]).toEqual([status, exception, events]);
  });

  test('a later credit that is not confirmed does not hold up one that is enough', () => {
    const moved = step(
      payment({ status: 'confirming', confirmingAt: NOW }),
      observed,
      totals(15_000n, { confirmed: 100n * E18 }),
      NOW,
    );
    expect(moved.next.status).toBe('paid');
  });

  test('a token that is not offered is announced in every state and changes none', () => {
    for (const status of ['initiated', 'pending', 'confirming', 'paid', 'expired', 'failed'] as const) {
      const before = payment({ status, confirmingAt: NOW });
      const seen = {
        ...(status === 'confirming' ? totals(10_000n) : NO_TOTALS),
        standing: { ...NO_TOTALS.standing, wrong: 1n },
      };
      const moved = step(before, { kind: 'observed', arrived: 0, arrivedWrong: 1 }, seen, NOW);
      expect([moved.next.status, moved.next.exception, moved.events]).toEqual([
        status,
        'wrong_token',
        ['payment.exception'],
      ]);
    }
  });

  test('a reorg that takes it below what is needed reverts it and leaves at least an hour', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW, exception: 'late' });
    const soon = step(confirming, observed, totals(0n), later(DEADLINE, -0.5)).next;
    expect([soon.status, soon.expiresAt, soon.exception]).toEqual(['pending', later(DEADLINE, 0.5), null]);
    const early = step(confirming, observed, totals(0n), later(DEADLINE, -3)).next;
    expect(early.expiresAt).toEqual(DEADLINE);
  });
});

describe('time', () => {
  test('nothing expires before every network is scanned past the deadline', () => {
    for (const scanned of [null, later(DEADLINE, -1), DEADLINE]) {
      expect(step(payment(), clock(scanned), NO_TOTALS, later(DEADLINE, 1)).next.status).toBe('initiated');
    }
  });
  test('then it expires, once, and says whether something had arrived', () => {
    const nothing = step(payment(), clock(later(DEADLINE, 0.1)), NO_TOTALS, DEADLINE);
    expect([nothing.next.status, nothing.next.exception, nothing.events]).toEqual([
      'expired',
      null,
      ['payment.expired'],
    ]);
    const part = step(payment({ status: 'pending' }), clock(later(DEADLINE, 0.1)), totals(100n), DEADLINE);
    expect([part.next.status, part.next.exception]).toEqual(['expired', 'underpaid']);
    expect(step(part.next, clock(later(DEADLINE, 0.1)), totals(100n), DEADLINE).events).toEqual([]);
  });
  test('it does not expire a moment before its deadline', () => {
    expect(step(payment(), clock(later(DEADLINE, 1)), NO_TOTALS, new Date(DEADLINE.getTime() - 1)).next.status).toBe(
      'initiated',
    );
  });
  test('money that came in time wins over a late look at the clock', () => {
    const moved = step(payment(), clock(later(DEADLINE, 1)), totals(10_000n), later(DEADLINE, 1));
    expect(moved.events).toEqual(['payment.confirming']);
  });
  test('money that came late completes it as it expires', () => {
    const moved = step(
      payment({ status: 'pending' }),
      clock(later(DEADLINE, 1)),
      totals(10_000n, { inTime: 0n }),
      later(DEADLINE, 1),
    );
    expect([moved.next.exception, moved.events]).toEqual(['late', ['payment.expired', 'payment.confirming']]);
  });
  test('what never confirms fails after 24 hours of scanned chain time', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW });
    expect(step(confirming, clock(later(NOW, 23.99)), totals(10_000n), later(NOW, 30)).next.status).toBe('confirming');
    const failed = step(confirming, clock(later(NOW, 24)), totals(10_000n), later(NOW, 30));
    expect([failed.next.status, failed.next.reason, failed.events]).toEqual([
      'failed',
      'not_confirmed',
      ['payment.failed'],
    ]);
  });
  test('what was collected for a subscription waits as long as its chain does', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW, source: 'subscription' });
    const waiting = step(confirming, clock(later(NOW, 240)), totals(10_000n), later(NOW, 240));
    expect(waiting).toEqual({ next: confirming, events: [] });
    const deep = totals(10_000n, { confirmed: 100n * E18 });
    expect(step(waiting.next, clock(later(NOW, 241)), deep, later(NOW, 241)).next.status).toBe('paid');
  });
});
