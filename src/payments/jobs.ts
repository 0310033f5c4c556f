import { sql } from 'kysely';
import { type AloneWork, runAlone, runTogether } from '../db/batches.ts';
import { inTransaction } from '../db/transaction.ts';
import { openIncident } from '../incidents/incidents.ts';
import { after } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { inParallel } from '../lib/in-parallel.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { isAnyDue, listDuePayments, oldestDueCredit, parkCredits } from './credits.ts';
import { isFirstSight, listFirstSights, takeFirstSights } from './first-sight.ts';
import { isPlain, payPlain } from './pay-plain.ts';
import { CONFIRMATION_DEADLINE_MS, type Command } from './payment.ts';
import { prunePayments } from './prune.ts';
import { listOverdue, nextDeadline, type PaymentRef } from './queries.ts';
import { requotePayments } from './requote.ts';
import { applyInput, type PaymentDeps } from './service.ts';

const BATCH_MAX = 500;
/** Plain payments that one transaction takes in or confirms. */
const PLAIN_MAX = 100;
/** So many transactions take in or confirm payments at once; each skips what another has locked. */
const LANES = 3;
/** So many payments are taken in by a run at most, so that what is to be confirmed gets its turn; the next goes on. */
const FIRST_MAX = 5_000;
/** At most 100 payments a transaction and 50,000 a run are looked at to be pruned; the next run goes on from there. */
const PRUNE = { batch: 100, batches: 500 };

export type PaymentJobDeps = PaymentDeps & { readonly db: Db; readonly log: (error: unknown, message: string) => void };

/** Applies the credits that watchers stored, enforces deadlines, renews quotes, and takes away what nobody paid. */
export const paymentJobs = (deps: PaymentJobDeps): Job[] => [
  applyCredits(deps),
  expirePayments(deps),
  pruneUnpaid(deps.db),
  requotePayments(deps),
];

/**
 * Applies the credits that watchers stored: first sights and plain payments in batches, the others in a transaction
 * each. A payment that fails alone is parked with an incident, so it delays no other.
 */
const applyCredits = (deps: PaymentJobDeps): Job => ({
  name: 'payments.apply',
  cron: '* * * * * *',
  wakeOn: 'kasi_credits',
  hasWork: () => isAnyDue,
  run: async (run) => {
    await takeTogether(deps, run);
    const together = await confirmTogether(deps, run);
    const except = together ? sql<boolean>`(${isPlain} or ${isFirstSight})` : isFirstSight;
    await workThrough(deps, run, null, (limit) => listDuePayments(deps.db, limit, except));
  },
  nextDue: () => oldestDueCredit(deps.db),
});

/** Takes in first transfers, in batches. Each payment gets one turn a run, as in `workThrough`. */
async function takeTogether(deps: PaymentJobDeps, run: JobRun): Promise<void> {
  const next = firstSightBatches(deps.db);
  const lane = async (): Promise<void> => {
    for (let batch = await next(); batch && !run.signal.aborted; batch = await next())
      batch.done(await takeBatch(deps, run, batch.refs));
  };
  await inParallel(Array.from({ length: LANES }, lane));
}

type Batch = { readonly refs: readonly PaymentRef[]; readonly done: (taken: readonly string[]) => void };

/**
 * Hands out batches of first sights, each payment once. Lists the next ones while the last batch of those before is
 * worked on, so that no lane waits for another.
 */
function firstSightBatches(db: Db): () => Promise<Batch | undefined> {
  const listed = new Set<string>();
  let refs: PaymentRef[] = [];
  /** How many of them are not taken: these are listed again. */
  let left = 0;
  let [had, isLast] = [0, false];
  let listing: Promise<void> | undefined;
  const list = async (): Promise<void> => {
    const found = await listFirstSights(db, BATCH_MAX + left);
    const fresh = found.filter(({ id }) => !listed.has(id)).slice(0, BATCH_MAX);
    for (const { id } of fresh) listed.add(id);
    left += fresh.length;
    refs = fresh;
    had += BATCH_MAX;
    isLast = fresh.length < BATCH_MAX || had >= FIRST_MAX;
  };
  return async () => {
    while (refs.length === 0 && !isLast) {
      listing ??= list().finally(() => {
        listing = undefined;
      });
      await listing;
    }
    const batch = refs.splice(0, PLAIN_MAX);
    if (batch.length === 0) return undefined;
    return {
      refs: batch,
      done: (taken) => {
        left -= taken.length;
      },
    };
  };
}

/**
 * Takes in a batch, and returns what is taken. One that fails is halved until what fails is alone: that is parked, and
 * the others are taken in.
 */
async function takeBatch(deps: PaymentJobDeps, run: JobRun, refs: readonly PaymentRef[]): Promise<readonly string[]> {
  const [first] = refs;
  if (!first || run.signal.aborted) return [];
  const ids = refs.map(({ id }) => id);
  const taken = await runTogether(
    () => takeFirstSights(deps.db, deps, ids, run.now),
    (error) => deps.log(error, `${ids.length} of the payments could not be taken in together; they are halved`),
  );
  if (taken) return taken;
  if (refs.length === 1) return (await runAlone(first, aloneWork(deps, null, run.now))) === 'busy' ? [] : ids;
  const half = Math.ceil(refs.length / 2);
  return [...(await takeBatch(deps, run, refs.slice(0, half))), ...(await takeBatch(deps, run, refs.slice(half)))];
}

/** Confirms plain payments in batches; false when that failed and they have to be confirmed one by one. */
async function confirmTogether(deps: PaymentJobDeps, { now, signal }: JobRun): Promise<boolean> {
  const lane = async (): Promise<void> => {
    while (!signal.aborted && (await payPlain(deps.db, deps, PLAIN_MAX, now)) === PLAIN_MAX);
  };
  const confirmed = await runTogether(
    async () => {
      await inParallel(Array.from({ length: LANES }, lane));
      return true;
    },
    (error) => deps.log(error, 'payments could not be confirmed together; they are confirmed one by one'),
  );
  return confirmed ?? false;
}

/**
 * Expires payments whose deadline has passed in the chain time of every network that they offer, and fails payments
 * that never confirmed. A payment keeps its state while a watcher is blind.
 */
const expirePayments = (deps: PaymentJobDeps): Job => ({
  name: 'payments.expire',
  cron: '*/5 * * * * *',
  run: (run) =>
    workThrough(deps, run, { kind: 'clock' }, (limit) =>
      listOverdue(deps.db, run.now, after(run.now, -CONFIRMATION_DEADLINE_MS), limit),
    ),
  nextDue: () => nextDeadline(deps.db),
});

/** Takes away what payers began through links and nobody paid. */
function pruneUnpaid(db: Db): Job {
  let afterId = '';
  return {
    name: 'payments.prune',
    cron: '0 25 * * * *',
    run: async (run) => {
      ({ afterId } = await prunePayments(db, run, { ...PRUNE, afterId }));
    },
  };
}

/**
 * Works through due payments, batch by batch, until only those are left that have to wait for the next run. Each
 * payment gets one turn a run, so that neither one that is busy or parked nor one with thousands of credits delays the
 * payments behind it.
 */
async function workThrough(
  deps: PaymentJobDeps,
  run: JobRun,
  command: Command | null,
  list: (limit: number) => Promise<PaymentRef[]>,
): Promise<void> {
  const work = aloneWork(deps, command, run.now);
  const moved = new Set<string>();
  const waiting = new Set<string>();
  for (;;) {
    const refs = (await list(BATCH_MAX + waiting.size)).filter(({ id }) => !waiting.has(id));
    for (const ref of refs) {
      if (run.signal.aborted) return;
      const hadTurn = moved.has(ref.id);
      if (!hadTurn && (await runAlone(ref, work)) === 'done') moved.add(ref.id);
      else waiting.add(ref.id);
    }
    if (refs.length < BATCH_MAX) return;
  }
}

/** Applies `command`, or the credits that are due, to one payment. */
const aloneWork = (deps: PaymentJobDeps, command: Command | null, now: Date): AloneWork<PaymentRef> => ({
  run: (ref) => inTransaction(deps.db, (trx) => applyInput(trx, deps, ref, command, now)),
  park: (ref, failure) =>
    inTransaction(deps.db, async (trx) => {
      await parkCredits(trx, ref.id, failure, now);
      await openIncident(trx, { kind: 'payment.parked', subject: ref.id, message: failure }, now);
    }),
  whenBusy: 'leave',
  describe: ({ id }) => `payment ${id}`,
  log: deps.log,
});
