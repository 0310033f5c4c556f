import { after, DAY_MS, HOUR_MS } from '../../lib/clock.ts';

/**
 * Counted from the first failure of a period: extra attempts in between (a merchant's, a refilled wallet's) shift
 * nothing.
 */
const RETRIES_MS = [
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
  5 * DAY_MS,
  7 * DAY_MS,
  10 * DAY_MS,
  14 * DAY_MS,
] as const;

/**
 * The dunning schedule: when a renewal charge that failed at `now` is retried; null when the retries are used up. The
 * schedule is cut at `periodEnd`, the end of the period that contains the first failure and so the next due date: the
 * retry that would come later comes then, once and for the last time, for the period that begins there. Always after
 * `now`, so retries missed in an outage collapse into the one made after it.
 * See decision subscriptions/last-retry-is-for-the-next-period.
 */
export function nextRetryAt(firstFailedAt: Date, periodEnd: Date, now: Date): Date | null {
  const left = RETRIES_MS.map((ms) => after(firstFailedAt, ms)).find((time) => time > now);
  if (!left || now >= periodEnd) return null;
  return left < periodEnd ? left : periodEnd;
}
