import { AppError } from './errors.ts';

/** Runs `work` as soon as there is a free slot; what is `urgent` goes before what is not, and has room of its own. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, urgent?: boolean) => Promise<T>;

/**
 * Bounds work that needs much memory: `atOnce` calls run, `queueMax` of each kind wait in order, and any further call
 * fails at once with SERVICE_UNAVAILABLE. A flood can neither exhaust the memory nor build a queue that outlasts its
 * callers' timeouts. `what`: of what there are too many then.
 */
export function createConcurrencyLimit(atOnce: number, queueMax: number, what = 'logins'): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  const urgentOnes: (() => void)[] = [];
  let running = 0;

  const enter = async (queue: (() => void)[]): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= queueMax) throw tooMany(what);
    // `leave` hands its slot over, so `running` doesn't change.
    await new Promise<void>((resolve) => queue.push(resolve));
  };

  const leave = (): void => {
    const next = urgentOnes.shift() ?? waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work, urgent = false) => {
    await enter(urgent ? urgentOnes : waiting);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/** What is refused for now because so much of the same waits. */
export const tooMany = (what: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `Too many ${what} at this moment. Try again in a second.`, {
    retryAfterSeconds: 1,
  });
