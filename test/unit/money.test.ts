import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  divideUp,
  formatUnits,
  isFiat,
  parseFiat,
  parseUnits,
  presentFiat,
  presentMicro,
  rescale,
  rescaleUp,
} from '../../src/lib/money.ts';

describe('fiat', () => {
  test.each([0, 0.01, 1, 49.99, 1_000_000, 300_000_000, 0.1, 1.1])('%d is an amount', (good) => {
    expect(isFiat(good)).toBe(true);
  });
  test.each([0.001, 1.005, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 1e-7, 0.1 + 0.2])(
    '%d is no amount: an amount is finite and has at most two decimals',
    (bad) => {
      expect(isFiat(bad)).toBe(false);
    },
  );
  test('every number of cents survives a round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 30_000_000_000n }), (cents) => {
        expect(parseFiat(presentFiat(cents))).toBe(cents);
      }),
    );
  });
  test('balances round toward zero', () => {
    expect([presentMicro(999_999n), presentMicro(-999_999n), presentMicro(12_345_678n)]).toEqual([0.99, -0.99, 12.34]);
  });
});

describe('token amounts', () => {
  test('formatting and parsing are inverse', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: 0, max: 18 }),
        (units, decimals) => {
          expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units);
          expect(parseUnits(formatUnits(units, decimals, true), decimals)).toBe(units);
        },
      ),
    );
  });
  test.each(['1.0000001', '', '.5', '1.', '1e3', '0x1', ' 1', '--1', '1,5'])(
    '%j is refused as an amount with 6 decimals',
    (text) => {
      expect(() => parseUnits(text, 6)).toThrow(RangeError);
    },
  );
  test('rescaling rounds only the dropped digits, in the requested direction', () => {
    expect([rescale(15n, 1, 0), rescaleUp(15n, 1, 0), rescaleUp(10n, 1, 0), rescale(1n, 6, 18)]).toEqual([
      1n,
      2n,
      1n,
      10n ** 12n,
    ]);
    expect([divideUp(0n, 3n), divideUp(1n, 3n), divideUp(3n, 3n), divideUp(4n, 3n)]).toEqual([0n, 1n, 1n, 2n]);
  });
});
