import { tooMany } from '../lib/concurrency-limit.ts';

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

/** What a caller does and waits for of one kind. */
type Line = { readonly atOnce: number; going: number; readonly waiting: (() => void)[] };

/**
 * Turns of callers, of several kinds: of all of them `together` pieces of work go on. The returned function opens a
 * kind, of which each caller has `atOnce` going on, and `queueMax` waiting. What becomes free goes round those that
 * wait. See decision http/half-for-one-caller.
 */
export function openCallersTurns(together: number, queueMax: number): (atOnce: number) => CallersTurns {
  /** Those in which work waits; whose turn it is next is first. */
  const lines = new Set<Line>();
  let going = 0;
  const count = (line: Line, change: 1 | -1): void => {
    going += change;
    line.going += change;
  };
  const beginNext = (): void => {
    const line = [...lines].find((each) => each.going < each.atOnce);
    if (line === undefined) return;
    count(line, 1);
    const begin = line.waiting.shift();
    lines.delete(line);
    if (line.waiting.length > 0) lines.add(line);
    begin?.();
  };
  return (atOnce) => {
    const callers = new Map<string, Line>();
    return async (caller, work) => {
      const line = callers.get(caller) ?? { atOnce, going: 0, waiting: [] };
      callers.set(caller, line);
      if (going < together && line.going < atOnce) count(line, 1);
      else if (line.waiting.length >= queueMax) throw tooMany('requests of yours');
      else {
        lines.add(line);
        await new Promise<void>((resolve) => line.waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        count(line, -1);
        beginNext();
        if (line.going + line.waiting.length === 0) callers.delete(caller);
      }
    };
  };
}
