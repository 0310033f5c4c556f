import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import { LIVE_DEFAULTS, type Settings } from '../../src/settings/settings.ts';
import { centsOf, feeOf } from '../../src/withdrawals/fees.ts';
import { limitsOf, requireWithin, type Usage } from '../../src/withdrawals/limits.ts';
import type { WithdrawalMethod } from '../../src/withdrawals/withdrawal.ts';

const fees = (bps: number, min: string, devnet = '1.00') => ({
  withdrawalFees: { bank: { bps, min }, networks: { devnet } },
});
const fee = (method: WithdrawalMethod, cents: bigint, change: Partial<Settings> = {}, network = 'devnet') =>
  feeOf({ amountMinor: cents, method, network }, { ...LIVE_DEFAULTS, ...fees(50, '5.00'), ...change });

describe('the fee', () => {
  test.each([
    // 50 basis points, at least 5.00, rounded up to whole cents.
    [501n, 500n],
    [100_000n, 500n],
    [100_001n, 501n],
    [100_200n, 501n],
    [100_201n, 502n],
    [100_000_000n, 500_000n],
  ])('of %d cents to a bank is %d', (cents, wanted) => {
    expect(fee('bank', cents)).toBe(wanted);
  });

  test('of a network is its fixed amount, rounded up to whole cents', () => {
    expect(fee('crypto', 101n)).toBe(100n);
    expect(fee('crypto', 1_000_000n)).toBe(100n);
    expect(fee('crypto', 1_000n, fees(50, '5.00', '0.001'))).toBe(1n);
    expect(fee('crypto', 1_000n, fees(50, '5.00', '0.00'))).toBe(0n);
  });

  test.each([
    ['bank', 500n],
    ['bank', 1n],
    ['crypto', 100n],
    ['crypto', 1n],
  ] as const)('is never the whole amount: a %s withdrawal of %d cents is refused', (method, cents) => {
    expect(() => fee(method, cents)).toThrow(AppError);
  });

  test('is named by the refusal of an amount that it would consume', () => {
    expect(() => fee('bank', 10_000n, fees(10_000, '0.00'))).toThrow('must be more than the fee');
  });

  test.each(['bsc', 'constructor', '__proto__', 'toString'])(
    'of the network %s, which has none, is refused',
    (network) => {
      expect(() => fee('crypto', 10_000n, {}, network)).toThrow(`withdrawals on ${network} are not offered`);
    },
  );
});

describe('the limits', () => {
  const limits = (usage: Usage) => limitsOf(LIVE_DEFAULTS, usage);
  const refusal = (cents: bigint, usage: Usage): string | null => {
    try {
      requireWithin(limits(usage), cents);
      return null;
    } catch (error) {
      return error instanceof AppError ? `${error.code} ${error.reason}` : String(error);
    }
  };
  const fresh = { open: 0, lastDayMinor: 0n };
  const exceeded = 'CONFLICT limit_exceeded';

  test.each([
    [999n, fresh, exceeded],
    [1_000n, fresh, null],
    [1_000_000n, fresh, null],
    [1_000_001n, fresh, exceeded],
    [1_000n, { open: 4, lastDayMinor: 0n }, null],
    [1_000n, { open: 5, lastDayMinor: 0n }, exceeded],
    [1_000n, { open: 0, lastDayMinor: 4_999_000n }, null],
    [1_001n, { open: 0, lastDayMinor: 4_999_000n }, exceeded],
  ])('%d cents after %o: %s', (cents, usage, wanted) => {
    expect(refusal(cents, usage)).toBe(wanted);
  });

  test('never go below zero when a limit was lowered afterwards', () => {
    expect(limits({ open: 9, lastDayMinor: 9_999_999n })).toMatchObject({ dailyRemainingMinor: 0n, openRemaining: 0 });
  });
});

test('settings are converted to cents, rounding up', () => {
  expect(['10.00', '10', '0.5', '0.501', '0.000001'].map(centsOf)).toEqual([1000n, 1000n, 50n, 51n, 1n]);
});
