import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { type Input, step } from '../../src/payments/payment.ts';
import {
  NO_TOTALS,
  type Payment,
  type PaymentException,
  type PaymentStatus,
  type Totals,
} from '../../src/payments/types.ts';

const NOW = new Date('2026-01-01T10:00:00Z');
const DEADLINE = new Date('2026-01-01T11:00:00Z');
const E18 = 10n ** 18n;
const CENT = 10n ** 16n;

/** 100 USD with a tolerance of 50 cents. */
const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'pay_1',
  merchantId: 'mer_1',
  status: 'initiated',
  reason: null,
  exception: null,
  source: 'direct',
  linkId: null,
  sessionId: null,
  linkSnapshot: null,
  successUrl: null,
  cancelUrl: null,
  amountMinor: 10_000n,
  currency: 'USD',
  amountMicro: 100_000_000n,
  toleranceMicro: 500_000n,
  feeBps: 0,
  lateWindowMs: 86_400_000n,
  rate: { pair: 'USD/USD', valueE8: '100000000', source: 'definition', quotedAt: NOW.toISOString() },
  description: null,
  customerEmail: null,
  metadata: {},
  options: ['USDT', 'USDC'].map((token) => ({
    token,
    network: 'devnet',
    chainId: 31337,
    contract: `0x${token}`,
    decimals: 6,
    units: '100000000',
    address: '0xabc',
    paymentUri: 'ethereum:',
  })),
  chosen: null,
  factoryAddress: '0xf',
  txHash: null,
  seenE18: 0n,
  confirmedE18: 0n,
  creditCount: 0,
  booked: { suspense: 0n, pending: 0n, available: 0n },
  settledMicro: 0n,
  settledWrongMicro: 0n,
  feeMicro: 0n,
  moves: 0,
  eventSequence: 1,
  createdAt: NOW,
  updatedAt: NOW,
  expiresAt: DEADLINE,
  confirmingAt: null,
  paidAt: null,
  ...change,
});

/** Cents that were seen; the rest follows unless it is said otherwise. */
const totals = (seen: bigint, change: Partial<Totals> = {}): Totals => ({
  ...NO_TOTALS,
  seen: seen * CENT,
  inTime: seen * CENT,
  inLateWindow: seen * CENT,
  ...change,
});

const observed: Input = { kind: 'observed', arrived: 1, arrivedWrong: 0 };
const clock = (scannedTo: Date | null): Input => ({ kind: 'clock', scannedTo });
const later = (date: Date, hours: number): Date => new Date(date.getTime() + hours * 3_600_000);

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
      const seen = { ...(status === 'confirming' ? totals(10_000n) : NO_TOTALS), wrongMicro: 1n };
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
});

describe('what people ask for', () => {
  const refusal = (run: () => unknown): string | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };
  test('choosing a token makes it pending once, and is refused after money arrived', () => {
    const select: Input = { kind: 'select', token: 'USDC', network: 'devnet' };
    const chosen = step(payment(), select, NO_TOTALS, NOW);
    expect([chosen.next.chosen, chosen.next.status, chosen.events]).toEqual([1, 'pending', ['payment.pending']]);
    expect(step(chosen.next, select, NO_TOTALS, NOW).events).toEqual([]);
    expect(refusal(() => step(payment({ creditCount: 1 }), select, totals(100n), NOW))).toBe('CONFLICT');
    expect(refusal(() => step(payment(), { ...select, token: 'ETH' }, NO_TOTALS, NOW))).toBe('VALIDATION_ERROR');
  });
  test('only an open payment can be cancelled', () => {
    expect(step(payment(), { kind: 'cancel' }, NO_TOTALS, NOW).next).toMatchObject({
      status: 'expired',
      reason: 'cancelled',
    });
    for (const status of ['confirming', 'paid', 'expired', 'failed'] as const) {
      expect(refusal(() => step(payment({ status }), { kind: 'cancel' }, NO_TOTALS, NOW))).toBe('CONFLICT');
    }
  });
  test('resolving takes what waits, when all of it is confirmed', () => {
    const waiting = payment({
      status: 'expired',
      exception: 'underpaid',
      booked: { suspense: 40_000_000n, pending: 0n, available: 0n },
    });
    const resolved = step(waiting, { kind: 'resolve' }, totals(4_000n), NOW).next;
    expect([resolved.settledMicro, resolved.exception, resolved.status]).toEqual([40_000_000n, null, 'expired']);
    expect(refusal(() => step(waiting, { kind: 'resolve' }, totals(4_000n, { unconfirmed: 1 }), NOW))).toBe('CONFLICT');
    expect(refusal(() => step(payment({ status: 'expired' }), { kind: 'resolve' }, NO_TOTALS, NOW))).toBe('CONFLICT');
    expect(refusal(() => step({ ...waiting, status: 'pending' }, { kind: 'resolve' }, NO_TOTALS, NOW))).toBe(
      'CONFLICT',
    );
  });
});
