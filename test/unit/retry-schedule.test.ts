import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { ATTEMPTS_MAX, parseRetryAfter, retryDelayMs } from '../../src/webhooks/retry-schedule.ts';

const SCHEDULE = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
const MIDDLE = 0.5;
const plain = (attempt: number) => ({ attempt, overloaded: false });

describe('the retry schedule', () => {
  test('has ten attempts and nine delays, 75 h 35 min in all', () => {
    const delays = SCHEDULE.map((_, index) => retryDelayMs(plain(index + 1), MIDDLE));
    expect(delays).toEqual(SCHEDULE);
    expect(ATTEMPTS_MAX).toBe(10);
    expect(retryDelayMs(plain(10), MIDDLE)).toBeUndefined();
    expect(retryDelayMs(plain(11), MIDDLE)).toBeUndefined();
    const total = SCHEDULE.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(75 * HOUR_MS + 35 * MINUTE_MS + 5 * SECOND_MS);
  });

  test('jitters every delay by at most 10 % either way', () => {
    for (const [index, delay] of SCHEDULE.entries()) {
      expect(retryDelayMs(plain(index + 1), 0)).toBe(0.9 * delay);
      expect(retryDelayMs(plain(index + 1), 0.999999)).toBeLessThanOrEqual(1.1 * delay);
      expect(retryDelayMs(plain(index + 1), 0.999999)).toBeGreaterThan(1.09 * delay);
    }
  });

  test('waits at least a minute for an overloaded endpoint', () => {
    expect(retryDelayMs({ attempt: 1, overloaded: true }, 0)).toBe(MINUTE_MS);
    expect(retryDelayMs({ attempt: 2, overloaded: true }, MIDDLE)).toBe(5 * MINUTE_MS);
  });

  test.each([
    [undefined, 5 * MINUTE_MS],
    [0, 5 * MINUTE_MS],
    [MINUTE_MS, 5 * MINUTE_MS],
    [7 * MINUTE_MS, 7 * MINUTE_MS],
    [10 * MINUTE_MS, 10 * MINUTE_MS],
    [24 * HOUR_MS, 10 * MINUTE_MS],
  ])('honours Retry-After between one and two times the delay: %s → %i', (retryAfterMs, expected) => {
    expect(retryDelayMs({ attempt: 2, overloaded: false, retryAfterMs }, MIDDLE)).toBe(expected);
  });
});

describe('the Retry-After header', () => {
  const real = new Date('2026-01-02T03:04:05.000Z');
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Friday, 02-Jan-26 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026', 2_026_000],
    ['99999999999999', undefined],
  ])('%j means %s ms', (value, expected) => {
    expect(parseRetryAfter(value, real)).toBe(expected);
  });
});
