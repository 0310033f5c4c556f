import { AppError } from '../lib/errors.ts';

/** Runs `work` as soon as there is a free slot. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Bounds work that needs much memory: `atOnce` calls run, `queueMax` wait in order, and any further call fails at once
 * with SERVICE_UNAVAILABLE. A flood can neither exhaust the memory nor build a queue that outlasts its callers'
 * timeouts.
 */
export function createConcurrencyLimit(atOnce: number, queueMax: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= queueMax) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many logins at this moment. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    }
    // `leave` hands its slot over, so `running` doesn't change.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
