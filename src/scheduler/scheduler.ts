import { Cron } from 'croner';
import { sql } from 'kysely';
import type { Subscribe } from '../lib/channels.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import type { Job } from '../ports/job.ts';

export type SchedulerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: readonly Job[];
  readonly subscribe: Subscribe;
  /** Identifies this process in the ticks that it claims. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
};

export type Scheduler = {
  readonly start: () => void;
  /** Claims no more ticks, aborts the running jobs' signals, and waits for the jobs. */
  readonly stop: () => Promise<void>;
  /** Wall time of the last tick that this process saw, won or not; null before the first. */
  readonly lastTick: () => Date | null;
};

/**
 * Runs jobs at their cron ticks and when a wake arrives; the rows decide what is due. One statement claims a tick, so
 * one process of the cluster runs it. A wake runs the job in every process, and the rows' leases and locks keep those
 * runs apart.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const stopping = new AbortController();
  const runners = deps.jobs.map((job) => createRunner(job, deps, stopping.signal));
  const endings: (() => void)[] = [];
  const claiming = new Set<Promise<void>>();
  let lastTick: Date | null = null;

  const claim = async (runner: Runner, slot: Date): Promise<void> => {
    try {
      const won = await claimTick(deps, runner.job.name, slot, runner.nextTick());
      lastTick = deps.clock.real();
      if (won) runner.trigger(won);
    } catch (error) {
      deps.log(error, `the tick of ${runner.job.name} could not be claimed`);
    }
  };

  const tick = async (runner: Runner): Promise<void> => {
    if (stopping.signal.aborted) return; // Cron had fired before it was stopped.
    // Another process may claim it; without one, the tick of a job that hangs grows old, and so it is seen.
    if (runner.isRunning()) return;
    const claimed = claim(runner, wholeSecond(deps.clock.real()));
    claiming.add(claimed);
    await claimed;
    claiming.delete(claimed);
  };

  return {
    start: () => {
      for (const runner of runners) {
        const cron = new Cron(runner.job.cron, { timezone: 'UTC' }, () => tick(runner));
        endings.push(() => cron.stop());
        if (runner.job.wakeOn) endings.push(deps.subscribe(runner.job.wakeOn, () => runner.trigger()));
      }
    },
    stop: async () => {
      for (const end of endings) end();
      stopping.abort();
      await Promise.all(claiming);
      await Promise.all(runners.map((runner) => runner.idle()));
    },
    lastTick: () => lastTick,
  };
}

const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/**
 * A slot further ahead of the database's clock than this came from a clock that was wrong, or that was set back since.
 */
const AHEAD_SECONDS = 10;

/**
 * Slots only move forward, so a tick runs once. A slot from a clock that was ahead may be replaced; else all ticks
 * would stop.
 */
async function claimTick(
  deps: SchedulerDeps,
  job: string,
  slot: Date,
  next: Date | null,
): Promise<{ readonly failure: string | null } | undefined> {
  const { rows } = await sql<{ failure: string | null }>`
    insert into job_ticks (job, slot, worker, started_at, next_at)
    values (${job}, ${slot}, ${deps.worker}, ${deps.clock.real()}, ${next})
    on conflict (job) do update set slot = excluded.slot, worker = excluded.worker, started_at = excluded.started_at,
        next_at = excluded.next_at
      where job_ticks.slot < excluded.slot
         or job_ticks.slot > clock_timestamp() + make_interval(secs => ${AHEAD_SECONDS})
            and job_ticks.slot <> excluded.slot
    returning failure`.execute(deps.db);
  return rows[0];
}

type Runner = {
  readonly job: Job;
  /** When its next tick is due. */
  readonly nextTick: () => Date | null;
  /** Runs the job; `last` is what is noted of its last run. */
  readonly trigger: (last?: { readonly failure: string | null }) => void;
  readonly isRunning: () => boolean;
  readonly idle: () => Promise<void>;
};

const FAILURE_MAX = 500;

/** Notes why a job failed, or that it does no more; nothing is written while that stays the same. */
function createNote({ db, log }: SchedulerDeps, job: string) {
  let noted: string | null = null;
  return {
    known: (failure: string | null): void => {
      noted = failure;
    },
    tell: async (failure: string | null): Promise<void> => {
      if (noted === failure) return;
      try {
        await sql`update job_ticks set failure = ${failure} where job = ${job}`.execute(db);
        noted = failure;
      } catch (error) {
        log(error, `how the job ${job} ended could not be noted`);
      }
    },
  };
}

/** Runs one instance of a job at a time. A trigger during a run makes it run once more. */
function createRunner(job: Job, deps: SchedulerDeps, signal: AbortSignal): Runner {
  let running: Promise<void> | null = null;
  let again = false;
  const cron = new Cron(job.cron, { timezone: 'UTC' });
  const note = createNote(deps, job.name);
  const loop = async (): Promise<void> => {
    do {
      again = false;
      try {
        await job.run({ now: deps.clock.now(), real: deps.clock.real(), signal });
        await note.tell(null);
      } catch (error) {
        deps.log(error, `the job ${job.name} failed; it goes on at its next tick`);
        await note.tell(messageOf(error).slice(0, FAILURE_MAX));
      }
    } while (again && !signal.aborted);
    running = null;
  };
  return {
    job,
    nextTick: () => cron.nextRun(),
    isRunning: () => running !== null,
    trigger: (last) => {
      if (signal.aborted) return;
      if (last) note.known(last.failure);
      if (running) again = true;
      else running = loop();
    },
    idle: () => running ?? Promise.resolve(),
  };
}
