import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CoinQuote, quoteCoin, valueCoin } from '../../src/payments/quotes.ts';

const START = new Date('2026-01-01T10:00:00.000Z');
const at = (minutes: number, ms = 0): Date => new Date(START.getTime() + minutes * 60_000 + ms);
const BTC = { decimals: 8 };
const E12 = 10n ** 12n;

const rateAt = (dollars: number) => ({
  rate: { pair: 'BTC/USD', valueE8: `${dollars}00000000`, source: 'test', quotedAt: START.toISOString() },
  spreadBps: 0,
});

/** Quotes of a payment of 100 dollars, one for each price, every fifteen minutes. */
const quotesOf = (...prices: readonly number[]): CoinQuote[] =>
  prices.map((dollars, i) => {
    const now = at(15 * i);
    const { units, quote } = quoteCoin(100_000_000n, BTC, rateAt(dollars), { number: i + 1, now });
    const { startsAt: _, endsAt, ...by } = quote;
    expect(endsAt).toBe(at(15 * (i + 1)).toISOString());
    return {
      startsAt: now,
      needE18: 100n * 10n ** 18n,
      rate: { ...by, units: units.toString(), amountMicro: '100000000' },
    };
  });

const dollarsOf = (quotes: readonly CoinQuote[], units: bigint, moment: Date): number =>
  Number(valueCoin(quotes, units, moment).valueE18 / E12) / 1e6;

describe('the quote that counts', () => {
  const falling = quotesOf(60_000, 50_000, 40_000);
  const rising = quotesOf(50_000, 60_000);

  test('is the one in force when the transfer was sent, to the last millisecond', () => {
    expect(valueCoin(rising, 200_000n, at(15, -1))).toMatchObject({ valueE18: 100n * 10n ** 18n, rate: { number: 1 } });
    expect(valueCoin(rising, 166_667n, at(15))).toMatchObject({ valueE18: 100n * 10n ** 18n, rate: { number: 2 } });
  });
  test('is the one before for two minutes, where that is better for the payer', () => {
    expect(dollarsOf(falling, 166_667n, at(15))).toBe(100);
    expect(dollarsOf(falling, 166_667n, at(17))).toBe(100);
    expect(dollarsOf(falling, 166_667n, at(17, 1))).toBe(83.3335);
    // A price that has risen since is not held against them.
    expect(dollarsOf(rising, 166_667n, at(16))).toBe(100);
  });
  test('is the new one for who sends what it shows, which would be too much by the old', () => {
    expect(dollarsOf(falling, 200_000n, at(16))).toBe(100);
    expect(dollarsOf(falling, 199_999n, at(16))).toBe(119.99916);
  });
  test('is never the one before the last', () => {
    expect(dollarsOf(falling, 166_667n, at(31))).toBe(83.3335);
  });
  test('is the last one as long as nothing could be quoted since', () => {
    expect(dollarsOf(falling, 250_000n, at(500))).toBe(100);
  });
  test('is the first one when a clock is behind', () => {
    expect(dollarsOf(falling, 166_667n, at(-5))).toBe(100);
  });
  test('without any quote a coin is worth nothing', () => {
    expect(valueCoin([], 1n, START)).toEqual({ valueE18: 0n, rate: null });
  });
});

test('who sends what any quote in force showed has paid all, and no micro-dollar too much', () => {
  const amount = fc.bigInt({ min: 10_000n, max: 10n ** 12n });
  const dollars = fc.integer({ min: 1, max: 500_000 });
  fc.assert(
    fc.property(amount, fc.array(dollars, { minLength: 1, maxLength: 5 }), fc.nat(4), (micro, prices, pick) => {
      const quotes = prices.map((price, i): CoinQuote => {
        const { units, quote } = quoteCoin(micro, { decimals: 18 }, rateAt(price), { number: i + 1, now: at(15 * i) });
        const rate = { ...quote, units: units.toString(), amountMicro: micro.toString() };
        return { startsAt: at(15 * i), needE18: micro * E12, rate };
      });
      const i = pick % prices.length;
      const shown = BigInt(quotes[i]?.rate.units ?? 0);
      expect(valueCoin(quotes, shown, at(15 * i + 14)).valueE18).toBe(micro * E12);
      expect(valueCoin(quotes, shown, at(15 * i + 1)).valueE18).toBe(micro * E12);
      // Who looked at the one before has paid, too, where it asked for less.
      const before = BigInt(quotes[i - 1]?.rate.units ?? shown);
      expect(valueCoin(quotes, before, at(15 * i + 1)).valueE18).toBeGreaterThanOrEqual(micro * E12);
    }),
  );
});

test('the spread makes the payer send more, not the payment ask for more', () => {
  const { rate } = rateAt(60_000);
  const { units, quote } = quoteCoin(100_000_000n, BTC, { rate, spreadBps: 50 }, { number: 1, now: START });
  expect(units).toBe(167_505n); // 100 dollars at 59,700.
  expect(quote).toMatchObject({ marketE8: '6000000000000', spreadBps: 50 });
});
