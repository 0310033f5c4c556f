import { type RawBuilder, sql } from 'kysely';
import { type AloneWork, duePages, runAlone, runTogether } from '../db/batches.ts';
import { inTransaction } from '../db/transaction.ts';
import { followIncident } from '../incidents/incidents.ts';
import { after, MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import { inLanes } from '../lib/in-parallel.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { parkCredits } from './credits.ts';
import { findLastPayment, hasFewToApply, isAnyDue, listDuePayments, oldestDueCredit } from './due.ts';
import { isFirstSight, listFirstSights, takeFirstSights } from './first-sight.ts';
import { isPlain, payPlain } from './pay-plain.ts';
import { CONFIRMATION_DEADLINE_MS, type Command } from './payment.ts';
import { prunePayments } from './prune.ts';
import { listOverdue, nextDeadline, type PaymentRef } from './queries.ts';
import { requotePayments } from './requote.ts';
import { applyInput, type PaymentDeps } from './service.ts';

const BATCH_MAX = 500;
/** Plain payments that one transaction takes in or confirms. */
const PLAIN_MAX = 200;
/** So many transactions take in or confirm payments at once; each skips what another has locked. */
const LANES = 3;
/** So many payments are taken in by a run at most, so that what is to be confirmed gets its turn; the next goes on. */
const FIRST_MAX = 5_000;
/** So long payments are moved one by one before those that are taken together get their turn again. */
const SLICE_MS = SECOND_MS;
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
 * each. A payment that fails alone is parked with an incident, so it delays no other. Nor do many that take long: after
 * a second of them the batches get their turn again, and those with few credits do not wait for those with many.
 */
const applyCredits = (deps: PaymentJobDeps): Job => ({
  name: 'payments.apply',
  cron: '* * * * * *',
  wakeOn: 'kasi_credits',
  hasWork: () => isAnyDue,
  run: async (run) => {
    const there = await findLastPayment(deps.db);
    const many = createWalk(deps, sql`not ${hasFewToApply}`, { since: run.now, there });
    let few: Walk | undefined;
    for (let now = run.now; !(few?.isOver() && many.isOver()) && !run.signal.aborted; now = deps.clock.now()) {
      const turn = { ...run, now };
      await takeTogether(deps, turn);
      const together = await confirmTogether(deps, turn);
      const except = together ? sql<boolean>`(${isPlain} or ${isFirstSight})` : isFirstSight;
      if (few === undefined || few.isOver()) few = createWalk(deps, hasFewToApply, { since: now, there });
      await few.goOn(turn, except);
      await many.goOn(turn, except);
    }
  },
  nextDue: () => oldestDueCredit(deps.db),
});

/** Takes in first transfers, in batches. Each payment gets one turn. */
async function takeTogether(deps: PaymentJobDeps, run: JobRun): Promise<void> {
  const next = firstSightBatches(deps.db);
  const lane = async (): Promise<void> => {
    for (let refs = await next(); refs.length > 0 && !run.signal.aborted; refs = await next())
      await takeBatch(deps, run, refs);
  };
  await inLanes(LANES, lane);
}

/**
 * Hands out batches of first sights, each payment once; an empty one is the last. The next ones are listed while a
 * batch is worked on, so that no lane waits for another.
 */
function firstSightBatches(db: Db): () => Promise<readonly PaymentRef[]> {
  let refs: PaymentRef[] = [];
  let last: string | null = '';
  let had = 0;
  let listing: Promise<void> | undefined;
  const list = async (after: string): Promise<void> => {
    const page = await listFirstSights(db, after, BATCH_MAX);
    refs = [...page.refs];
    had += refs.length;
    last = had >= FIRST_MAX ? null : page.last;
  };
  return async () => {
    while (refs.length === 0 && last !== null) {
      listing ??= list(last).finally(() => {
        listing = undefined;
      });
      await listing;
    }
    return refs.splice(0, PLAIN_MAX);
  };
}

/** Takes in a batch. One that fails is halved until what fails is alone: that is parked, and the rest is taken in. */
async function takeBatch(deps: PaymentJobDeps, run: JobRun, refs: readonly PaymentRef[]): Promise<void> {
  const [first] = refs;
  if (!first || run.signal.aborted) return;
  const ids = refs.map(({ id }) => id);
  const taken = await runTogether(
    () => takeFirstSights(deps.db, deps, ids, run.now),
    (error) => deps.log(error, `${ids.length} of the payments could not be taken in together; they are halved`),
  );
  if (taken) return;
  if (refs.length === 1) return void (await runAlone(first, aloneWork(deps, null, run.now)));
  const half = Math.ceil(refs.length / 2);
  await takeBatch(deps, run, refs.slice(0, half));
  await takeBatch(deps, run, refs.slice(half));
}

/**
 * Confirms plain payments in batches, each with a time of its own, because more may come for as long as it confirms;
 * false when that failed and they have to be confirmed one by one.
 */
async function confirmTogether(deps: PaymentJobDeps, { signal }: JobRun): Promise<boolean> {
  const lane = async (): Promise<void> => {
    while (!signal.aborted && (await payPlain(deps.db, deps, PLAIN_MAX, deps.clock.now())) === PLAIN_MAX);
  };
  const confirmed = await runTogether(
    async () => {
      await inLanes(LANES, lane);
      return true;
    },
    (error) => deps.log(error, 'payments could not be confirmed together; they are confirmed one by one'),
  );
  return confirmed ?? false;
}

type Bounds = { readonly since: Date; readonly there: string };

type Walk = {
  readonly isOver: () => boolean;
  /** Applies to one payment after the other what the chain has brought, for a second. */
  readonly goOn: (run: JobRun, except: RawBuilder<boolean>) => Promise<void>;
};

/**
 * A walk through the due payments that match a condition. Each gets one turn, so that neither one that is busy nor one
 * with thousands of credits delays those behind it. So that it has an end, those get none that are made more than a
 * minute after `since`, also where clocks of processes differ: but up to the one that was `there` as the last when the
 * run began. A clock that was ahead, and was set back, may have made it.
 */
function createWalk(deps: PaymentJobDeps, condition: RawBuilder<boolean>, { since, there }: Bounds): Walk {
  const soon: string = firstIdAt('payment', after(since, MINUTE_MS));
  const end = there > soon ? there : soon;
  let listed: PaymentRef[] = [];
  let last: string | null = '';
  const next = async (except: RawBuilder<boolean>): Promise<PaymentRef | undefined> => {
    while (listed.length === 0 && last !== null) {
      const page = await listDuePayments(deps.db, { after: last, limit: BATCH_MAX }, { condition, except });
      listed = page.refs.filter(({ id }) => id <= end);
      last = page.last !== null && page.last < end ? page.last : null;
    }
    return listed.shift();
  };
  return {
    isOver: () => listed.length === 0 && last === null,
    goOn: async (run, except) => {
      const work = aloneWork(deps, null, run.now);
      let until: number | undefined;
      for (let ref = await next(except); ref; ref = await next(except)) {
        until ??= monotonicMs() + SLICE_MS; // To list them takes its time, too.
        await runAlone(ref, work);
        if (run.signal.aborted || monotonicMs() > until) return;
      }
    },
  };
}

/**
 * Expires payments whose deadline has passed in the chain time of every network that they offer, and fails payments
 * that never confirmed. A payment keeps its state while a watcher is blind.
 */
const expirePayments = (deps: PaymentJobDeps): Job => ({
  name: 'payments.expire',
  cron: '*/5 * * * * *',
  run: (run) => expireDue(deps, run),
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
 * Has time pass for overdue payments, batch by batch, until only those are left that have to wait for the next run:
 * each gets one turn, so that one that is busy delays none behind it.
 */
async function expireDue(deps: PaymentJobDeps, run: JobRun): Promise<void> {
  const work = aloneWork(deps, { kind: 'clock' }, run.now);
  const since = after(run.now, -CONFIRMATION_DEADLINE_MS);
  const due = {
    list: (limit: number) => listOverdue(deps.db, run.now, since, limit),
    idOf: ({ id }: PaymentRef) => id,
  };
  for await (const refs of duePages(due, BATCH_MAX)) {
    for (const ref of refs) {
      if (run.signal.aborted) return;
      await runAlone(ref, work);
    }
  }
}

/** Applies `command`, or the credits that are due, to one payment. */
const aloneWork = (deps: PaymentJobDeps, command: Command | null, now: Date): AloneWork<PaymentRef> => ({
  run: (ref) => inTransaction(deps.db, (trx) => applyInput(trx, deps, ref, command, now)),
  park: (ref, failure) =>
    inTransaction(deps.db, async (trx) => {
      await parkCredits(trx, ref.id, failure, now);
      await followIncident(trx, { kind: 'payment.parked', subject: ref.id, message: failure }, now);
    }),
  whenBusy: 'leave',
  describe: ({ id }) => `payment ${id}`,
  log: deps.log,
});
