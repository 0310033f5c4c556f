import type { PlanKind } from './cast.ts';

const DAY_MS = 86_400_000;

/**
 * The start of the period after `index` periods, computed without the service's calendar, which is under examination.
 */
function boundary(anchor: Date, interval: PlanKind['interval'], index: number): Date {
  if (interval === 'daily') return new Date(anchor.getTime() + index * DAY_MS);
  if (interval === 'weekly') return new Date(anchor.getTime() + index * 7 * DAY_MS);
  const months = interval === 'monthly' ? index : index * 12;
  const moved = new Date(anchor);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  // The day does not exist in that month, so JavaScript moved into the next one; go back to the last day.
  if (moved.getUTCDate() !== anchor.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

/** The periods that had begun by `now`, numbered from 1. */
export function begunPeriods(anchor: Date, interval: PlanKind['interval'], now: Date) {
  const periods: { readonly number: number; readonly start: Date; readonly end: Date }[] = [];
  for (let number = 1; boundary(anchor, interval, number - 1) <= now; number += 1) {
    periods.push({
      number,
      start: boundary(anchor, interval, number - 1),
      end: boundary(anchor, interval, number),
    });
  }
  return periods;
}
