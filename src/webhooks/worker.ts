import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Events } from '../events/record.ts';
import type { Subscribe } from '../lib/channels.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import { untilRecorded } from '../lib/until-recorded.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { JobRun } from '../ports/job.ts';
import { attemptDelivery } from './attempt.ts';
import { type Bell, createBell } from './bell.ts';
import { type Claimed, claimDeliveries, LEASE_SECONDS } from './claim.ts';
import { decideOutcome } from './delivery.ts';
import { recordHealth } from './health.ts';
import type { SigningKeys } from './keys.ts';
import { createLane } from './lane.ts';
import { type Attempted, recordAttempts } from './results.ts';
import { rememberSlow, type SlowEndpoints } from './slow.ts';

/** How many attempts a process makes at once, besides those whose endpoint is slow. */
const CONCURRENCY = 256;
/** An attempt that has no answer for so long is only waited for. */
const SLOW_MS = SECOND_MS;
/** How many attempts a process makes at once, slow ones included: each keeps a connection and its event. */
const IN_FLIGHT_MAX = 1024;
/**
 * Results are recorded in batches: when this many wait, when nothing else is in flight, or when one has waited this
 * long.
 */
const BATCH_MAX = 128;
const BATCH_WAIT_MS = 4;
/** So many at most, because what slow endpoints said may end all at once. */
const RECORDED_MAX = 256;
/** So many are signed and sent before other work of the process has its turn: a signature takes 40 µs of it. */
const SENT_AT_ONCE = 16;
/** How often a run looks for newly due deliveries while it waits for slow endpoints. */
const POLL_MS = SECOND_MS;

export type WorkerDeps = {
  readonly db: Db;
  readonly events: Events;
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly subscribe: Subscribe;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
  readonly log: (error: unknown, message: string) => void;
  /** Told of each attempt that has ended; `retry`: another follows. */
  readonly attempted?: (outcome: 'success' | 'retry' | 'failed', seconds: number) => void;
};

/** What one process is sending at the moment. */
type Worker = {
  /** Its name in leases. */
  readonly name: string;
  readonly bell: Bell;
  /** Attempts that have ended and are not recorded yet. */
  readonly finished: Attempted[];
  /** Time to record them: the batch is full, or has waited long enough. */
  flush: boolean;
  inFlight: number;
  /** How many of those are slow. */
  slow: number;
  readonly slowEndpoints: SlowEndpoints;
  /** A delivery may be due that no claim has seen. */
  claimAgain: boolean;
  /** The merchant that had the last turn. */
  lastMerchant: string;
  /** Business time, never before that of the run. */
  now: () => Date;
};

/**
 * Delivers what is due. The returned function runs until nothing is due and nothing is in flight, or until its signal
 * is aborted and what is in flight has ended. Each slot is refilled as soon as it is free, so an endpoint that hangs
 * occupies its own few slots and nothing else. A second run waits for the first. The protocol is described in
 * README.md.
 */
export function createWorker(deps: WorkerDeps): (run: JobRun) => Promise<void> {
  const worker: Worker = {
    name: randomUUID(),
    bell: createBell(),
    finished: [],
    flush: false,
    inFlight: 0,
    slow: 0,
    slowEndpoints: rememberSlow(),
    claimAgain: false,
    lastMerchant: '',
    now: deps.clock.now,
  };
  deps.subscribe('kasi_deliveries', () => {
    worker.claimAgain = true;
    worker.bell.ring();
  });
  let last: Promise<void> = Promise.resolve();
  return (run) => {
    last = last.catch(() => undefined).then(() => deliverDue(deps, worker, run));
    return last;
  };
}

async function deliverDue(deps: WorkerDeps, worker: Worker, run: JobRun): Promise<void> {
  worker.now = () => new Date(Math.max(run.now.getTime(), deps.clock.now().getTime()));
  worker.claimAgain = true;
  // At most one claim and one recording at a time, concurrent with each other and with the attempts.
  const claiming = createLane(worker.bell);
  const recording = createLane(worker.bell);
  for (;;) {
    const failed = claiming.failure() ?? recording.failure();
    const mayClaim = !run.signal.aborted && failed === undefined;
    if (worker.claimAgain && mayClaim && freeOf(worker) > 0) {
      claiming.start(() => claimAndSend(deps, worker));
    }
    if (worker.flush) recording.start(() => recordFinished(deps, worker, run.signal));
    if (worker.inFlight + worker.finished.length === 0 && !claiming.isBusy() && !recording.isBusy()) {
      if (failed !== undefined) throw failed;
      return;
    }
    if (!(await worker.bell.wait(POLL_MS))) worker.claimAgain = true;
  }
}

/** How many more it may send now. See decision webhooks/slow-attempts-are-waited-for. */
const freeOf = ({ inFlight, slow }: Worker): number =>
  Math.min(CONCURRENCY - (inFlight - slow), IN_FLIGHT_MAX - inFlight);

async function claimAndSend(deps: WorkerDeps, worker: Worker): Promise<void> {
  worker.claimAgain = false; // Before the claim, so that a ring during it is not lost.
  const { claimed, afterMerchant, isPartial } = await claimDeliveries(deps.db, {
    worker: worker.name,
    ...worker.slowEndpoints.share({ ...worker, free: freeOf(worker) }),
    afterMerchant: worker.lastMerchant,
    now: worker.now(),
    real: deps.clock.real(),
  });
  worker.lastMerchant = afterMerchant;
  if (claimed.length === 0 && isPartial) worker.claimAgain = true;
  const keys = await deps.keys(claimed.flatMap(({ keyIds }) => keyIds));
  const batch: Batch = { keys, left: new Set(claimed), isSlow: false };
  for (const [index, delivery] of claimed.entries()) {
    if (index > 0 && index % SENT_AT_ONCE === 0) await nextTurn();
    void sendOne(deps, worker, delivery, batch);
  }
  if (batch.left.size > 0) setTimeout(() => countSlow(worker, batch), SLOW_MS).unref();
}

/** What was claimed at once. One clock for all of it costs next to nothing. */
type Batch = {
  readonly keys: ReadonlyMap<string, SigningKey>;
  /** What is in flight. */
  readonly left: Set<Claimed>;
  isSlow: boolean;
};

/** What is left of a batch by now is slow, and keeps no other waiting. */
function countSlow(worker: Worker, batch: Batch): void {
  if (batch.left.size === 0) return;
  batch.isSlow = true;
  worker.slow += batch.left.size;
  for (const { merchantId } of batch.left) worker.slowEndpoints.note(merchantId);
  worker.claimAgain = true;
  worker.bell.ring();
}

async function sendOne(deps: WorkerDeps, worker: Worker, delivery: Claimed, batch: Batch): Promise<void> {
  worker.inFlight += 1;
  const startedAt = worker.now();
  try {
    const result = await attemptDelivery(deps.outbound, delivery, batch.keys, deps.clock.real());
    const moment = { now: worker.now(), real: deps.clock.real(), random: deps.random() };
    const outcome = decideOutcome(result, delivery.attempt, moment);
    worker.finished.push({ delivery, startedAt, outcome });
    deps.attempted?.(outcome.status === 'pending' ? 'retry' : outcome.status, outcome.responseTimeMs / SECOND_MS);
  } catch (error) {
    deps.log(error, `delivery ${delivery.id} was not sent; it is due again when its lease ends`);
  } finally {
    worker.inFlight -= 1;
    batch.left.delete(delivery);
    if (batch.isSlow) worker.slow -= 1;
    flushSoon(worker);
  }
}

/** Gathers a few results, so that one statement records them. */
function flushSoon(worker: Worker): void {
  const flush = (): void => {
    worker.flush = worker.finished.length > 0;
    worker.bell.ring();
  };
  if (worker.finished.length >= BATCH_MAX || worker.inFlight === 0) flush();
  else if (worker.finished.length === 1) setTimeout(flush, BATCH_WAIT_MS);
}

/**
 * Records finished attempts. Retries while the database is away, for as long as the leases last: what was sent can't be
 * unsent.
 */
async function recordFinished(deps: WorkerDeps, worker: Worker, signal: AbortSignal): Promise<void> {
  const batch = worker.finished.splice(0, RECORDED_MAX);
  worker.flush = worker.finished.length > 0;
  await untilRecorded({
    record: async () => {
      await recordAttempts(deps.db, worker.name, batch, worker.now());
      await recordHealth(deps, batch, worker.now());
    },
    seconds: LEASE_SECONDS,
    log: (error) => deps.log(error, `the results of ${batch.length} deliveries could not be recorded`),
    signal,
  });
  worker.claimAgain = true; // Slots are free again.
}
