import { parseRetryAfter, retryDelayMs } from '../lib/backoff.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import type { OutboundResult } from '../outbound/exchange.ts';

/** In flight at once per merchant, in all processes together. */
export const IN_FLIGHT_MAX = 10;
/**
 * What an endpoint keeps that has done nothing but fail for a while: enough to see it recover, so few that many dead endpoints together
 * do not hold all hands of a process. One success gives it the full number again.
 */
export const IN_FLIGHT_FAILING = 2;
export const FAILING_AFTER_MS = 60_000;
/** Nothing but failures for this long disables an endpoint. */
export const DISABLE_AFTER_MS = 120 * HOUR_MS;

const EXCERPT_BYTES = 2048;
const GONE = 410;
const OVERLOADED = new Set([429, 502, 504]);

/** What the endpoint made of an attempt, or why it never got there. */
export type AttemptResult =
  | OutboundResult
  | { readonly kind: 'failure'; readonly failure: 'signing_failed'; readonly durationMs: number };

/** What came of one attempt, and what the delivery becomes by it. */
export type Outcome = {
  readonly status: 'pending' | 'success' | 'failed';
  readonly statusCode: number | null;
  readonly responseTimeMs: number;
  /** Why it failed, in a word; null for a success. */
  readonly failure: string | null;
  /** The first 2 kB of the answer. */
  readonly excerpt: string | null;
  readonly nextAttemptAt: Date | null;
  /** The endpoint says that it will never want anything again. */
  readonly gone: boolean;
};

export type Moment = {
  /** Business time of the result, from which the next attempt is counted. */
  readonly now: Date;
  readonly real: Date;
  /** Uniform in [0, 1). */
  readonly random: number;
};

/** Decides what an attempt (counted from 1) of a delivery has made of it. Only 2xx is a success; a redirect is a failure. */
export function decideOutcome(result: AttemptResult, attempt: number, moment: Moment): Outcome {
  const answer = result.kind === 'answer' ? result : undefined;
  const statusCode = answer?.statusCode ?? null;
  const ended = {
    statusCode,
    responseTimeMs: result.durationMs,
    excerpt: answer ? excerptOf(answer.body) : null,
    nextAttemptAt: null,
    gone: statusCode === GONE,
  };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { ...ended, status: 'success', failure: null };

  const failure = result.kind === 'failure' ? result.failure : 'status';
  const delayMs = retryDelayMs(
    {
      attempt,
      overloaded: failure === 'timeout' || OVERLOADED.has(statusCode ?? 0),
      retryAfterMs: parseRetryAfter(firstOf(answer?.headers['retry-after']), moment.real),
    },
    moment.random,
  );
  if (ended.gone || delayMs === undefined) return { ...ended, status: 'failed', failure };
  return { ...ended, status: 'pending', failure, nextAttemptAt: after(moment.now, delayMs) };
}

/** The outcome of an attempt that nothing follows, whatever came of it. */
export function decideOnly(result: AttemptResult, moment: Moment): Outcome {
  const outcome = decideOutcome(result, 1, moment);
  return outcome.status === 'pending' ? { ...outcome, status: 'failed', nextAttemptAt: null } : outcome;
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

/** Text that PostgreSQL can store: what is not UTF-8, or NUL, is replaced. */
const excerptOf = (body: Buffer): string =>
  body.subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\u0000', '\uFFFD');
