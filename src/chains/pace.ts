import { MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network, Waiting } from '../ports/chain.ts';
import { isOnDemand } from './steps.ts';

/** How a network is watched while nothing waits on it. See decision chains/idle-is-read-later. */
export type IdlePace = {
  /** From one look at the chain to the next. */
  readonly lookEveryMs: number;
  /** How often the database is asked whether something waits by now. */
  readonly askEveryMs: number;
  /** For so long after the last that waited the network is watched as before: more may come. */
  readonly lingerMs: number;
};

/** Well within the minute after which a network that nobody has seen is closed. */
export const IDLE_PACE: IdlePace = {
  lookEveryMs: 30 * SECOND_MS,
  askEveryMs: SECOND_MS,
  lingerMs: 2 * MINUTE_MS,
};

export type Pace = IdlePace & {
  /** Whether nothing waits on the network, and nothing has for a while. */
  readonly isIdle: () => Promise<boolean>;
};

export type PaceDeps = {
  readonly db: Db;
  /** What the folders wait for; absent: the network is never idle. */
  readonly waiting?: readonly Waiting[];
  /** Business time. */
  readonly now: () => Date;
  readonly idlePace?: Partial<IdlePace>;
};

/** Finds out whether a network is idle. A chain that makes blocks only for transactions never is: it costs nothing. */
export function createPace({ db, waiting = [], now, idlePace }: PaceDeps, network: Network): Pace {
  const pace = { ...IDLE_PACE, ...idlePace };
  let neededAtMs = Number.NEGATIVE_INFINITY;
  const isNeeded = async (): Promise<boolean> => {
    for (const waits of waiting) if (await waits(db, network, now())) return true;
    return false;
  };
  return {
    ...pace,
    isIdle: async () => {
      if (waiting.length === 0 || isOnDemand(network)) return false;
      if (await isNeeded()) neededAtMs = monotonicMs();
      return monotonicMs() - neededAtMs >= pace.lingerMs;
    },
  };
}
