import { type Clock, createClock } from '../../src/lib/clock.ts';

/** A clock that the test moves: business time stands still until told otherwise, the wall clock runs. */
export type TestClock = Clock & {
  /** Sets business time, forwards or backwards. */
  readonly set: (now: Date) => void;
  /** Moves business time on. */
  readonly advance: (ms: number) => void;
  /** Moves the wall clock on: what limits, throttles and sessions are judged by. */
  readonly advanceReal: (ms: number) => void;
};

/** A clock whose business time is `start`. */
export function createTestClock(start: Date): TestClock {
  const wall = createClock();
  let now = start;
  let aheadMs = 0;
  return {
    now: () => new Date(now),
    real: () => new Date(wall.real().getTime() + aheadMs),
    set: (date) => {
      now = date;
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
    advanceReal: (ms) => {
      aheadMs += ms;
    },
  };
}
