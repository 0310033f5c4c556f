import { sql } from 'kysely';
import { inTransaction, isUnavailable } from '../db/transaction.ts';
import { after } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { listDuePayments, parkCredits } from './credits.ts';
import { CONFIRMATION_DEADLINE_MS } from './payment.ts';
import { listOverdue, nextDeadline, type PaymentRef } from './queries.ts';
import { applyInput, type PaymentDeps } from './service.ts';

const BATCH_MAX = 100;

export type PaymentJobDeps = PaymentDeps & { readonly db: Db; readonly log: (error: unknown, message: string) => void };

/** The timed work of payments: what arrived is applied, what ran out is ended. */
export const paymentJobs = (deps: PaymentJobDeps): Job[] => [applyCredits(deps), expirePayments(deps)];

/** Applies what the watchers stored, one transaction a payment. One that fails is parked with an incident and stops nobody else. */
const applyCredits = (deps: PaymentJobDeps): Job => ({
  name: 'payments.apply',
  cron: '* * * * * *',
  wakeOn: 'kasi_credits',
  run: async (run) => {
    for (;;) {
      const refs = await listDuePayments(deps.db, BATCH_MAX);
      for (const ref of refs) {
        if (run.signal.aborted) return;
        await applyOne(deps, ref, run);
      }
      if (refs.length < BATCH_MAX) return;
    }
  },
});

async function applyOne(deps: PaymentJobDeps, ref: PaymentRef, run: JobRun): Promise<void> {
  try {
    await inTransaction(deps.db, (trx) => applyInput(trx, deps, ref, null, run.now));
  } catch (error) {
    if (isUnavailable(error)) throw error; // The database is away: everything waits, nothing is parked.
    deps.log(error, `payment ${ref.id} could not be applied and is parked`);
    await park(deps, ref, error, run);
  }
}

async function park(deps: PaymentJobDeps, ref: PaymentRef, error: unknown, run: JobRun): Promise<void> {
  const failure = error instanceof Error ? error.message : String(error);
  await inTransaction(deps.db, async (trx) => {
    await parkCredits(trx, ref.id, failure, run.now);
    await sql`
      insert into incidents (kind, subject, message, opened_at) values ('payment.parked', ${ref.id}, ${failure}, ${run.now})
      on conflict (kind, subject) where resolved_at is null do nothing`.execute(trx);
  });
}

/**
 * Expires payments whose deadline has passed in the time of every chain that they offer, and fails those that never confirmed. A
 * payment keeps its state while a watcher is blind.
 */
const expirePayments = (deps: PaymentJobDeps): Job => ({
  name: 'payments.expire',
  cron: '*/5 * * * * *',
  run: async ({ now, signal }) => {
    for (const ref of await listOverdue(deps.db, now, after(now, -CONFIRMATION_DEADLINE_MS), BATCH_MAX)) {
      if (signal.aborted) return;
      await inTransaction(deps.db, (trx) => applyInput(trx, deps, ref, { kind: 'clock' }, now));
    }
  },
  nextDue: () => nextDeadline(deps.db),
});
