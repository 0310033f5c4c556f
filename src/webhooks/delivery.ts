import { after, HOUR_MS } from '../lib/clock.ts';
import type { OutboundResult } from '../outbound/exchange.ts';
import { parseRetryAfter, retryDelayMs } from './retry-schedule.ts';

/** Deliveries of one merchant in flight at once, across all processes. */
export const IN_FLIGHT_MAX = 10;
/**
 * The same for an endpoint that has only failed for a while: enough to notice its recovery, and so few that many dead
 * endpoints together don't use up a process. One success restores the full number. And for a slow one in a crowd: see
 * decision webhooks/few-slots-in-a-crowd.
 */
export const IN_FLIGHT_FEW = 2;
export const FAILING_AFTER_MS = 60_000;
/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER_MS = 120 * HOUR_MS;

const EXCERPT_BYTES = 2048;
const GONE = 410;
const OVERLOADED = new Set([429, 502, 504]);

/** The endpoint's answer to an attempt, or why there was none. */
export type AttemptResult =
  | OutboundResult
  | { readonly kind: 'failure'; readonly failure: 'signing_failed'; readonly durationMs: number };

/** The outcome of one attempt, and the state that the delivery moves to. */
export type Outcome = {
  readonly status: 'pending' | 'success' | 'failed';
  readonly statusCode: number | null;
  readonly responseTimeMs: number;
  /** Why it failed, as a code; null for a success. */
  readonly failure: string | null;
  /** The first 2 kB of the answer's body. */
  readonly excerpt: string | null;
  readonly nextAttemptAt: Date | null;
  /** The endpoint answered 410 Gone: it wants no more events, ever. */
  readonly gone: boolean;
};

export type Moment = {
  /** Business time of the result. The delay to the next attempt starts here. */
  readonly now: Date;
  readonly real: Date;
  /** Uniform in [0, 1). */
  readonly random: number;
};

/** Decides the outcome of an attempt, counted from 1. Only 2xx is a success; a redirect is a failure. */
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

/** The outcome of an attempt that is never retried. */
export function decideWithoutRetry(result: AttemptResult, moment: Moment): Outcome {
  const outcome = decideOutcome(result, 1, moment);
  return outcome.status === 'pending' ? { ...outcome, status: 'failed', nextAttemptAt: null } : outcome;
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

/** Text that PostgreSQL can store: invalid UTF-8 and NUL are replaced. */
const excerptOf = (body: Buffer): string =>
  body.subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\u0000', '\uFFFD');
