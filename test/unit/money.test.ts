import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  divideUp,
  formatFixed,
  formatUnits,
  isFiat,
  lessBps,
  parseFiat,
  parseUnits,
  presentFiat,
  presentMicro,
  priceE8Of,
  rescale,
  rescaleUp,
  shareE18,
  shownUnit,
  unitsAtPrice,
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
          expect(parseUnits(formatFixed(units, decimals), decimals)).toBe(units);
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

describe('coins', () => {
  test('an amount at a price is rounded up to eight decimals', () => {
    // 100 dollars at 60,000 dollars a bitcoin, and at 3,000 an ether.
    expect(unitsAtPrice(100_000_000n, 6_000_000_000_000n, 8)).toBe(166_667n);
    expect(unitsAtPrice(100_000_000n, 300_000_000_000n, 18)).toBe(33_333_340_000_000_000n);
    expect(unitsAtPrice(1n, 300_000_000_000n, 18)).toBe(10_000_000_000n);
  });
  test('a price less basis points is rounded down and never nothing', () => {
    expect([lessBps(6_000_000_000_000n, 50), lessBps(3n, 1), lessBps(1n, 5_000)]).toEqual([5_970_000_000_000n, 2n, 1n]);
  });
  test('whoever sends what is shown has sent enough, and less than one shown unit too much', () => {
    const micro = fc.bigInt({ min: 1n, max: 10n ** 13n });
    const price = fc.bigInt({ min: 1_000n, max: 10n ** 16n });
    fc.assert(
      fc.property(micro, price, fc.constantFrom(8, 18), (asked, priceE8, decimals) => {
        const units = unitsAtPrice(asked, priceE8, decimals);
        expect(units % shownUnit(decimals)).toBe(0n);
        // Worth at the price, in micro-dollars times 10^(decimals + 2), without any rounding.
        const [worth, goal] = [units * priceE8, asked * 10n ** BigInt(decimals + 2)];
        expect(worth).toBeGreaterThanOrEqual(goal);
        expect(worth - goal).toBeLessThan(shownUnit(decimals) * priceE8);
        expect(shareE18(asked, units, units)).toBe(asked * 10n ** 12n);
        expect(priceE8Of(asked, units, decimals)).toBeLessThanOrEqual(priceE8);
      }),
    );
  });
});
