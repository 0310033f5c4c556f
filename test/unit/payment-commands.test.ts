import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { type Input, step } from '../../src/payments/payment.ts';
import { NO_TOTALS, type Payment } from '../../src/payments/types.ts';

import { NOW, payment, totals } from './payment-fixture.ts';

describe('commands', () => {
  const refusal = (run: () => unknown): string | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };
  test('selecting a token makes a payment pending once, and is refused after money arrived', () => {
    const select: Input = { kind: 'select', token: 'USDC', network: 'devnet' };
    const chosen = step(payment(), select, NO_TOTALS, NOW);
    expect([chosen.next.chosen, chosen.next.status, chosen.events]).toEqual([1, 'pending', ['payment.pending']]);
    expect(step(chosen.next, select, NO_TOTALS, NOW).events).toEqual([]);
    expect(refusal(() => step(payment({ creditCount: 1 }), select, totals(100n), NOW))).toBe('CONFLICT');
    expect(refusal(() => step(payment(), { ...select, token: 'ETH' }, NO_TOTALS, NOW))).toBe('VALIDATION_ERROR');
  });
  test('an open payment can be cancelled', () => {
    expect(step(payment(), { kind: 'cancel' }, NO_TOTALS, NOW).next).toMatchObject({
      status: 'expired',
      reason: 'cancelled',
    });
  });
  test.each<[string, Partial<Payment>]>([
    ['a confirming payment', { status: 'confirming' }],
    ['a paid payment', { status: 'paid' }],
    ['an expired payment', { status: 'expired' }],
    ['a failed payment', { status: 'failed' }],
    ['a payment of a subscription', { status: 'pending', source: 'subscription' }],
  ])('%s cannot be cancelled', (_, change) => {
    expect(refusal(() => step(payment(change), { kind: 'cancel' }, NO_TOTALS, NOW))).toBe('CONFLICT');
  });
  test('resolving settles as much as is confirmed, and leaves the rest in exception', () => {
    const waiting = payment({
      status: 'expired',
      exception: 'underpaid',
      booked: { suspense: 40_000_000n, pending: 0n, available: 0n },
    });
    const deep = (countedDeep: bigint) =>
      totals(4_000n, { inLedger: { ...NO_TOTALS.inLedger, counted: 40_000_000n, countedDeep } });
    const resolve = (countedDeep: bigint) => step(waiting, { kind: 'resolve' }, deep(countedDeep), NOW).next;
    expect(resolve(40_000_000n)).toMatchObject({ settledMicro: 40_000_000n, exception: null, status: 'expired' });
    expect(resolve(39_000_000n)).toMatchObject({ settledMicro: 39_000_000n, exception: 'underpaid' });
    expect(refusal(() => resolve(0n))).toBe('CONFLICT');
    expect(refusal(() => step(payment({ status: 'expired' }), { kind: 'resolve' }, NO_TOTALS, NOW))).toBe('CONFLICT');
    expect(refusal(() => step({ ...waiting, status: 'pending' }, { kind: 'resolve' }, NO_TOTALS, NOW))).toBe(
      'CONFLICT',
    );
  });
});
