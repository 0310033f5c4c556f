import { AppError } from '../lib/errors.ts';

/** Lets a few pieces of work run at once and keeps a short queue of the others. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A gate for work that costs much memory: `atOnce` run, `queueMax` wait their turn in order, and whoever comes on top of that gets
 * SERVICE_UNAVAILABLE at once, so that a flood can neither exhaust the memory nor build a queue that nobody survives.
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
    // The place of the one that leaves is handed over, so `running` does not change.
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
