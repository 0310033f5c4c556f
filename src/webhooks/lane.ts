import type { Bell } from './bell.ts';

/** Runs one piece of background work at a time and rings when it ends. */
export type Lane = {
  /** Does nothing while earlier work is running. */
  readonly start: (work: () => Promise<void>) => void;
  readonly isBusy: () => boolean;
  /** The first error of any work. */
  readonly failure: () => unknown;
};

/** An idle lane; `bell` rings at the end of each piece of work. */
export function createLane(bell: Bell): Lane {
  let busy = false;
  let failure: unknown;
  return {
    start: (work) => {
      if (busy) return;
      busy = true;
      const done = (): void => {
        busy = false;
        bell.ring();
      };
      work().then(done, (error: unknown) => {
        failure ??= error;
        done();
      });
    },
    isBusy: () => busy,
    failure: () => failure,
  };
}
