import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/** From the end of one attempt to the start of the next: ten attempts, nine delays, 75 h 35 min in all. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** The shortest delay for an endpoint that is overloaded, or that its proxy can't reach. */
const OVERLOADED_MIN_MS = MINUTE_MS;
const JITTER = 0.1;

export const ATTEMPTS_MAX = DELAYS_MS.length + 1;
/** No delay is longer: twice the last one, where `Retry-After` asks for it. */
export const DELAY_MAX_MS = Math.round(2 * (1 + JITTER) * 24 * HOUR_MS);

export type Failure = {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** The endpoint answered 429, 502 or 504, or timed out. */
  readonly overloaded: boolean;
  /** What the endpoint asked for in `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * How many milliseconds to wait after a failed attempt; undefined after the last one. The scheduled delay gets up to 10
 * % of jitter, so that deliveries that failed together don't retry together. `Retry-After` can lengthen the delay to at
 * most twice that, and never shorten it. `random` is uniform in [0, 1).
 */
export function retryDelayMs(failure: Failure, random: number): number | undefined {
  const scheduledMs = DELAYS_MS[failure.attempt - 1];
  if (scheduledMs === undefined) return undefined;
  const jitteredMs = Math.round(scheduledMs * (1 - JITTER + 2 * JITTER * random));
  const delayMs = failure.overloaded ? Math.max(jitteredMs, OVERLOADED_MIN_MS) : jitteredMs;
  return Math.min(Math.max(failure.retryAfterMs ?? 0, delayMs), 2 * delayMs);
}

/**
 * The `Retry-After` header (RFC 9110, seconds or a date) in milliseconds from `real`; undefined when it is missing or
 * unusable.
 */
export function parseRetryAfter(value: string | undefined, real: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // A date in the header starts with the name of its day; Date.parse alone would accept almost anything.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - real.getTime());
}
