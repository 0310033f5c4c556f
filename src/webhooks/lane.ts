import type { Bell } from './bell.ts';

/** Does one thing at a time beside everything else, and rings when it is done. */
export type Lane = {
  readonly start: (work: () => Promise<void>) => void;
  readonly isBusy: () => boolean;
  /** The first error of its work. */
  readonly failure: () => unknown;
};

/** A lane with nothing in it; `bell` rings at the end of everything that is done in it. */
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
