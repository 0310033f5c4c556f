import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate, migrationNames, migrationsUpTo } from '../../src/db/migrate.ts';
import { LOAD, type Load, startLoad } from './lock-load.ts';
import { seedBigTables } from './lock-seed.ts';

/** Nothing that a request asks may wait longer for a migration. */
const WAIT_MAX_MS = 1000;

/** The last migration of the state that is upgraded: all that follow are run under load. */
const BEFORE = '0118-customers-locale-validated';

const SAMPLE_MS = 20;

/** How long the load waited for a migration at most. */
export type Waits = {
  readonly migration: string;
  readonly ms: number;
  readonly table: string;
  readonly tookMs: number;
};

export type LockFigures = {
  readonly waits: readonly Waits[];
  readonly load: Load;
  readonly faults: readonly string[];
};

export type LockOptions = {
  /** An empty database, as its owner. */
  readonly ownerUrl: string;
  /** Of each big table; see `seedBigTables`. */
  readonly rows: number;
  /** How long a report holds a table. */
  readonly reportMs: number;
  readonly told: (text: string) => void;
};

/**
 * Fills a database of an earlier state and migrates it while others write, read, and hold tables for seconds. The
 * faults name each migration that made one of their statements wait too long, and each statement that failed.
 */
export async function measureLocks({ ownerUrl, rows, reportMs, told }: LockOptions): Promise<LockFigures> {
  await migrate(ownerUrl, undefined, migrationsUpTo(BEFORE));
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await seedBigTables(client, rows, told);
  const load = startLoad({ ownerUrl, reportMs });
  const watch = watchWaits(client, told);
  await sleep(500);
  const failure = await migrate(ownerUrl).then(
    () => [],
    (error: unknown) => [`the migration failed: ${String(error)}`],
  );
  const waits = await watch.end();
  const figures = await load.end();
  await client.end();
  const tooLong = waits.filter(({ ms }) => ms > WAIT_MAX_MS);
  return {
    waits,
    load: figures,
    faults: [
      ...failure,
      ...tooLong.map(({ migration, ms, table }) => `${migration} made a statement wait ${ms} ms for ${table}`),
      ...figures.failures,
      ...(figures.statements === 0 ? ['nothing was asked'] : []),
    ],
  };
}

/**
 * Looks every few milliseconds which connection of the load waits for one that is not of the load, since when, and
 * which migration runs. A wait is longer than the last look at it by no more than the pause between two looks.
 */
function watchWaits(client: pg.Client, told: (text: string) => void): { readonly end: () => Promise<Waits[]> } {
  const names = migrationNames();
  const waits = new Map<string, { ms: number; table: string; began: number; ended: number }>();
  let ended = false;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ done: number; ms: number | null; table: string | null }>(LOOK, [LOAD]);
    const [{ done = 0, ms = null, table = null } = {}] = rows;
    const migration = names[done];
    if (migration === undefined) return;
    const now = performance.now();
    const known = waits.get(migration) ?? { ms: 0, table: '', began: now, ended: now };
    if (!waits.has(migration)) told(migration);
    const longer = ms !== null && ms > known.ms ? { ms: Math.round(ms), table: table ?? '' } : {};
    waits.set(migration, { ...known, ...longer, ended: now });
  };
  const all = (async () => {
    for (; !ended; await sleep(SAMPLE_MS)) await look();
  })();
  all.catch(() => undefined); // It is thrown by `end`.
  return {
    end: async () => {
      ended = true;
      await all;
      return [...waits].map(([migration, { began, ended: last, ...wait }]) => ({
        ...{ migration, tookMs: Math.round(last - began) },
        ...wait,
      }));
    },
  };
}

const LOOK = `
  select (select count(*)::integer from kysely_migration) as done, waiting.ms, waiting.table
    from (select) as always left join lateral (
      select extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms,
             coalesce(l.relation::regclass::text, l.locktype) as table
        from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where not l.granted and a.application_name = $1
         and exists (select from pg_stat_activity b
                      where b.pid = any (pg_blocking_pids(l.pid)) and b.application_name <> $1)
       order by l.waitstart limit 1) as waiting on true`;
