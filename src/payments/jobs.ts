import { sql } from 'kysely';
import { inTransaction, isContended, isUnavailable } from '../db/transaction.ts';
import { after } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { confirmPlain, isPlain } from './confirm.ts';
import { listDuePayments, oldestDueCredit, parkCredits } from './credits.ts';
import { openParkedIncident } from './incidents.ts';
import { CONFIRMATION_DEADLINE_MS, type Command } from './payment.ts';
import { listOverdue, nextDeadline, type PaymentRef } from './queries.ts';
import { applyInput, type PaymentDeps } from './service.ts';

const BATCH_MAX = 500;
/** Plain payments that one transaction confirms. */
const PLAIN_MAX = 100;

export type PaymentJobDeps = PaymentDeps & { readonly db: Db; readonly log: (error: unknown, message: string) => void };

/** The timed work of payments: taking in what the watchers stored, and deadlines. */
export const paymentJobs = (deps: PaymentJobDeps): Job[] => [applyCredits(deps), expirePayments(deps)];

/** Applies what the watchers stored, one transaction a payment. One that fails is parked with an incident and stops nobody else. */
const applyCredits = (deps: PaymentJobDeps): Job => ({
  name: 'payments.apply',
  cron: '* * * * * *',
  wakeOn: 'kasi_credits',
  run: async (run) => {
    const together = await confirmTogether(deps, run);
    await sweep(deps, run, null, (limit) => listDuePayments(deps.db, limit, together ? isPlain : sql`false`));
  },
  nextDue: () => oldestDueCredit(deps.db),
});

/** Confirms what is plain a hundred at a time; false when that can't be done, and has to be done one by one. */
async function confirmTogether(deps: PaymentJobDeps, { now, signal }: JobRun): Promise<boolean> {
  try {
    while (!signal.aborted && (await confirmPlain(deps.db, deps, PLAIN_MAX, now)) === PLAIN_MAX);
    return true;
  } catch (error) {
    if (isUnavailable(error) && !isContended(error)) throw error;
    deps.log(error, 'payments could not be confirmed together; they are confirmed one by one');
    return false;
  }
}

/**
 * Expires payments whose deadline has passed in the time of every chain that they offer, and fails those that never confirmed. A
 * payment keeps its state while a watcher is blind.
 */
const expirePayments = (deps: PaymentJobDeps): Job => ({
  name: 'payments.expire',
  cron: '*/5 * * * * *',
  run: (run) =>
    sweep(deps, run, { kind: 'clock' }, (limit) =>
      listOverdue(deps.db, run.now, after(run.now, -CONFIRMATION_DEADLINE_MS), limit),
    ),
  nextDue: () => nextDeadline(deps.db),
});

/**
 * Batch after batch until nothing is left but what has to wait for another run. A payment has one turn a run, so that neither one that
 * can't be moved nor one with thousands of credits stops those behind it.
 */
async function sweep(
  deps: PaymentJobDeps,
  run: JobRun,
  command: Command | null,
  list: (limit: number) => Promise<PaymentRef[]>,
): Promise<void> {
  const moved = new Set<string>();
  const waiting = new Set<string>();
  for (;;) {
    const refs = (await list(BATCH_MAX + waiting.size)).filter(({ id }) => !waiting.has(id));
    for (const ref of refs) {
      if (run.signal.aborted) return;
      const hadTurn = moved.has(ref.id);
      if (!hadTurn && (await moveOne(deps, ref, command, run))) moved.add(ref.id);
      else waiting.add(ref.id);
    }
    if (refs.length < BATCH_MAX) return;
  }
}

/** False when the payment has to wait: somebody else is at it, or it can't be moved and people were told. */
async function moveOne(
  deps: PaymentJobDeps,
  ref: PaymentRef,
  command: Command | null,
  { now }: JobRun,
): Promise<boolean> {
  try {
    await inTransaction(deps.db, (trx) => applyInput(trx, deps, ref, command, now));
    return true;
  } catch (error) {
    if (isContended(error)) {
      deps.log(error, `payment ${ref.id} is busy; it is tried again`);
      return false;
    }
    if (isUnavailable(error)) throw error; // The database is away: everything waits, nothing is parked.
    deps.log(error, `payment ${ref.id} could not be moved and is parked`);
    await park(deps, ref, error, now);
    return false;
  }
}

async function park(deps: PaymentJobDeps, ref: PaymentRef, error: unknown, now: Date): Promise<void> {
  const failure = error instanceof Error ? error.message : String(error);
  await inTransaction(deps.db, async (trx) => {
    await parkCredits(trx, ref.id, failure, now);
    await openParkedIncident(trx, ref.id, failure, now);
  });
}
