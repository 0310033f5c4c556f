import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readObservation } from '../../src/rates/http-source.ts';
import { judge, type Observation } from '../../src/rates/judge.ts';
import { toMicro } from '../../src/rates/reader.ts';

const REAL = new Date('2026-03-01T12:00:00.000Z');
const ago = (seconds: number): Date => new Date(REAL.getTime() - seconds * 1000);
const said = (source: string, lkr: number, quotedAt = REAL): Observation => ({
  source,
  valueE8: BigInt(Math.round(lkr * 1e8)),
  quotedAt,
});

describe('judging rates', () => {
  test('the rate is the median, as old as the oldest source behind it', () => {
    expect(judge([said('c', 303), said('a', 300, ago(50)), said('b', 301)], REAL)).toEqual({
      kind: 'good',
      rate: { source: 'median of a, b, c', valueE8: 30_100_000_000n, quotedAt: ago(50) },
    });
  });

  test('the median of two is their mean', () => {
    const judgement = judge([said('a', 300), said('b', 301)], REAL);
    expect(judgement).toMatchObject({ kind: 'good', rate: { valueE8: 30_050_000_000n } });
  });

  test('one source is not enough', () => {
    expect(judge([said('a', 300)], REAL)).toEqual({ kind: 'refused', problems: ['1 usable sources, 2 are needed'] });
    expect(judge([], REAL).kind).toBe('refused');
  });

  test('a rate of 120 s is used, an older one is not', () => {
    expect(judge([said('a', 300, ago(120)), said('b', 300)], REAL).kind).toBe('good');
    const judgement = judge([said('a', 300, ago(120.001)), said('b', 300)], REAL);
    expect(judgement).toEqual({
      kind: 'refused',
      problems: ['a is older than 120 s', '1 usable sources, 2 are needed'],
    });
  });

  test('where no time of several sources fits, our own clock is named, too', () => {
    const problems = ['a is older than 120 s', 'b is older than 120 s', '0 usable sources, 2 are needed'];
    const clock = 'no time fits: look at the clock of this machine';
    const late = [said('a', 300, ago(600)), said('b', 300, ago(601))];
    expect(judge(late, REAL)).toEqual({ kind: 'refused', problems: [...problems, clock] });
  });

  test('a rate from the future is not used', () => {
    expect(judge([said('a', 300, ago(-121)), said('b', 300)], REAL).kind).toBe('refused');
  });

  test('a rate of zero is not used', () => {
    expect(judge([said('a', 0), said('b', 300), said('c', 300)], REAL)).toMatchObject({
      rate: { source: 'median of b, c' },
    });
    expect(judge([said('a', 0), said('b', 300)], REAL)).toMatchObject({
      problems: ['a is not positive', expect.any(String)],
    });
  });

  test('exactly 2 % off the median is used, more is not', () => {
    expect(judge([said('a', 300), said('b', 300), said('c', 306)], REAL)).toMatchObject({
      rate: { source: 'median of a, b, c', valueE8: 30_000_000_000n },
    });
    expect(judge([said('a', 300), said('b', 300), said('c', 306.00000001)], REAL)).toMatchObject({
      rate: { source: 'median of a, b', valueE8: 30_000_000_000n },
    });
  });

  test('two sources that contradict each other are both rejected', () => {
    expect(judge([said('a', 300), said('b', 320)], REAL)).toEqual({
      kind: 'refused',
      problems: [
        'a is more than 2 % off the median',
        'b is more than 2 % off the median',
        '0 usable sources, 2 are needed',
      ],
    });
  });

  test('for any sources, a good rate lies between two that agree, and order does not matter', () => {
    const observation = fc.record({
      source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      valueE8: fc.oneof(
        fc.bigInt({ min: 29_000_000_000n, max: 31_000_000_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 13n }),
      ),
      quotedAt: fc.integer({ min: -300, max: 300 }).map(ago),
    });
    let good = 0;
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 7 }), (observations) => {
        const judgement = judge(observations, REAL);
        expect(judge([...observations].reverse(), REAL).kind).toBe(judgement.kind);
        if (judgement.kind === 'refused') return;
        good += 1;
        const { valueE8, quotedAt } = judgement.rate;
        expect(judge([...observations].reverse(), REAL)).toEqual(judgement);
        const below = observations.filter((one) => one.valueE8 <= valueE8 && one.valueE8 > 0n);
        const above = observations.filter((one) => one.valueE8 >= valueE8);
        expect(below.length).toBeGreaterThan(0);
        expect(above.length).toBeGreaterThan(0);
        expect(below.length + above.length).toBeGreaterThanOrEqual(2);
        expect(quotedAt.getTime()).toBeLessThanOrEqual(REAL.getTime());
        expect(REAL.getTime() - quotedAt.getTime()).toBeLessThanOrEqual(120_000);
      }),
    );
    expect(good).toBeGreaterThan(0);
  });
});

describe('an HTTP JSON source', () => {
  const source = { name: 'bank', pair: 'USD/LKR', url: 'https://rates.example', value: 'data.0.rates.LKR' };
  const answer = (LKR: unknown, time?: unknown) => ({ data: [{ rates: { LKR } }], time });

  test.each([
    [300, 30_000_000_000n],
    [300.123456789, 30_012_345_679n],
    ['300.123456789', 30_012_345_678n],
    [' 299 ', 29_900_000_000n],
    [1e-9, 0n],
    [-300, 0n],
  ])('reads %j as %s', (value, valueE8) => {
    expect(readObservation(source, answer(value), REAL)).toEqual({ source: 'bank', valueE8, quotedAt: REAL });
  });

  test.each([null, true, '', 'n/a', '1e3', Number.NaN, Number.POSITIVE_INFINITY, 1e21, [300], { LKR: 300 }])(
    'refuses %j',
    (value) => {
      expect(() => readObservation(source, answer(value), REAL)).toThrow('no price at data.0.rates.LKR');
    },
  );

  test('refuses a missing value, also one that is only inherited', () => {
    expect(() => readObservation(source, {}, REAL)).toThrow('no price');
    expect(() => readObservation(source, null, REAL)).toThrow('no price');
    expect(() => readObservation({ ...source, value: 'toString.length' }, {}, REAL)).toThrow('no price');
  });

  test.each([
    [1_772_366_400, 1_772_366_400_000],
    [1_772_366_400_500, 1_772_366_400_500],
    ['1772366400', 1_772_366_400_000],
    ['2026-03-01T12:00:00Z', 1_772_366_400_000],
  ])('reads the time %j', (time, ms) => {
    const timed = { ...source, time: 'time' };
    expect(readObservation(timed, answer(300, time), REAL).quotedAt.getTime()).toBe(ms);
  });

  test.each([undefined, null, '', 'yesterday', {}, 1e300])('refuses the time %j', (time) => {
    expect(() => readObservation({ ...source, time: 'time' }, answer(300, time), REAL)).toThrow('no time at time');
  });
});

test('dollars round up to the next millionth', () => {
  const amount = fc.bigInt({ min: 1n, max: 30_000_000_000n });
  const rate = fc.bigInt({ min: 1_000_000n, max: 10n ** 14n });
  fc.assert(
    fc.property(amount, rate, (amountMinor, valueE8) => {
      const micro = toMicro(amountMinor, valueE8);
      expect(micro * valueE8).toBeGreaterThanOrEqual(amountMinor * 10n ** 12n);
      expect((micro - 1n) * valueE8).toBeLessThan(amountMinor * 10n ** 12n);
    }),
  );
});
