import { randomUUID } from 'node:crypto';
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
import { createSending, type Sending } from './sending.ts';
import { rememberSlow, type SlowEndpoints } from './slow.ts';

/**
 * Results are recorded in batches: when this many wait, when nothing else is in flight, or when one has waited this
 * long.
 */
const BATCH_MAX = 128;
const BATCH_WAIT_MS = 4;
/** Nothing waits for a slot that is freed a little later while others are at hand. */
const BUSY_WAIT_MS = 20;
/** So many at most, because what slow endpoints said may end all at once. */
const RECORDED_MAX = 256;
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
  /** Until they have waited long enough. */
  flushTimer: NodeJS.Timeout | undefined;
  readonly slowEndpoints: SlowEndpoints;
  /** A delivery may be due that no claim has seen. */
  claimAgain: boolean;
  /** The merchant that had the last turn. */
  lastMerchant: string;
  /** After whom the turns began in the first of the claims that have found nothing, since something may be due. */
  circleFrom: string | undefined;
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
    flushTimer: undefined,
    slowEndpoints: rememberSlow(),
    claimAgain: false,
    lastMerchant: '',
    circleFrom: undefined,
    now: deps.clock.now,
  };
  deps.subscribe('kasi_deliveries', () => {
    lookAgain(worker);
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
  lookAgain(worker);
  const sending = createSending({
    onEnd: () => flushSoon(worker, sending),
    onSlow: (merchantIds) => noteSlow(worker, merchantIds),
    onRoom: () => {
      if (worker.claimAgain) worker.bell.ring();
    },
  });
  // At most one claim and one recording at a time, concurrent with each other and with the attempts.
  const claiming = createLane(worker.bell);
  const recording = createLane(worker.bell);
  for (;;) {
    const failed = claiming.failure() ?? recording.failure();
    const mayClaim = !run.signal.aborted && failed === undefined;
    if (worker.claimAgain && mayClaim && sending.room() > 0) {
      claiming.start(() => claimAndSend(deps, worker, sending));
    }
    if (worker.flush) recording.start(() => recordFinished(deps, worker, run.signal));
    if (sending.taken() + worker.finished.length === 0 && !claiming.isBusy() && !recording.isBusy()) {
      if (failed !== undefined) throw failed;
      return;
    }
    if (!(await worker.bell.wait(POLL_MS))) lookAgain(worker);
  }
}

/** Something may be due, so every merchant has to be looked at. */
function lookAgain(worker: Worker): void {
  worker.claimAgain = true;
  worker.circleFrom = undefined;
}

async function claimAndSend(deps: WorkerDeps, worker: Worker, sending: Sending): Promise<void> {
  // Before the claim, so that a ring during it is not lost.
  worker.claimAgain = false;
  worker.circleFrom ??= worker.lastMerchant;
  const load = { inFlight: sending.taken(), slow: sending.slow(), free: sending.room() };
  const share = worker.slowEndpoints.share(load);
  const { claimed, afterMerchant, isPartial } = await claimDeliveries(deps.db, {
    worker: worker.name,
    ...share,
    afterMerchant: worker.lastMerchant,
    circleFrom: worker.circleFrom,
    now: worker.now(),
    real: deps.clock.real(),
  });
  worker.lastMerchant = afterMerchant;
  if (claimed.length === share.free || (claimed.length === 0 && isPartial)) worker.claimAgain = true;
  if (claimed.length > 0) worker.circleFrom = undefined;
  const keys = await deps.keys(claimed.flatMap(({ keyIds }) => keyIds));
  sending.take(
    claimed.map((delivery) => ({
      merchantId: delivery.merchantId,
      make: () => sendOne(deps, worker, delivery, keys),
    })),
  );
}

/** What is slow keeps no other waiting. */
function noteSlow(worker: Worker, merchantIds: readonly string[]): void {
  for (const merchantId of merchantIds) worker.slowEndpoints.note(merchantId);
  lookAgain(worker);
  worker.bell.ring();
}

async function sendOne(
  deps: WorkerDeps,
  worker: Worker,
  delivery: Claimed,
  keys: ReadonlyMap<string, SigningKey>,
): Promise<void> {
  const startedAt = worker.now();
  try {
    const result = await attemptDelivery(deps.outbound, delivery, keys, deps.clock.real());
    const moment = { now: worker.now(), real: deps.clock.real(), random: deps.random() };
    const outcome = decideOutcome(result, delivery.attempt, moment);
    worker.finished.push({ delivery, startedAt, outcome });
    deps.attempted?.(outcome.status === 'pending' ? 'retry' : outcome.status, outcome.responseTimeMs / SECOND_MS);
  } catch (error) {
    deps.log(error, `delivery ${delivery.id} was not sent; it is due again when its lease ends`);
  }
}

/** Gathers a few results, so that one statement records them. Several may have ended since the last call. */
function flushSoon(worker: Worker, sending: Sending): void {
  const flush = (): void => {
    clearTimeout(worker.flushTimer);
    worker.flushTimer = undefined;
    worker.flush = worker.finished.length > 0;
    worker.bell.ring();
  };
  if (worker.finished.length >= BATCH_MAX || sending.taken() === 0) flush();
  else if (worker.finished.length > 0) {
    worker.flushTimer ??= setTimeout(flush, sending.waiting() > 0 ? BUSY_WAIT_MS : BATCH_WAIT_MS);
  }
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
  lookAgain(worker); // Slots are free again.
}
