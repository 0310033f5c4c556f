import { monotonicMs, SECOND_MS } from '../lib/clock.ts';

/** What a node calls out brings the next look forward, and does nothing else. See decision chains/hints-move-looks. */
export type Hints = {
  /** Something may have happened. */
  readonly hear: () => void;
  /** What is heard from now on, this look may miss. */
  readonly lookBegins: () => void;
  /** `heed`: whether what was heard, or is heard now, brings the next look forward. */
  readonly lookEnds: (heed: boolean) => void;
  readonly end: () => void;
};

/** From the end of a look to one that a hint brings, however many are heard. */
const REST_MS = SECOND_MS;

/** The hints of one loop, which `wake` makes look at once. */
export function createHints(wake: () => void, restMs = REST_MS): Hints {
  let heard = false;
  let heed = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = (): void => {
    if (!heard || !heed || timer !== undefined) return;
    timer = setTimeout(wake, Math.max(0, lookedAtMs + restMs - monotonicMs()));
  };
  return {
    hear: () => {
      heard = true;
      arm();
    },
    lookBegins: () => {
      disarm();
      [heard, heed] = [false, false];
    },
    lookEnds: (heeds) => {
      heed = heeds;
      lookedAtMs = monotonicMs();
      arm();
    },
    end: () => {
      disarm();
      heed = false;
    },
  };
}
