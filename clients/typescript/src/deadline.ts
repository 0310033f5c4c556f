import { KasiError } from './errors.ts';

/** The longest delay that timers support, in milliseconds; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A signal that fires when the time is up or the caller's own signal fires, whichever comes first. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** The time left; `Infinity` without a limit. */
  leftMs(): number;
  /** Restarts the time with another length. */
  restart(timeoutMs: number): void;
  /** Aborts now, when nothing listens any more. */
  abort(): void;
  /** Releases the timer and the caller's signal. */
  clear(): void;
};

/**
 * Starts a deadline. When the time is up, the signal's reason is a `KasiError` `TIMEOUT`. Does not use
 * `AbortSignal.any` and `AbortSignal.timeout`: some runtimes lack them, and in others the garbage collector removes
 * their combination.
 */
export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = Number.POSITIVE_INFINITY;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    endsAt = Number.POSITIVE_INFINITY;
    if (!Number.isFinite(ms) || ms <= 0) return; // No limit.
    endsAt = performance.now() + ms;
    const over = (): void => controller.abort(new KasiError('TIMEOUT', `No answer within ${Math.round(ms)} ms.`));
    timer = setTimeout(over, Math.min(ms, TIMER_MAX_MS));
  };
  if (outer?.aborted) onOuter();
  else outer?.addEventListener('abort', onOuter, { once: true });
  restart(timeoutMs);
  return {
    signal: controller.signal,
    leftMs: () => endsAt - performance.now(),
    restart,
    abort: () => controller.abort(),
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}

/** Waits for `work` until the signal fires. The work itself continues, because other callers may wait for it too. */
export function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
