import { onTestFinished } from 'vitest';
import { type Clock, createClock, HOUR_MS } from '../../src/lib/clock.ts';

/** A clock that the test moves: the business clock stands still until moved, the real clock runs. */
export type TestClock = Clock & {
  /** Sets the business clock, forwards or backwards. */
  readonly set: (now: Date) => void;
  /** Advances the business clock. */
  readonly advance: (ms: number) => void;
  /** Advances the real clock, which limits, throttles and sessions use. */
  readonly advanceReal: (ms: number) => void;
  /** Lets the real clock stand still, too, until the test ends: a crowded machine outlasts a short delay. */
  readonly holdReal: () => void;
};

/** A clock whose business clock shows `start`. */
export function createTestClock(start: Date): TestClock {
  const wall = createClock();
  let now = start;
  let aheadMs = 0;
  let heldMs: number | null = null;
  return {
    now: () => new Date(now),
    real: () => new Date((heldMs ?? wall.real().getTime()) + aheadMs),
    set: (date) => {
      now = date;
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
    advanceReal: (ms) => {
      aheadMs += ms;
    },
    holdReal: () => {
      heldMs = wall.real().getTime();
      onTestFinished(() => {
        heldMs = null;
      });
    },
  };
}

/** Elapsed time that is an hour later whenever it is asked, so that the log folds no failure into the one before. */
export function hoursApart(): () => number {
  let elapsed = 0;
  return () => {
    elapsed += HOUR_MS;
    return elapsed;
  };
}
