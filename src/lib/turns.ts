/** Runs pieces of work one after the other, in order. A failed piece does not stop the next. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** The same with one queue per key: work on one key waits only for work on that key. */
export type TurnsByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A new queue, within this process. */
export function createTurns(): Turns {
  const inTurn = createTurnsByKey();
  return (work) => inTurn('', work);
}

/** A queue per key that has work, within this process. */
export function createTurnsByKey(): TurnsByKey {
  const lasts = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (lasts.get(key) ?? Promise.resolve()).then(work);
    const ended = done
      .catch(() => undefined)
      .then(() => {
        if (lasts.get(key) === ended) lasts.delete(key);
      });
    lasts.set(key, ended);
    return done;
  };
}
