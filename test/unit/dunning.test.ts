import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { nextRetryAt } from '../../src/subscriptions/schedule/renewal-retries.ts';

const FAILED = new Date('2026-03-01T00:00:05.000Z');
const in_ = (hours: number): Date => after(FAILED, hours * HOUR_MS);

/** The hours after the failure at which a charge that fails every time is retried. */
function retriesUntil(periodEnd: Date): number[] {
  const retries: number[] = [];
  for (let at = nextRetryAt(FAILED, periodEnd, FAILED); at; at = nextRetryAt(FAILED, periodEnd, at))
    retries.push((at.getTime() - FAILED.getTime()) / HOUR_MS);
  return retries;
}

describe('a charge that fails every time', () => {
  test.each([
    ['a month', 31 * 24, [1, 6, 24, 72, 120, 168, 240, 336]],
    ['a year', 365 * 24, [1, 6, 24, 72, 120, 168, 240, 336]],
    ['a week', 7 * 24 - 0.001, [1, 6, 24, 72, 120, 167.999]],
    ['a day', 24 - 0.001, [1, 6, 23.999]],
    ['a day, late in it', 0.5, [0.5]],
    ['a fortnight to the hour', 14 * 24, [1, 6, 24, 72, 120, 168, 240, 336]],
  ])('is retried on schedule, the last time no later than the end of the period: %s', (_, hours, wanted) => {
    expect(retriesUntil(in_(hours))).toEqual(wanted);
  });
});

test('retries missed during an outage of three days collapse into one', () => {
  const month = in_(31 * 24);
  // Due after 1 h; made after 75 h, when the retries of 6 h, 1 day and 3 days were due too.
  expect(nextRetryAt(FAILED, month, in_(75))).toEqual(in_(120));
  expect(nextRetryAt(FAILED, month, in_(20 * 24))).toBeNull();
});

test('the next retry is always in the future and never after the next due date', () => {
  fc.assert(
    fc.property(fc.nat(30 * DAY_MS), fc.nat(400 * DAY_MS), (passed, length) => {
      const [now, periodEnd] = [after(FAILED, passed), after(FAILED, length)];
      const retryAt = nextRetryAt(FAILED, periodEnd, now);
      if (retryAt) expect(retryAt > now && retryAt <= periodEnd).toBe(true);
      else expect(now >= periodEnd || passed >= 14 * DAY_MS).toBe(true);
    }),
  );
});
