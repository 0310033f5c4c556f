/** Runs pieces of work one after the other, in the order in which they came; one that fails holds up nobody behind it. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** The same for work on many things: what is done on one thing waits only for what is done on that. */
export type TurnsByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A queue of its own, within this process. */
export function createTurns(): Turns {
  const inTurn = createTurnsByKey();
  return (work) => inTurn('', work);
}

/** A queue for every key that anybody works on just now, within this process. */
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
