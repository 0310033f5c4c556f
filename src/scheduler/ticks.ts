import { sql } from 'kysely';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';

export type TickDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
};

/** A job's tick at a slot, and when the one after it is due. */
export type Tick = { readonly job: string; readonly slot: Date; readonly next: Date | null };
/** A claim of which no answer came: the tick may be this process's, and no other one runs it then. */
type Unanswered = Pick<Tick, 'job' | 'slot'> & { readonly startedAt: Date };
/** What is noted of the last run of a job. */
export type LastRun = { readonly failure: string | null };

/**
 * A slot further ahead of the database's clock than this came from a clock that was wrong, or that was set back since.
 */
const AHEAD_SECONDS = 10;

/**
 * Claims ticks of several jobs at once; returns those that this process won. Slots only move forward, so a tick runs
 * once. A slot from a clock that was ahead may be replaced; else all ticks would stop. In the order of their names, so
 * that two processes that claim at once never wait for each other in a circle.
 */
export async function claimTicks(
  deps: TickDeps,
  ticks: readonly Tick[],
  startedAt: Date = deps.clock.real(),
): Promise<ReadonlyMap<string, LastRun>> {
  const { rows } = await sql<LastRun & { job: string }>`
    insert into job_ticks (job, slot, worker, started_at, next_at)
    select job, slot, ${deps.worker}, ${startedAt}, next
      from unnest(${ticks.map(({ job }) => job)}::text[], ${ticks.map(({ slot }) => slot)}::timestamptz[],
                  ${ticks.map(({ next }) => next)}::timestamptz[]) as tick (job, slot, next)
     order by job
    on conflict (job) do update set slot = excluded.slot, worker = excluded.worker, started_at = excluded.started_at,
        next_at = excluded.next_at
      where job_ticks.slot < excluded.slot
         or job_ticks.slot > clock_timestamp() + make_interval(secs => ${AHEAD_SECONDS})
            and job_ticks.slot <> excluded.slot
    returning job, failure`.execute(deps.db);
  return new Map(rows.map(({ job, failure }) => [job, { failure }]));
}

export type Claims = {
  readonly claim: (ticks: readonly Tick[]) => Promise<ReadonlyMap<string, LastRun>>;
  /** The jobs whose tick this process has claimed, although the claim got no answer. Returns each once. */
  readonly takeOwn: () => Promise<ReadonlyMap<string, LastRun>>;
};

/** Claims ticks, and remembers of each job the last claim that had no answer: no other process runs that tick. */
export function createClaims(deps: TickDeps): Claims {
  const unanswered = new Map<string, Unanswered>();
  return {
    claim: (ticks) => {
      const startedAt = deps.clock.real();
      return claimTicks(deps, ticks, startedAt).catch((error: unknown) => {
        for (const { job, slot } of ticks) unanswered.set(job, { job, slot, startedAt });
        throw error;
      });
    },
    takeOwn: async () => {
      const asked = [...unanswered.values()];
      if (asked.length === 0) return new Map();
      const own = await findOwn(deps, asked);
      for (const each of asked) if (unanswered.get(each.job) === each) unanswered.delete(each.job);
      return own;
    },
  };
}

async function findOwn({ db, worker }: TickDeps, asked: readonly Unanswered[]): Promise<ReadonlyMap<string, LastRun>> {
  const { rows } = await sql<LastRun & { job: string }>`
    select job, failure from job_ticks
      join unnest(${asked.map(({ job }) => job)}::text[], ${asked.map(({ slot }) => slot)}::timestamptz[],
                  ${asked.map(({ startedAt }) => startedAt)}::timestamptz[]) as asked (job, slot, started_at)
     using (job, slot, started_at)
     where worker = ${worker}`.execute(db);
  return new Map(rows.map(({ job, failure }) => [job, { failure }]));
}

/**
 * The jobs whose probes find nothing to do, in one statement, whose text is always the same: so it is planned once, as
 * long as a plan for any values seems no dearer (`isAny`). None once a minute, so that a probe that overlooks something
 * only delays it, and none when the statement fails: then the jobs find out themselves.
 */
export async function findIdle(deps: TickDeps, jobs: readonly Job[], slot: Date): Promise<ReadonlySet<string>> {
  const run = { now: deps.clock.now(), real: deps.clock.real() };
  const probes = jobs.flatMap(({ name, hasWork }) => (hasWork ? [sql`(${name}, ${hasWork(run)})`] : []));
  if (probes.length === 0 || slot.getTime() % MINUTE_MS === 0) return NONE;
  try {
    const { rows } = await sql<{ job: string }>`
      select job from (values ${sql.join(probes)}) as probe (job, has_work) where has_work is false`.execute(deps.db);
    return new Set(rows.map(({ job }) => job));
  } catch (error) {
    deps.log(error, 'what the jobs have to do could not be asked for; they look themselves');
    return NONE;
  }
}

/** Before an operator is woken by a job that is late. */
const FORGOTTEN_AFTER = sql`interval '4 minutes'`;

/**
 * Forgets when a job was due and how it failed if it is none of ours and no process has run it: what a release or a
 * setting has taken away would be late, or have failed, for ever. A process that has it notes both anew.
 */
export async function forgetOthers({ db }: Pick<TickDeps, 'db'>, jobs: readonly Job[]): Promise<void> {
  await sql`
    update job_ticks set next_at = null, failure = null
     where next_at < clock_timestamp() - ${FORGOTTEN_AFTER}
       and not (job = any (${jobs.map(({ name }) => name)}::text[]))`.execute(db);
}

/** Longer than processes differ in their time, as those do that keep it. */
const MISSED_AFTER = sql`interval '10 seconds'`;

/**
 * The ticks that no process has claimed, by job: none had the role at that second, or the database was away. What runs
 * once a night would run a day late.
 */
export async function findMissed(
  { db }: Pick<TickDeps, 'db'>,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ job: string; tick: Date }>`
    select job, next_at as tick from job_ticks
     where next_at < clock_timestamp() - ${MISSED_AFTER}
       and job = any (${jobs.map(({ name }) => name)}::text[])`.execute(db);
  return new Map(rows.map(({ job, tick }) => [job, tick]));
}

/** No job. */
export const NONE: ReadonlySet<string> = new Set();
