import { Cron } from 'croner';
import { sql } from 'kysely';
import { after, type Clock, DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { createTurns } from '../lib/turns.ts';
import type { Job } from '../ports/job.ts';
import type { SandboxBitcoin } from './bitcoin.ts';
import type { ChainControl } from './chain-control.ts';
import { moveClock } from './clock.ts';
import { type SyncDeps, until, untilScanned } from './sync.ts';

export type WalkDeps = SyncDeps & {
  readonly clock: Clock;
  readonly chain: ChainControl;
  readonly bitcoin: Pick<SandboxBitcoin, 'control' | 'network'> | null;
  readonly jobs: readonly Job[];
  readonly log: (error: unknown, message: string) => void;
};

/**
 * Moves business time forward to `target`; ends early, at a stop on the way, when its real time is over or `signal` is
 * aborted.
 */
export type Walk = (target: Date, signal: AbortSignal) => Promise<void>;

/** One call walks for this long in real time; to go further, call again. */
const WALK_WITHIN_MS = 20_000;
/** A job that takes longer at a stop goes on by itself, for example because it waits for a slow webhook endpoint. */
const JOB_WITHIN_MS = 3_000;
const SCAN_WITHIN_MS = 5_000;
const CLOCK_WITHIN_MS = 5_000;
/** Work still due after this many runs cannot be done now, for example because a node does not answer. */
const RUNS_MAX = 8;
/**
 * A stop lies this long after the first due time, so that customers who came shortly after each other are charged at
 * one stop. See decision sandbox/stop-after-due.
 */
const STOP_AFTER_MS = 10 * SECOND_MS;
/** The most rounds of work that lead to more work, before there is another block. */
const PASSES_MAX = 5;
/** Work that cannot be done hides later due times of the same job; then every day is a stop. */
const BLIND_STRIDE_MS = DAY_MS;

type Due = { readonly job: string; readonly time: Date };

/**
 * Walks from due time to due time, so that a year plays as a year would: at each stop it sets the clock in every
 * process, mines a block at that time and, once the watcher has seen it, runs every job until nothing is due. Walks of
 * one process wait for each other; the clock only goes forward. See decision sandbox/walk-runs-due-jobs.
 */
export function createWalk(deps: WalkDeps): Walk {
  const inTurn = createTurns();
  return (target, signal) => inTurn(() => walk(deps, target, signal));
}

async function walk(deps: WalkDeps, target: Date, caller: AbortSignal): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, WALK_WITHIN_MS);
  caller.addEventListener('abort', end);
  try {
    if (!caller.aborted) await walkUntil(deps, target, over.signal);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', end);
    end(); // Jobs that continue in the background take no more work.
  }
}

async function walkUntil(deps: WalkDeps, target: Date, over: AbortSignal): Promise<void> {
  const patience = createPatience();
  const ring = createBells(deps);
  let watched = true;
  while (!over.aborted) {
    // Deadlines pass only once a chain is scanned past them, and chain time has whole seconds.
    await deps.chain.setTime(nextSecond(deps.clock.now()));
    watched = watched && (await untilScanned(deps, SCAN_WITHIN_MS));
    watched = watched && (await followBitcoin(deps));
    const dues = await runWhatIsDue(deps, ring, over);
    const now = deps.clock.now();
    const overdue = dues.filter(({ time }) => time <= now);
    if (patience.remains(overdue)) continue;
    if (now >= target || over.aborted) return;
    const stops = dues.filter(({ time }) => time > now).map(({ time }) => after(time, STOP_AFTER_MS));
    if (overdue.length > 0) stops.push(after(now, BLIND_STRIDE_MS));
    await goTo(deps, earliest([target, ...stops]));
  }
}

/**
 * Moves the Bitcoin node's clock along and, where a payment can still be paid there, waits until its watcher has looked
 * at this time; false when that takes too long. An empty block makes the watcher note the look at once; what waits in
 * the pool goes on waiting.
 */
async function followBitcoin(deps: WalkDeps): Promise<boolean> {
  const { bitcoin, clock, db } = deps;
  if (bitcoin === null) return true;
  const { control, network } = bitcoin;
  const report = (error: unknown): boolean => {
    deps.log(error, 'the Bitcoin node keeps its own time');
    return false;
  };
  const follows = await control.setTime(clock.now()).then(() => true, report);
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('status', 'in', ['initiated', 'pending'])
    .where(sql<boolean>`options @> ${JSON.stringify([{ network: network.name }])}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  if (!open || !follows) return true;
  const since = clock.now();
  await control.mineOnly([]);
  return untilScanned(deps, SCAN_WITHIN_MS, { name: network.name, readHead: control.readHead, since });
}

/**
 * Runs the jobs whose cron has rung, then repeats the due ones until the same work waits as before: it needs a block,
 * or time. Returns all due times.
 */
async function runWhatIsDue(deps: WalkDeps, ring: () => readonly Job[], over: AbortSignal): Promise<Due[]> {
  for (const job of ring()) if (!over.aborted) await runJob(deps, job, over);
  let waited = '';
  for (let pass = 1; ; pass += 1) {
    const dues = await runDue(deps, over);
    const now = deps.clock.now();
    const waiting = keysOf(dues.filter(({ time }) => time <= now)).join();
    if (waiting === '' || waiting === waited || pass === PASSES_MAX || over.aborted) return dues;
    waited = waiting;
  }
}

/** Runs the jobs that say they are due, each in turn. Returns the due times of all jobs from before the runs. */
async function runDue(deps: WalkDeps, over: AbortSignal): Promise<Due[]> {
  const dues: Due[] = [];
  for (const job of deps.jobs) {
    const time = (await job.nextDue?.()) ?? null;
    if (time === null) continue;
    dues.push({ job: job.name, time });
    if (time <= deps.clock.now() && !over.aborted) await runJob(deps, job, over);
  }
  return dues;
}

/** Returns the jobs without due times whose cron has rung since they were returned last, or rings within a second. */
function createBells({ jobs, clock }: WalkDeps): () => readonly Job[] {
  const begun = clock.now();
  const bells = jobs
    .filter(({ nextDue }) => !nextDue)
    .map((job) => ({ job, cron: new Cron(job.cron, { timezone: 'UTC' }), last: begun }));
  return () => {
    const now = clock.now();
    const soon = after(now, SECOND_MS);
    const rung = bells.filter(({ cron, last }) => (cron.nextRun(last) ?? soon) < soon);
    for (const bell of rung) bell.last = now;
    return rung.map(({ job }) => job);
  };
}

/** Counts how often each due time was still due after all jobs had run. */
function createPatience() {
  const seen = new Map<string, number>();
  return {
    /** Whether another run may get any of them done. */
    remains: (dues: readonly Due[]): boolean => {
      const keys = keysOf(dues);
      for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + 1);
      return keys.some((key) => (seen.get(key) ?? 0) < RUNS_MAX);
    },
  };
}

const keysOf = (dues: readonly Due[]): string[] => dues.map(({ job, time }) => `${job} ${time.getTime()}`);

async function goTo({ db, clock }: WalkDeps, time: Date): Promise<void> {
  await moveClock(db, clock, time);
  // This process hears of it like the others.
  if (!(await until(CLOCK_WITHIN_MS, async () => clock.now() >= time))) {
    throw new Error('The clock was moved in the database, but this process does not hear its notifications.');
  }
}

/** Resolves when the job's run has ended, or has taken long enough for a stop. */
async function runJob({ clock, log }: WalkDeps, job: Job, over: AbortSignal): Promise<void> {
  const run = job.run({ now: clock.now(), real: clock.real(), signal: over }).catch((error: unknown) => {
    log(error, `the job ${job.name} failed while the clock was moved`);
  });
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, JOB_WITHIN_MS);
  });
  await Promise.race([run, enough]);
  clearTimeout(timer);
}

/** The first whole second after `time`. */
const nextSecond = (time: Date): Date => new Date((Math.floor(time.getTime() / SECOND_MS) + 1) * SECOND_MS);

const earliest = (times: readonly Date[]): Date => new Date(Math.min(...times.map((time) => time.getTime())));
