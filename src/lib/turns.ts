/** Runs pieces of work one after the other, in the order in which they came; one that fails holds up nobody behind it. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own, within this process. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
