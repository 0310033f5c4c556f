import { sql } from 'kysely';
import { describeClockOff, measureClockAhead } from './db/clock-offset.ts';
import { meetsFullDisk, poolLoad } from './db/database.ts';
import { migrationNames } from './db/migrate.ts';
import { describeVerdict, judgeSchema, readSchema } from './db/schema-state.ts';
import { isUnavailable } from './db/transaction.ts';
import type { Check, Health } from './http/health.ts';
import type { Db } from './lib/db-types.ts';
import { inTime } from './lib/in-time.ts';
import type { Platform } from './platform.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

const HEARTBEAT_MAX_MS = 30_000;
/** Proxies give up after four seconds (`deploy/proxy/`), and have to be told before. */
const ANSWER_WITHIN_MS = 2000;
/** A client notices a request that waits for longer. */
const FREE_WITHIN_MS = 1000;

/** The readiness checks of this process. Questions at the same time are asked once. */
export function createHealth(platform: Platform, running: Scheduler): Health {
  const checkAll = async (): Promise<Check[]> => {
    const checks = [database(platform), notifications(platform), connections(platform), scheduler(platform, running)];
    return (await Promise.all(checks)).flat();
  };
  let asked: Promise<Check[]> | null = null;
  return {
    checks: () => {
      asked ??= checkAll().finally(() => {
        asked = null;
      });
      return asked;
    },
    networks: platform.reach.list,
    answered: platform.meters.request,
  };
}

/** All processes have it at once, and what only reads is still answered, so it makes none of them unready. */
const NO_WRITES: Check = {
  ...{ name: 'writes', ok: false, required: false },
  detail: 'the database takes none: it is a standby, or was set to read, as some providers do with a full disk',
};

/** As above: reads are answered meanwhile. A minute after the last refusal it is forgotten. */
const NO_ROOM: Check = {
  ...{ name: 'writes', ok: false, required: false },
  detail: 'the disk of the database is full, so what writes fails: make room there, it goes on by itself',
};

/** What a full disk refuses is asked by requests and jobs, never by what looks at readiness. */
const findWriteProblem = ({ db, sideDb }: Platform, takesWrites: boolean): Check[] => {
  if (!takesWrites) return [NO_WRITES];
  return [db, sideDb].some(meetsFullDisk) ? [NO_ROOM] : [];
};

/** One question after the other, on one connection. */
async function readState(db: Db) {
  const schema = await readSchema(db);
  const { rows } = await sql<{ reads: boolean }>`
    select current_setting('transaction_read_only')::boolean as reads`.execute(db);
  return { schema, takesWrites: rows[0]?.reads === false, clockOff: describeClockOff(await measureClockAhead(db)) };
}

/** It serves what needs no clock. If the database's is the wrong one, all processes say so. */
const findClockProblem = (clockOff: string | null): Check[] =>
  clockOff === null
    ? []
    : [
        {
          name: 'clock',
          ok: false,
          required: false,
          detail: `of this machine: ${clockOff}, so signatures are refused`,
        },
      ];

async function database(platform: Platform): Promise<Check[]> {
  try {
    const { schema, takesWrites, clockOff } = await inTime(readState(platform.probeDb), ANSWER_WITHIN_MS);
    const problem = describeVerdict(judgeSchema(schema, migrationNames()));
    const migrated: Check = { name: 'migrations', ok: problem === null, ...(problem ? { detail: problem } : {}) };
    const others = [...findWriteProblem(platform, takesWrites), ...findClockProblem(clockOff)];
    return [{ name: 'database', ok: true }, migrated, ...others];
  } catch (error) {
    // The error may name hosts and roles, and readiness is public: it goes to the log only.
    platform.log(error, 'readiness: the database does not answer');
    return [{ name: 'database', ok: false, detail: 'does not answer' }];
  }
}

/**
 * Without notifications a process serves, later by the seconds after which listeners look by themselves. So this makes
 * it degraded, not unready: what loses them is mostly lost for all processes at once, and with none of them ready the
 * proxy would refuse everything.
 */
async function notifications({ echo }: Platform): Promise<Check[]> {
  const ok = await inTime(echo(), ANSWER_WITHIN_MS).catch(() => false);
  return [{ name: 'notifications', ok, required: false, ...(ok ? {} : { detail: 'none comes back' }) }];
}

/**
 * Whether what requests and jobs do finds a connection. A process that is busy with all of them is degraded and not
 * unready: the others are mostly as busy, and would have its requests as well. One that is refused any can do nothing.
 */
async function connections({ db }: Platform): Promise<Check[]> {
  const name = 'connections';
  try {
    await inTime(sql`select 1`.execute(db), FREE_WITHIN_MS);
    return [{ name, ok: true, required: false }];
  } catch (error) {
    if (isUnavailable(error)) return [{ name, ok: false, detail: 'can not be had' }];
    const { max, waiting } = poolLoad(db);
    const detail = waiting > 0 ? `none of ${max} was free for a second, and ${waiting} queries wait` : 'do not answer';
    return [{ name, ok: false, required: false, detail }];
  }
}

async function scheduler(platform: Platform, running: Scheduler): Promise<Check[]> {
  if (!platform.config.roles.includes('scheduler')) return [];
  const last = running.lastTick();
  const ok = last !== null && platform.clock.real().getTime() - last.getTime() < HEARTBEAT_MAX_MS;
  return [
    { name: 'scheduler', ok, ...(ok ? {} : { detail: last ? `no tick since ${last.toISOString()}` : 'no tick yet' }) },
  ];
}
