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
