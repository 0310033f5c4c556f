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

describe('money that arrives', () => {
  const cases: [string, Partial<Payment>, Totals, PaymentStatus, PaymentException | null, string[]][] = [
    ['a part makes it pending', {}, totals(4_000n), 'pending', null, ['payment.pending']],
    ['a second part that is not enough emits nothing', { status: 'pending' }, totals(8_000n), 'pending', null, []],
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
      'one base unit less is not enough',
      {},
      totals(0n, { seen: 9_950n * CENT - 1n, inTime: 9_950n * CENT - 1n }),
      'pending',
      null,
      ['payment.pending'],
    ],
    [
      'an already confirmed transfer pays it at once',
      {},
      totals(10_000n, { confirmed: 100n * E18 }),
      'paid',
      null,
      ['payment.confirming', 'payment.completed'],
    ],
    [
      'an overpayment above the tolerance makes it paid with an exception',
      {},
      totals(12_000n, { confirmed: 120n * E18 }),
      'paid',
      'overpaid',
      ['payment.confirming', 'payment.completed'],
    ],
    [
      'an overpayment within the tolerance makes it paid',
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
      'money within the late window completes an expired payment as late',
      { status: 'expired' },
      totals(10_000n, { inTime: 0n }),
      'confirming',
      'late',
      ['payment.confirming'],
    ],
    [
      'money after the late window raises an exception',
      { status: 'expired' },
      totals(10_000n, { inTime: 0n, inLateWindow: 0n }),
      'expired',
      'late',
      ['payment.exception'],
    ],
    [
      'a collection for a subscription completes it after the late window, too',
      { status: 'expired', source: 'subscription' },
      totals(10_000n, { inTime: 0n, inLateWindow: 0n }),
      'confirming',
      'late',
      ['payment.confirming'],
    ],
    [
      'a late part raises an exception',
      { status: 'expired' },
      totals(4_000n, { inTime: 0n }),
      'expired',
      'underpaid',
      ['payment.exception'],
    ],
    [
      'a cancelled payment stays cancelled',
      { status: 'expired', reason: 'cancelled' },
      totals(10_000n),
      'expired',
      'late',
      ['payment.exception'],
    ],
    ['a failed payment stays failed', { status: 'failed' }, totals(10_000n), 'failed', 'late', ['payment.exception']],
    [
      'more money for a paid payment raises an exception',
      { status: 'paid', settledMicro: 100_000_000n },
      totals(15_000n),
      'paid',
      'overpaid',
      ['payment.exception'],
    ],
    [
      'money that a reorg brings back to a paid payment raises none',
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

  test('a later unconfirmed credit does not delay one that is enough', () => {
    const moved = step(
      payment({ status: 'confirming', confirmingAt: NOW }),
      observed,
      totals(15_000n, { confirmed: 100n * E18 }),
      NOW,
    );
    expect(moved.next.status).toBe('paid');
  });

  test.each(['initiated', 'pending', 'confirming', 'paid', 'expired', 'failed'] as const)(
    'a token that is not accepted raises an exception on a payment that stays %s',
    (status) => {
      const before = payment({ status, confirmingAt: NOW });
      const seen = {
        ...(status === 'confirming' ? totals(10_000n) : NO_TOTALS),
        inLedger: { ...NO_TOTALS.inLedger, wrong: 1n },
      };
      const moved = step(before, { kind: 'observed', arrived: 0, arrivedWrong: 1 }, seen, NOW);
      expect([moved.next.status, moved.next.exception, moved.events]).toEqual([
        status,
        'wrong_token',
        ['payment.exception'],
      ]);
    },
  );

  test('a reorg below the amount reverts to pending and leaves at least an hour', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW, exception: 'late' });
    const soon = step(confirming, observed, totals(0n), later(DEADLINE, -0.5)).next;
    expect([soon.status, soon.expiresAt, soon.exception]).toEqual(['pending', later(DEADLINE, 0.5), null]);
    const early = step(confirming, observed, totals(0n), later(DEADLINE, -3)).next;
    expect(early.expiresAt).toEqual(DEADLINE);
  });
});

describe('time', () => {
  test('a payment does not expire before every network is scanned past its deadline', () => {
    for (const scanned of [null, later(DEADLINE, -1), DEADLINE]) {
      expect(step(payment(), clock(scanned), NO_TOTALS, later(DEADLINE, 1)).next.status).toBe('initiated');
    }
  });
  test('it then expires once, as underpaid if something arrived', () => {
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
  test('a payment does not expire a millisecond before its deadline', () => {
    expect(step(payment(), clock(later(DEADLINE, 1)), NO_TOTALS, new Date(DEADLINE.getTime() - 1)).next.status).toBe(
      'initiated',
    );
  });
  test('money that arrived in time counts even when the clock is processed late', () => {
    const moved = step(payment(), clock(later(DEADLINE, 1)), totals(10_000n), later(DEADLINE, 1));
    expect(moved.events).toEqual(['payment.confirming']);
  });
  test('money that arrived late completes the payment as it expires', () => {
    const moved = step(
      payment({ status: 'pending' }),
      clock(later(DEADLINE, 1)),
      totals(10_000n, { inTime: 0n }),
      later(DEADLINE, 1),
    );
    expect([moved.next.exception, moved.events]).toEqual(['late', ['payment.expired', 'payment.confirming']]);
  });
  test('an unconfirmed payment fails after 24 hours of scanned chain time', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW });
    expect(step(confirming, clock(later(NOW, 23.99)), totals(10_000n), later(NOW, 30)).next.status).toBe('confirming');
    const failed = step(confirming, clock(later(NOW, 24)), totals(10_000n), later(NOW, 30));
    expect([failed.next.status, failed.next.reason, failed.events]).toEqual([
      'failed',
      'not_confirmed',
      ['payment.failed'],
    ]);
  });
  test('a payment collected for a subscription waits as long as its chain stalls', () => {
    const confirming = payment({ status: 'confirming', confirmingAt: NOW, source: 'subscription' });
    const waiting = step(confirming, clock(later(NOW, 240)), totals(10_000n), later(NOW, 240));
    expect(waiting).toEqual({ next: confirming, events: [] });
    const deep = totals(10_000n, { confirmed: 100n * E18 });
    expect(step(waiting.next, clock(later(NOW, 241)), deep, later(NOW, 241)).next.status).toBe('paid');
  });
});

test('what is rounded up for the payer of a coin is no surplus, where no tolerance covers it either', () => {
  const option = { ...payment().options[0], token: 'BTC', decimals: 8, units: '166667', quote: { number: 1 } };
  const offers = { options: [option as never], toleranceMicro: 0n, status: 'confirming', confirmingAt: NOW } as const;
  const unit = (100n * E18) / 166_667n;
  const after = (arrived: bigint): unknown =>
    step(payment(offers), observed, totals(0n, { seen: arrived, inTime: arrived, confirmed: arrived }), NOW).next
      .exception;
  expect([after(100n * E18 + unit), after(100n * E18 + unit + 10n ** 13n)]).toEqual([null, 'overpaid']);
});
