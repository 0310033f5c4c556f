import { after, DAY_MS } from './clock.ts';

export type Interval = 'daily' | 'weekly' | 'monthly' | 'yearly';

/** Days and weeks have a constant length in UTC; months and years are counted in months. */
const LENGTH: Readonly<Record<Interval, { readonly ms: number } | { readonly months: number }>> = {
  daily: { ms: DAY_MS },
  weekly: { ms: 7 * DAY_MS },
  monthly: { months: 1 },
  yearly: { months: 12 },
};

/**
 * The `index`-th boundary from `anchor`, which is boundary 0; negative indexes lie before it. In UTC. Months and years
 * keep the anchor's day and time of day. A month without that day uses its last day, and the next month has the
 * anchor's day again: 31 January, 28 February, 31 March; 29 February, 28 February, and 29 February in the next leap
 * year.
 */
export function periodStart(anchor: Date, interval: Interval, index: number): Date {
  const length = LENGTH[interval];
  return 'ms' in length ? after(anchor, index * length.ms) : addMonths(anchor, index * length.months);
}

/**
 * The index of the period that contains `at`: the largest whose boundary is not after it. Negative before the anchor.
 */
export function periodIndexAt(anchor: Date, interval: Interval, at: Date): number {
  const length = LENGTH[interval];
  if ('ms' in length) return Math.floor((at.getTime() - anchor.getTime()) / length.ms);
  const years = at.getUTCFullYear() - anchor.getUTCFullYear();
  const months = 12 * years + at.getUTCMonth() - anchor.getUTCMonth();
  const index = Math.floor(months / length.months);
  // The boundary of this index lies in the month (or year) of `at`, before or after `at`.
  return periodStart(anchor, interval, index) <= at ? index : index - 1;
}

/** `anchor` moved by whole months, its day clamped to the length of the target month. */
function addMonths(anchor: Date, months: number): Date {
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const moved = new Date(anchor.getTime());
  moved.setUTCFullYear(anchor.getUTCFullYear(), month, Math.min(anchor.getUTCDate(), lastDay));
  return moved;
}
