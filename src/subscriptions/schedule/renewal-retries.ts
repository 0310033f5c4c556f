import { after, DAY_MS, HOUR_MS } from '../../lib/clock.ts';

/** After the first failure of a period, not after the last one: extra tries in between (a merchant's, a refilled wallet's) move nothing. */
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
 * When a charge that just failed at `now` is tried again; null when the retries are used up. The schedule is cut at `periodEnd`, the end of
 * the period that contains the first failure, which is the next due date: what would come after it comes then, once and for the last time, for
 * the period that begins there. Always after `now`, so that retries missed in an outage collapse into the one that was made after it.
 */
export function nextRetryAt(firstFailedAt: Date, periodEnd: Date, now: Date): Date | null {
  const left = RETRIES_MS.map((ms) => after(firstFailedAt, ms)).find((time) => time > now);
  if (!left || now >= periodEnd) return null;
  return left < periodEnd ? left : periodEnd;
}
