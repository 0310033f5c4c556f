import { inTransaction, isContended, isUnavailable } from '../../db/transaction.ts';
import { after, HOUR_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { PaymentDeps } from '../../payments/service.ts';
import type { JobRun } from '../../ports/job.ts';
import { openBatch, saveBatch } from '../batch-store.ts';
import { openIncident, resolveIncidents } from '../incidents.ts';
import { findMandates, saveMandateFate } from '../mandates/queries.ts';
import { askAnew } from '../mandates/replacement.ts';
import { lockFreeSubscriptions } from '../queries.ts';
import type { Subscription } from '../records.ts';
import { planNames } from '../views.ts';
import { applyTold, type Outcomes } from './outcomes.ts';
import {
  findSenders,
  findStanding,
  listParked,
  listTold,
  listUnparked,
  lockParked,
  lockTold,
  markTold,
  parkAgain,
  parkTold,
  type ToldEvent,
} from './queries.ts';
import { applySignals, listSignalled, putOffSignals } from './signals.ts';

const BATCH_MAX = 100;
/** What was parked is tried again then. */
const PARKED_MS = HOUR_MS;

export type SettleDeps = PaymentDeps & {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/** One kind of what waits for subscriptions. */
type Queue = {
  /** Subscriptions that something waits for, a batch and some more. */
  readonly list: (db: Db) => Promise<string[]>;
  /** Applies what waits for these, whose locks are held. */
  readonly apply: (trx: Trx, subscriptions: readonly Subscription[]) => Promise<void>;
  /** What waits for this one can't be applied: it is taken out of the others' way. */
  readonly park: (trx: Trx, id: string, failure: string) => Promise<void>;
};

/**
 * Applies what the contract said and what was signalled to subscriptions. One transaction a hundred; a hundred that fail together are done
 * one by one, and what fails alone is parked with an incident for an hour, so that it stops nobody else.
 */
export async function settleWaiting(deps: SettleDeps, run: JobRun): Promise<void> {
  const { now } = run;
  const told: Queue = {
    list: (db) => listTold(db, BATCH_MAX),
    apply: async (trx, subscriptions) =>
      applyEvents(trx, deps, subscriptions, await lockTold(trx, idsOf(subscriptions)), now),
    park: (trx, id, failure) => parkTold(trx, id, failure, now),
  };
  // In transactions of their own: payments leave signals while they hold the merchant's accounts, which the events want, too.
  const signals: Queue = {
    list: (db) => listSignalled(db, now, BATCH_MAX),
    apply: (trx, subscriptions) => applySignals(trx, deps, subscriptions, now),
    park: (trx, id) => putOffSignals(trx, id, now),
  };
  const lanes = [told, told, signals]; // Each takes what the others do not have.
  while (!run.signal.aborted) {
    const ends = await Promise.allSettled(lanes.map((queue) => takeSome(deps, run, queue)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (!ends.some((end) => end.status === 'fulfilled' && end.value)) return;
  }
}

/**
 * Tries again what was parked an hour ago: what stood in its way may be gone, or mended. One thing a subscription and turn, so that what
 * was parked together with something that will never be applied is not kept by it.
 */
export async function retryParked(deps: SettleDeps, run: JobRun): Promise<void> {
  const { now } = run;
  const until = after(now, -PARKED_MS);
  const parked: Queue = {
    list: (db) => listParked(db, until, BATCH_MAX),
    apply: async (trx, subscriptions) => {
      const ids = idsOf(subscriptions);
      await applyEvents(trx, deps, subscriptions, await lockParked(trx, ids, until), now);
      await resolveIncidents(trx, 'subscription.parked', await listUnparked(trx, ids), now);
    },
    park: (trx, id, failure) => parkAgain(trx, id, until, failure, now),
  };
  while (!run.signal.aborted && (await takeSome(deps, run, parked)));
}

const idsOf = (subscriptions: readonly Subscription[]): string[] => subscriptions.map(({ id }) => id);

/** Applies what waits for a hundred; false when there is nothing that nobody else is at. */
async function takeSome(deps: SettleDeps, { now, signal }: JobRun, queue: Queue): Promise<boolean> {
  const waiting = await queue.list(deps.db);
  if (waiting.length === 0) return false;
  const done = await takeFree(deps.db, queue, waiting, BATCH_MAX).catch((error: unknown) => {
    if (isUnavailable(error) && !isContended(error)) throw error;
    deps.log(error, 'what waits for a hundred subscriptions could not be applied together; it is applied one by one');
    return null;
  });
  if (done !== null) return done > 0;
  let busy = false;
  for (const id of waiting.slice(0, BATCH_MAX)) {
    if (signal.aborted) return false;
    if (!(await takeOne(deps, queue, id, now))) busy = true;
  }
  return !busy; // What is busy, the next run finds again.
}

/** Applies what waits for as many of these as nobody else is at; returns how many that were. */
const takeFree = (db: Db, queue: Queue, ids: readonly string[], limit: number): Promise<number> =>
  inTransaction(db, async (trx) => {
    const locked = await lockFreeSubscriptions(trx, ids, limit);
    if (locked.length > 0) await queue.apply(trx, locked);
    return locked.length;
  });

/** False when somebody holds what it needs: that passes, so it is left in the queue. */
async function takeOne(deps: SettleDeps, queue: Queue, id: string, now: Date): Promise<boolean> {
  try {
    await takeFree(deps.db, queue, [id], 1);
  } catch (error) {
    if (isContended(error)) {
      deps.log(error, `subscription ${id} is busy; what waits for it is applied later`);
      return false;
    }
    if (isUnavailable(error)) throw error;
    deps.log(error, `what waits for subscription ${id} could not be applied and is parked`);
    const failure = error instanceof Error ? error.message : String(error);
    await inTransaction(deps.db, async (trx) => {
      await queue.park(trx, id, failure);
      await openIncident(trx, 'subscription.parked', id, failure, now);
    });
  }
  return true;
}

async function applyEvents(
  trx: Trx,
  deps: SettleDeps,
  subscriptions: readonly Subscription[],
  waiting: readonly ToldEvent[],
  now: Date,
): Promise<void> {
  if (waiting.length === 0) return;
  const told = inOrder(waiting);
  const numbers = told.filter(({ number }) => number > 0);
  const outcomes: Outcomes = {
    batch: await openBatch(trx, subscriptions, { numbers }, now),
    networks: deps.networks,
    planNames: await planNames(trx, [...new Set(subscriptions.map(({ planId }) => planId))]),
    standing: await findStanding(trx, told),
    senders: await findSenders(trx, told),
    mandates: new Map(
      (
        await findMandates(
          trx,
          told.map(({ mandateId }) => mandateId),
        )
      ).map((row) => [row.id, row]),
    ),
    changedMandates: new Set(),
    collected: [],
  };
  for (const event of told) await applyTold(trx, outcomes, event);
  for (const id of outcomes.changedMandates) await saveMandateFate(trx, outcomes.mandates.get(id)!);
  await askAnew(trx, deps, outcomes.batch, revokedIn(outcomes, idsOf(subscriptions)));
  await resolveIncidents(trx, 'subscription.unexplained', collectedIn(outcomes, told), now);
  await markTold(trx, told, now);
  await saveBatch(trx, deps, outcomes.batch, outcomes.collected);
}

/** Those whose customers have withdrawn the mandate that counts: the contract never takes it again. */
const revokedIn = ({ batch, mandates }: Outcomes, ids: readonly string[]): string[] =>
  ids.filter((id) => {
    const mandateId = batch.subscription(id)?.mandateId;
    return mandateId != null && mandates.get(mandateId)?.revokedAt != null;
  });

/** The charges of which it is known now what became of them. */
const collectedIn = ({ batch }: Outcomes, told: readonly ToldEvent[]): string[] =>
  told
    .filter(({ kind, canonical }) => kind === 'collected' && canonical)
    .flatMap(({ subscriptionId, number }) => batch.chargeOf(subscriptionId, number)?.id ?? []);

/** What a reorg took comes first: the same thing may stand in another block, and stands only once. */
const inOrder = (told: readonly ToldEvent[]): ToldEvent[] =>
  [...told].sort((a, b) => Number(a.canonical) - Number(b.canonical) || Number(a.id - b.id));
