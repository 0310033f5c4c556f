import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { monotonicMs } from '../lib/clock.ts';
import { createCopies } from './copy-of.ts';
import { isUnavailable } from './transaction.ts';

/** How often a standby is asked whether it has come as far, and the pause between: a healthy one needs milliseconds. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 5;
/** After a standby that is away, or behind, the primary answers all reads for so long. */
const REST_MS = 1000;

const REPLAYED = `
  select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end as replayed`;

/**
 * One request that only reads. `position` is how far the primary was when it first asked for a connection. What it has
 * left running once it is over, such as a timer, would trust that position for ever, so it asks the primary.
 */
type Reading = { position?: Promise<Position | null>; hasStandby: boolean; isOver: boolean };

/**
 * What became of connections that reads asked for: one of a `standby`; or of the primary, because the standby was
 * `behind`, `away` or not what it should be (`refused`), or is left alone after that (`resting`). `repeated`: what a
 * standby had begun to answer and the primary then did.
 */
type Outcome = 'standby' | 'behind' | 'away' | 'refused' | 'resting' | 'repeated';

/** Where the WAL of a primary ends on its disk: bytes of a timeline, of which every primary begins another. */
export type Position = { readonly timeline: string; readonly bytes: bigint };

export type StandbyReads = {
  /** What Kysely takes connections from: the standbys' for requests that read, else the primary's. */
  readonly pool: Pick<pg.Pool, 'options'> & {
    readonly connect: () => Promise<pg.PoolClient>;
    readonly end: () => Promise<void>;
  };
  /**
   * Runs work that only reads, on a standby where one is as far as the primary was when the work began; on the primary
   * otherwise, and again there if the standby fails.
   */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs work on the primary, also within `read`. */
  readonly write: <T>(work: () => Promise<T>) => Promise<T>;
  /** How often each outcome was since the process began. */
  readonly counts: () => Readonly<Record<string, number>>;
};

/**
 * Reads from standbys that show at least what the primary had committed before. See decision
 * db/standbys-that-have-caught-up.
 */
export function createStandbyReads(
  primary: pg.Pool,
  standbys: pg.Pool,
  positionOf: () => Promise<Position>,
): StandbyReads {
  const storage = new AsyncLocalStorage<Reading>();
  const takeStandby = createTaker(primary, standbys, positionOf);
  const counts: Record<Outcome, number> = { standby: 0, behind: 0, away: 0, refused: 0, resting: 0, repeated: 0 };
  let restUntilMs = 0;
  const rest = (): void => {
    restUntilMs = monotonicMs() + REST_MS;
  };

  const connect = async (): Promise<pg.PoolClient> => {
    const reading = storage.getStore();
    if (reading === undefined || reading.isOver) return primary.connect();
    const taken = monotonicMs() < restUntilMs ? 'resting' : await takeStandby(reading);
    counts[typeof taken === 'string' ? taken : 'standby'] += 1;
    if (typeof taken === 'string') {
      if (taken !== 'resting') rest();
      return primary.connect();
    }
    reading.hasStandby = true;
    return taken;
  };

  return {
    pool: {
      connect,
      end: async () => void (await Promise.all([primary.end(), standbys.end()])),
      options: primary.options,
    },
    read: async (work) => {
      const reading: Reading = { hasStandby: false, isOver: false };
      try {
        return await storage.run(reading, work);
      } catch (error) {
        if (!reading.hasStandby || !isUnavailable(error)) throw error;
        rest();
        counts.repeated += 1;
        return work();
      } finally {
        reading.isOver = true;
      }
    },
    write: (work) => storage.exit(work),
    counts: () => counts,
  };
}

/** Takes a connection to a standby that is far enough for a request, or says why there is none. */
function createTaker(
  primary: pg.Pool,
  standbys: pg.Pool,
  positionOf: () => Promise<Position>,
): (reading: Reading) => Promise<pg.PoolClient | Outcome> {
  const isCopy = createCopies(primary);
  const hasReplayed = createReplayed();
  const judge = async (client: pg.PoolClient, { timeline, bytes }: Position): Promise<Outcome> => {
    if (!(await isCopy(client, timeline))) return 'refused';
    return (await hasReplayed(client, bytes)) ? 'standby' : 'behind';
  };

  return async (reading) => {
    reading.position ??= positionOf().catch(() => null);
    const [position, client] = await Promise.all([reading.position, standbys.connect().catch(() => null)]);
    if (client === null) return 'away';
    try {
      const outcome = position ? await judge(client, position) : 'away';
      if (outcome === 'standby') return client;
      client.release();
      return outcome;
    } catch {
      client.release(true);
      return 'away';
    }
  };
}

/** Whether the standby of a connection has replayed up to a position, now or within a few milliseconds. */
function createReplayed(): (client: pg.PoolClient, position: bigint) => Promise<boolean> {
  const known = new WeakMap<pg.PoolClient, bigint>();
  return async (client, position) => {
    for (let look = 1; (known.get(client) ?? 0n) < position; look += 1) {
      const { rows } = await client.query<{ replayed: bigint | null }>(REPLAYED);
      const replayed = rows[0]?.replayed ?? null;
      if (replayed === null) return false; // It is a primary.
      known.set(client, replayed);
      if (replayed >= position) return true;
      if (look === LOOKS) return false;
      await sleep(LOOK_AGAIN_MS);
    }
    return true;
  };
}
