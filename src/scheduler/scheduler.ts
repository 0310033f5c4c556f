import { Cron } from 'croner';
import { sql } from 'kysely';
import type { Subscribe } from '../lib/channels.ts';
import { after, type Clock, MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import { shortLine } from '../lib/shown-text.ts';
import { telling, WORK } from '../lib/work.ts';
import type { Job } from '../ports/job.ts';
import { type Claims, createClaims, findIdle, findMissed, forgetOthers, NONE } from './ticks.ts';

export type SchedulerDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: readonly Job[];
  readonly subscribe: Subscribe;
  /** Identifies this process in the ticks that it claims. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  /** Told of each run that has ended. */
  readonly ran?: (job: string, seconds: number, failed: boolean) => void;
};

export type Scheduler = {
  readonly start: () => void;
  /** Claims no more ticks, aborts the running jobs' signals, and waits for the jobs. */
  readonly stop: () => Promise<void>;
  /** Wall time of the last tick that this process saw, won or not; null before the first. */
  readonly lastTick: () => Date | null;
};

/**
 * Runs jobs at their cron ticks and when a wake arrives; the rows decide what is due. One statement a second claims
 * all ticks that are due, so one process of the cluster runs each. A wake runs the job in every process, and the rows'
 * leases and locks keep those runs apart.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const stopping = new AbortController();
  const ticksOf = shareCrons();
  const runners = deps.jobs.map((job) => createRunner(job, ticksOf(job.cron), deps, stopping.signal));
  const endings: (() => void)[] = [];
  const beats = new Set<Promise<void>>();
  const claims = createClaims(deps);
  let lastTick: Date | null = null;
  let lastSlot = wholeSecond(deps.clock.real());

  /** Claims the ticks of a second, and runs the jobs that won theirs and have something to do. */
  const claim = async (due: readonly Due[], slot: Date): Promise<void> => {
    const ticks = due.map(({ runner, tick }) => ({ job: runner.job.name, slot: tick, next: runner.tickAfter(slot) }));
    try {
      const won = await claims.claim(ticks);
      lastTick = deps.clock.real();
      const runs = due.flatMap(({ runner }) => (won.has(runner.job.name) ? [runner] : []));
      const idle = runs.some(({ job }) => job.hasWork) ? await findIdle(deps, deps.jobs, slot) : NONE;
      for (const { job, trigger } of runs) if (!idle.has(job.name)) trigger(won.get(job.name));
      if (slot.getTime() % MINUTE_MS === 0) await lookBack(deps, runners, claims);
    } catch (error) {
      deps.log(error, `the ticks of ${ticks.length} jobs could not be claimed`);
    }
  };

  const beat = async (): Promise<void> => {
    if (stopping.signal.aborted) return; // Cron had fired before it was stopped.
    const slot = wholeSecond(deps.clock.real());
    // After a clock was set back, ticks that lie far ahead by it would never come.
    if (slot < lastSlot) for (const runner of runners) runner.plan(slot);
    lastSlot = slot;
    // Another process may claim what still runs here; without one, the tick of a job that hangs grows old, and so it is
    // seen.
    const due = runners.flatMap((runner) => takeDue(runner, slot));
    if (due.length === 0) return;
    const claimed = claim(due, slot);
    beats.add(claimed);
    await claimed;
    beats.delete(claimed);
  };

  return {
    start: () => {
      const cron = new Cron('* * * * * *', { timezone: 'UTC' }, beat);
      endings.push(() => cron.stop());
      // The second that has begun counts: a process is ready once it has seen a tick.
      for (const runner of runners) runner.plan(after(wholeSecond(deps.clock.real()), -SECOND_MS));
      void beat();
      for (const { job, trigger } of runners) if (job.wakeOn) endings.push(deps.subscribe(job.wakeOn, () => trigger()));
    },
    stop: async () => {
      for (const end of endings) end();
      stopping.abort();
      await Promise.all(beats);
      await Promise.all(runners.map((runner) => runner.idle()));
    },
    lastTick: () => lastTick,
  };
}

const wholeSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / SECOND_MS) * SECOND_MS);

type Runner = {
  readonly job: Job;
  readonly tickAfter: TickAfter;
  /** The tick that is due at a slot, which may be a second or more before it; null: none is. Each is told once. */
  readonly takeTick: (slot: Date) => Date | null;
  /** Reckons the next tick anew, as of a moment. */
  readonly plan: (moment: Date) => void;
  /** Runs the job; `last` is what is noted of its last run. */
  readonly trigger: (last?: { readonly failure: string | null }) => void;
  readonly isRunning: () => boolean;
  readonly idle: () => Promise<void>;
};

/** A job with the tick of it that is due. */
type Due = { readonly runner: Runner; readonly tick: Date };

function takeDue(runner: Runner, slot: Date): Due[] {
  const tick = runner.takeTick(slot);
  return tick === null || runner.isRunning() ? [] : [{ runner, tick }];
}

/**
 * Has ticks that no process has claimed be claimed with the next ones, and forgets jobs that are none of ours. Runs
 * what this process has claimed without knowing, because the connection was lost before the answer: to others it looks
 * claimed. Of what comes every few seconds there is a later one by now.
 */
async function lookBack(deps: SchedulerDeps, runners: readonly Runner[], { takeOwn }: Claims): Promise<void> {
  const own = await takeOwn();
  for (const { job, trigger } of runners) if (own.has(job.name)) trigger(own.get(job.name));
  await forgetOthers(deps, deps.jobs);
  const missed = await findMissed(deps, deps.jobs);
  for (const { job, plan } of runners) {
    const tick = missed.get(job.name);
    if (tick) plan(after(tick, -SECOND_MS));
  }
}

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

/** When the tick after a moment is due. */
type TickAfter = (moment: Date) => Date | null;

/**
 * One for all jobs of a pattern, because each keeps a list of ten thousand years. It remembers its last answer: jobs
 * ask for the same moment, and to reckon for each took a quarter of an idle process.
 */
function shareCrons(): (pattern: string) => TickAfter {
  const crons = new Map<string, TickAfter>();
  return (pattern) => {
    const known = crons.get(pattern) ?? createTickAfter(pattern);
    crons.set(pattern, known);
    return known;
  };
}

function createTickAfter(pattern: string): TickAfter {
  const cron = new Cron(pattern, { timezone: 'UTC' });
  let asked = Number.NaN;
  let next: Date | null = null;
  return (moment) => {
    if (moment.getTime() !== asked) next = cron.nextRun(moment);
    asked = moment.getTime();
    return next;
  };
}

/** Of a job that comes every few seconds, ticks that are older than this are not looked through. */
const LOOKED_BACK_MS = 5 * SECOND_MS;

/**
 * The tick to claim at a slot, of those since `first`. Claimed by the slot itself, a tick that a busy process comes to
 * a second late would be a later one, and so run again although another process has run it.
 */
function lastTickUpTo(slot: Date, first: Date, tickAfter: TickAfter): Date {
  let tick = first;
  const recent = after(slot, -LOOKED_BACK_MS);
  let following = tickAfter(first > recent ? first : recent);
  while (following !== null && following <= slot) {
    tick = following;
    following = tickAfter(tick);
  }
  return tick;
}

/** Runs one instance of a job at a time. A trigger during a run makes it run once more. */
function createRunner(job: Job, tickAfter: TickAfter, deps: SchedulerDeps, signal: AbortSignal): Runner {
  let running: Promise<void> | null = null;
  let again = false;
  let next = tickAfter(wholeSecond(deps.clock.real()));
  const note = createNote(deps, job.name);
  const loop = async (): Promise<void> => {
    do {
      again = false;
      const startMs = monotonicMs();
      const ended = (failed: boolean): void => deps.ran?.(job.name, (monotonicMs() - startMs) / SECOND_MS, failed);
      try {
        await telling(
          WORK.job,
          () => ({ job: job.name }),
          () => job.run({ now: deps.clock.now(), real: deps.clock.real(), signal }),
        );
        ended(false);
        await note.tell(null);
      } catch (error) {
        ended(true);
        deps.log(error, `the job ${job.name} failed; it goes on at its next tick`);
        await note.tell(shortLine(messageOf(error), FAILURE_MAX));
      }
    } while (again && !signal.aborted);
    running = null;
  };
  return {
    job,
    tickAfter,
    takeTick: (slot) => {
      if (next === null || next > slot) return null;
      const tick = lastTickUpTo(slot, next, tickAfter);
      next = tickAfter(slot);
      return tick;
    },
    plan: (moment) => {
      next = tickAfter(moment);
    },
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
