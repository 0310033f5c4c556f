import { runAlone, runTogether } from '../../db/batches.ts';
import { inTransaction } from '../../db/transaction.ts';
import { withRecordedTokens } from '../../deployment/unlisted.ts';
import { followIncident, resolveIncidents } from '../../incidents/incidents.ts';
import { after, HOUR_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { inLanes } from '../../lib/in-parallel.ts';
import type { JobRun } from '../../ports/job.ts';
import { type BatchDeps, openBatch, saveBatch } from '../batch-store.ts';
import { findMandates, saveMandateOnChain } from '../mandates/queries.ts';
import { type ReplacementDeps, requestReplacements } from '../mandates/replacement.ts';
import { planNames } from '../plans/queries.ts';
import { lockFreeSubscriptions, type Subscription } from '../queries.ts';
import type { Charge } from '../schedule/charge.ts';
import { applyCollectorEvent, type Outcomes } from './outcomes.ts';
import { resolveGoneThrough } from './parked.ts';
import {
  findCanonical,
  findSenders,
  listParked,
  listWaiting,
  lockParked,
  lockWaiting,
  markApplied,
  parkAgain,
  parkWaiting,
  type StoredCollectorEvent,
} from './queries.ts';
import { applySignals, listSignalled, parkSignals, signalRemoved } from './signals.ts';

const BATCH_MAX = 200;
const LANES = 2;
/** Events that could not be applied are tried again after longer than other work (`PARKED_MS`). */
const EVENTS_PARKED_MS = HOUR_MS;

export type ApplyDeps = BatchDeps &
  ReplacementDeps & {
    readonly db: Db;
    readonly log: (error: unknown, message: string) => void;
  };

/** One kind of work that waits for subscriptions. */
type Queue = {
  /** Subscriptions with waiting work; more than a batch, because some turn out locked by another worker. */
  readonly list: (db: Db) => Promise<string[]>;
  /** Applies the waiting work of these locked subscriptions. */
  readonly apply: (trx: Trx, subscriptions: readonly Subscription[]) => Promise<void>;
  /** Takes the waiting work of this subscription out of the queue for a while. */
  readonly park: (trx: Trx, id: string, failure: string) => Promise<void>;
};

/**
 * Applies waiting collector events to subscriptions. A batch of 200 per transaction; if that fails, one by one, and
 * what fails alone is parked for an hour with an incident.
 */
export const applyWaitingEvents = (deps: ApplyDeps, run: JobRun): Promise<void> =>
  applyAll(deps, run, {
    list: (db) => listWaiting(db, BATCH_MAX),
    apply: async (trx, subscriptions) =>
      // A run goes on for as long as events come, and what is booked carries the time of its own batch.
      applyEvents(trx, deps, subscriptions, await lockWaiting(trx, idsOf(subscriptions)), deps.clock.now()),
    park: (trx, id, failure) => parkWaiting(trx, id, failure, deps.clock.now()),
  });

/**
 * Applies waiting signals in the same way; what fails alone is parked for 15 minutes. It takes those that are due when
 * it begins. See decision subscriptions/signals-apart-from-events.
 */
export function applyWaitingSignals(deps: ApplyDeps, run: JobRun): Promise<void> {
  const { now } = run;
  return applyAll(deps, run, {
    list: (db) => listSignalled(db, now, BATCH_MAX),
    apply: (trx, subscriptions) => applySignals(trx, deps, subscriptions, now),
    park: (trx, id) => parkSignals(trx, id, now),
  });
}

/** Works a queue off in several lanes, each of which skips the rows that another has locked. */
async function applyAll(deps: ApplyDeps, run: JobRun, queue: Queue): Promise<void> {
  const lane = async (): Promise<void> => {
    while (!run.signal.aborted && (await applySome(deps, run, queue)));
  };
  await inLanes(LANES, lane);
}

/**
 * Retries events that were parked an hour ago, because their obstacle may be gone. One event per subscription and
 * turn, so that an event that never applies does not block those parked with it.
 */
export async function retryParked(deps: ApplyDeps, run: JobRun): Promise<void> {
  const { now } = run;
  const until = after(now, -EVENTS_PARKED_MS);
  const parked: Queue = {
    list: (db) => listParked(db, until, BATCH_MAX),
    apply: async (trx, subscriptions) => {
      const events = await lockParked(trx, idsOf(subscriptions), until);
      await applyEvents(trx, deps, subscriptions, events, deps.clock.now());
    },
    park: (trx, id, failure) => parkAgain(trx, id, until, failure, deps.clock.now()),
  };
  while (!run.signal.aborted && (await applySome(deps, run, parked)));
  await resolveGoneThrough(deps.db, now);
}

const idsOf = (subscriptions: readonly Subscription[]): string[] => subscriptions.map(({ id }) => id);

/** Applies a batch; false when nothing unlocked is left. */
async function applySome(deps: ApplyDeps, { now, signal }: JobRun, queue: Queue): Promise<boolean> {
  const waiting = await queue.list(deps.db);
  if (waiting.length === 0) return false;
  const done = await runTogether(
    () => applyUnlocked(deps.db, queue, waiting, BATCH_MAX),
    (error) =>
      deps.log(
        error,
        'what waits for two hundred subscriptions could not be applied together; it is applied one by one',
      ),
  );
  if (done !== null) return done > 0;
  let busy = false;
  for (const id of waiting.slice(0, BATCH_MAX)) {
    if (signal.aborted) return false;
    if ((await applyAlone(deps, queue, id, now)) === 'busy') busy = true;
  }
  return !busy; // The next run finds busy ones again.
}

/** Applies the work of at most `limit` of these subscriptions. Skips locked rows. Returns how many there were. */
const applyUnlocked = (db: Db, queue: Queue, ids: readonly string[], limit: number): Promise<number> =>
  inTransaction(db, async (trx) => {
    const locked = await lockFreeSubscriptions(trx, ids, limit);
    if (locked.length > 0) await queue.apply(trx, locked);
    return locked.length;
  });

const applyAlone = (deps: ApplyDeps, queue: Queue, id: string, now: Date): ReturnType<typeof runAlone> =>
  runAlone(id, {
    run: () => applyUnlocked(deps.db, queue, [id], 1),
    park: (each, failure) =>
      inTransaction(deps.db, async (trx) => {
        await queue.park(trx, each, failure);
        await followIncident(trx, { kind: 'subscription.parked', subject: each, message: failure }, now);
      }),
    whenBusy: 'leave',
    describe: (each) => `what waits for subscription ${each}`,
    log: deps.log,
  });

async function applyEvents(
  trx: Trx,
  deps: ApplyDeps,
  subscriptions: readonly Subscription[],
  waiting: readonly StoredCollectorEvent[],
  now: Date,
): Promise<void> {
  if (waiting.length === 0) return;
  const events = inOrder(waiting);
  const numbers = events.filter(({ number }) => number > 0);
  const outcomes: Outcomes = {
    batch: await openBatch(trx, subscriptions, { numbers }, now),
    networks: await withRecordedTokens(trx, deps.networks),
    planNames: await planNames(trx, [...new Set(subscriptions.map(({ planId }) => planId))]),
    canonical: await findCanonical(trx, events),
    senders: await findSenders(trx, events),
    mandates: new Map(
      (
        await findMandates(
          trx,
          events.map(({ mandateId }) => mandateId),
        )
      ).map((row) => [row.id, row]),
    ),
    changedMandates: new Set(),
    collected: [],
  };
  for (const event of events) await applyCollectorEvent(trx, outcomes, event);
  for (const id of outcomes.changedMandates) await saveMandateOnChain(trx, outcomes.mandates.get(id)!);
  await requestReplacements(trx, deps, outcomes.batch, revokedIn(outcomes, idsOf(subscriptions)));
  await resolveIncidents(trx, 'subscription.unexplained', collectedIn(outcomes, events), now);
  await markApplied(trx, events, now);
  await saveBatch(trx, deps, outcomes.batch, outcomes.collected);
  // Last, as payments signal: with the merchants' accounts locked.
  await signalRemoved(trx, chargesOf(outcomes, events.filter(isRemoved)), now);
}

/** The subscriptions whose current mandate was revoked: the contract never accepts it again. */
const revokedIn = ({ batch, mandates }: Outcomes, ids: readonly string[]): string[] =>
  ids.filter((id) => {
    const mandateId = batch.subscription(id)?.mandateId;
    return mandateId != null && mandates.get(mandateId)?.revokedAt != null;
  });

/** The charges whose outcome is now known. */
const collectedIn = (outcomes: Outcomes, events: readonly StoredCollectorEvent[]): string[] =>
  chargesOf(
    outcomes,
    events.filter(({ kind, canonical }) => kind === 'collected' && canonical),
  ).map(({ id }) => id);

const isRemoved = ({ kind, canonical }: StoredCollectorEvent): boolean => kind === 'collected' && !canonical;

const chargesOf = ({ batch }: Outcomes, events: readonly StoredCollectorEvent[]): Charge[] =>
  events.flatMap(({ subscriptionId, number }) => batch.chargeOf(subscriptionId, number) ?? []);

/** Removed events first: the same event may stand in another block, and must count only once. */
const inOrder = (events: readonly StoredCollectorEvent[]): StoredCollectorEvent[] =>
  [...events].sort((a, b) => Number(a.canonical) - Number(b.canonical) || Number(a.id - b.id));
