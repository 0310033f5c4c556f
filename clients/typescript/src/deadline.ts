import { KasiError } from './errors.ts';

/** The longest delay that timers know, in milliseconds; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A signal that fires when the time is over or the caller's own signal fires, whichever is first. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** How much time is left, `Infinity` without a limit. */
  leftMs(): number;
  /** Starts the time again with another length. */
  restart(timeoutMs: number): void;
  /** Aborts now, for the one who no longer listens. */
  abort(): void;
  /** Lets go of the timer and of the caller's signal. */
  clear(): void;
};

/**
 * Starts a deadline. When the time is over, the signal's reason is a `KasiError` `TIMEOUT`. Made by hand: `AbortSignal.any`
 * and `AbortSignal.timeout` are not in every runtime, and in some their combination is lost to the garbage collector.
 */
export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = Number.POSITIVE_INFINITY;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    endsAt = Number.POSITIVE_INFINITY;
    if (!Number.isFinite(ms) || ms <= 0) return; // The caller wants to wait for ever.
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

/** Waits for `work` until the signal fires; the work itself goes on, because others may wait for it too. */
export function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
