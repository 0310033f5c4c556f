import { type Deadline, startDeadline, waitFor } from './deadline.ts';
import { KasiError } from './errors.ts';

/** The first pause; each following one is twice as long. */
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 8000;

/** A longer `Retry-After` is not waited for: the error is thrown at once, even if the call has no deadline. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type RetryPolicy = {
  /** How often a failed attempt is retried at most. */
  readonly maxRetries: number;
  /** Whether a second attempt has no second effect, whatever happened to the first. */
  readonly repeatable: boolean;
  /** What is attempted, for errors to name. */
  readonly operation: string;
};

/**
 * Makes attempts until one succeeds, one fails for good, or no other fits into the deadline. Each attempt has its own
 * signal: while another attempt may follow, it fires after half of the time left, so that a hanging connection doesn't
 * use up the call. Throws the error of the last attempt, with the number of attempts.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  policy: RetryPolicy,
  deadline: Deadline,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    const mayRepeat = attempts <= policy.maxRetries;
    const share = startDeadline(shareOf(deadline.leftMs(), attempts, mayRepeat && policy.repeatable), deadline.signal);
    try {
      const result = await attempt(share.signal);
      share.restart(0); // An open stream has no limit of its own; it still ends with the call.
      return result;
    } catch (error) {
      share.clear();
      if (deadline.signal.aborted || !(error instanceof KasiError)) throw told(error, attempts, policy);
      const pauseMs = pauseAfter(error, attempts);
      if (!mayRepeat || !isWorthAnother(error, policy) || pauseMs >= deadline.leftMs())
        throw told(error, attempts, policy);
      await pause(pauseMs, deadline.signal);
    }
  }
}

/**
 * How long an attempt may take: half of the time left if another attempt then fits; else 0, which means no limit of its
 * own.
 */
function shareOf(leftMs: number, attempts: number, mayRepeat: boolean): number {
  return mayRepeat && leftMs / 2 > longestPause(attempts) ? leftMs / 2 : 0;
}

/** Whether another attempt can do no harm and may succeed. */
function isWorthAnother({ status, code, attempts }: KasiError, { repeatable }: RetryPolicy): boolean {
  // Already retried: it comes from the call that renews the session, which makes its own attempts.
  if (attempts > 0) return false;
  // The service refused it before it did anything.
  if (status === 429 || code === 'RATE_UNAVAILABLE') return true;
  // In all other cases the service may have carried it out.
  if (!repeatable) return false;
  return status === 0 || [500, 502, 503, 504].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
}

/**
 * The time that the service asks for plus a random pause, so that clients that failed together don't retry together.
 */
function pauseAfter({ retryAfterSeconds }: KasiError, attempts: number): number {
  const seconds = retryAfterSeconds ?? 0;
  if (seconds > RETRY_AFTER_MAX_SECONDS) return Number.POSITIVE_INFINITY;
  return seconds * 1000 + longestPause(attempts) * (0.5 + Math.random() / 2);
}

/** The pause after this many attempts, before jitter shortens it. */
export const longestPause = (attempts: number): number => Math.min(PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS);

/** Waits for `ms` milliseconds, or throws the signal's reason when it fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await waitFor(over, signal).finally(() => clearTimeout(timer));
}

/** Tells an error what was attempted and how often, once: several calls may share an error of the session. */
function told(error: unknown, attempts: number, { operation }: RetryPolicy): unknown {
  if (error instanceof KasiError && error.attempts === 0) Object.assign(error, { attempts, operation });
  return error;
}
