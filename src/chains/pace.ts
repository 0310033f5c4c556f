import { sql } from 'kysely';
import { MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { BlockRef, Network, Waiting } from '../ports/chain.ts';
import { isOnDemand } from './steps.ts';

/** How a network is watched while nothing waits on it. See decision chains/idle-is-read-later. */
export type IdlePace = {
  /** From one look at the chain to the next, on a chain whose blocks are not quick. */
  readonly lookEveryMs: number;
  /** On any chain. */
  readonly lookEveryMinMs: number;
  /** How often the database is asked whether something waits by now. */
  readonly askEveryMs: number;
  /** For so long after the last that waited the network is watched as before: more may come. */
  readonly lingerMs: number;
};

/** Well within the minute after which a network that nobody has seen is closed. */
export const IDLE_PACE: IdlePace = {
  lookEveryMs: 30 * SECOND_MS,
  lookEveryMinMs: 15 * SECOND_MS,
  askEveryMs: SECOND_MS,
  lingerMs: 2 * MINUTE_MS,
};

/** Nodes keep the state of about 128 blocks, and balances are asked for in the state after the newest that was read. */
const BLOCKS_A_LOOK = 64;

/** From one look at an idle chain that makes a block every `blockMs` to the next. */
export const idleLookEveryMs = (blockMs: number, pace: IdlePace = IDLE_PACE): number =>
  Math.max(pace.lookEveryMinMs, Math.min(pace.lookEveryMs, BLOCKS_A_LOOK * blockMs));

export type Pace = Pick<IdlePace, 'askEveryMs'> & {
  /** Whether nothing waits on the network, and nothing has for a while. */
  readonly isIdle: () => Promise<boolean>;
  /** Call with the head of each look at an idle network. */
  readonly sawHead: (head: Pick<BlockRef, 'height'>) => void;
  /** How long to leave the chain alone. */
  readonly lookEveryMs: () => number;
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
  let blockMs = Number.POSITIVE_INFINITY;
  let last: { readonly height: number; readonly atMs: number } | undefined;
  /** One statement for all folders: an idle network asks it every second. */
  const isNeeded = async (): Promise<boolean> => {
    const any = sql.join(
      waiting.map((waits) => waits(network, now())),
      sql` or `,
    );
    const { rows } = await sql<{ waits: boolean }>`select ${any} as waits`.execute(db);
    return rows[0]?.waits ?? true;
  };
  return {
    askEveryMs: pace.askEveryMs,
    lookEveryMs: () => idleLookEveryMs(blockMs, pace),
    sawHead: ({ height }) => {
      const atMs = monotonicMs();
      if (last !== undefined && height > last.height) blockMs = (atMs - last.atMs) / (height - last.height);
      if (last?.height !== height) last = { height, atMs };
    },
    isIdle: async () => {
      if (waiting.length === 0 || isOnDemand(network)) return false;
      if (await isNeeded()) neededAtMs = monotonicMs();
      return monotonicMs() - neededAtMs >= pace.lingerMs;
    },
  };
}
