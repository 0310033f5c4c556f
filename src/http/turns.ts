import { type ConcurrencyLimit, createConcurrencyLimit } from '../lib/concurrency-limit.ts';

/** Does work in its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many pieces of work go on at once, in the order in which they came. One that takes longer than `patienceMs`
 * waits for something, so it no longer counts, and the next goes on beside it. See decision http/transactions-in-turn.
 */
export function openTurns(atOnce: number, patienceMs: number): Turns {
  const waiting: (() => void)[] = [];
  let going = 0;
  const end = (): void => {
    const next = waiting.shift();
    if (next) next();
    else going -= 1;
  };
  return async (work) => {
    if (going < atOnce) going += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let counts = true;
    const leave = (): void => {
      if (counts) end();
      counts = false;
    };
    const timer = setTimeout(leave, patienceMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  };
}

/** Does work of a caller beside no more than so much other work of the same. */
export type CallersTurns = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

/** Lets each caller have `atOnce` pieces of work go on, and `queueMax` wait. See decision http/half-for-one-caller. */
export function openCallersTurns(atOnce: number, queueMax: number): CallersTurns {
  const callers = new Map<string, { readonly inTurn: ConcurrencyLimit; pieces: number }>();
  return async (caller, work) => {
    const own = callers.get(caller) ?? {
      inTurn: createConcurrencyLimit(atOnce, queueMax, 'requests of yours'),
      pieces: 0,
    };
    callers.set(caller, own);
    own.pieces += 1;
    try {
      return await own.inTurn(work);
    } finally {
      own.pieces -= 1;
      if (own.pieces === 0) callers.delete(caller);
    }
  };
}
