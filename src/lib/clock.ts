/**
 * Two clocks. The business clock decides expiry, periods and due times and can be moved forward in the sandbox; the
 * real clock decides sessions, signatures, throttles and limits. Both are read at the edge (a request, a tick, a block)
 * and passed down.
 */
export type Clock = {
  /** Business time. */
  readonly now: () => Date;
  /** Wall time. */
  readonly real: () => Date;
};

/** A clock whose business time is `offsetMs()` ahead of wall time. */
export function createClock(offsetMs: () => number = () => 0): Clock {
  return { now: () => new Date(Date.now() + offsetMs()), real: () => new Date() };
}

/** Wall time in milliseconds since 1970, where no request's clock is at hand. */
export const wallMs = (): number => Date.now();

/** Monotonic milliseconds, for measuring durations. */
export const monotonicMs = (): number => performance.now();

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** `date` moved by `ms` milliseconds. */
export const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

/** `firstMs`, doubled this many times, at most `maxMs`: the backoff after that many more failures. */
export const doubled = (firstMs: number, times: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(times, 16));

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** A duration for a person: `45 seconds`, `3 minutes`, `2 days`. */
export function describeAge(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= 2 * each) ?? (['second', SECOND_MS] as const);
  const count = Math.round(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
