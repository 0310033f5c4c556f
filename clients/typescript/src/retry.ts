import { type Deadline, startDeadline, waitFor } from './deadline.ts';
import { KasiError } from './errors.ts';

/** The first pause; every other one is twice as long. */
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 8000;

/** What asks for more patience than this is told to the caller at once, even if the call has no deadline. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type RetryPolicy = {
  /** How often at most a failed attempt is followed by another one. */
  readonly maxRetries: number;
  /** Whether a second attempt has no second effect, whatever became of the first. */
  readonly repeatable: boolean;
};

/**
 * Makes attempts until one succeeds, fails for good, or no other fits into the deadline. Every attempt has a signal of its own: while
 * another may follow, it fires after half of the time that is left, so that a connection that hangs is not the end of the call. The
 * error of the last attempt is thrown and tells how many there were.
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
      share.restart(0); // A stream that has begun may take its time, and still ends with the call.
      return result;
    } catch (error) {
      share.clear();
      if (deadline.signal.aborted || !(error instanceof KasiError)) throw counted(error, attempts);
      const pauseMs = pauseAfter(error, attempts);
      if (!mayRepeat || !isWorthAnother(error, policy) || pauseMs >= deadline.leftMs()) throw counted(error, attempts);
      await pause(pauseMs, deadline.signal);
    }
  }
}

/** How long an attempt may take: half of the time that is left where another one then fits; else 0, for no limit of its own. */
function shareOf(leftMs: number, attempts: number, mayRepeat: boolean): number {
  return mayRepeat && leftMs / 2 > longestPause(attempts) ? leftMs / 2 : 0;
}

/** Whether another attempt can do no harm and may bring what this one did not. */
function isWorthAnother({ status, code, attempts }: KasiError, { repeatable }: RetryPolicy): boolean {
  // It failed in a call that had its own attempts: the one that renews the session.
  if (attempts > 0) return false;
  // Refused before anything was done.
  if (status === 429 || code === 'RATE_UNAVAILABLE') return true;
  // From here on nobody knows whether it was done.
  if (!repeatable) return false;
  return status === 0 || [500, 502, 503, 504].includes(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
}

/** As long as the service asks for, and a random while, so that those who failed together do not come back together. */
function pauseAfter({ retryAfterSeconds }: KasiError, attempts: number): number {
  const seconds = retryAfterSeconds ?? 0;
  if (seconds > RETRY_AFTER_MAX_SECONDS) return Number.POSITIVE_INFINITY;
  return seconds * 1000 + longestPause(attempts) * (0.5 + Math.random() / 2);
}

/** The pause after so many attempts, before chance shortens it. */
export const longestPause = (attempts: number): number => Math.min(PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS);

/** Waits so long, or throws the signal's reason when it fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await waitFor(over, signal).finally(() => clearTimeout(timer));
}

/** An error keeps the number that it got first: the session's may be shared by several calls. */
function counted(error: unknown, attempts: number): unknown {
  if (error instanceof KasiError && error.attempts === 0) (error as { attempts: number }).attempts = attempts;
  return error;
}
