import { sql } from 'kysely';
import { inTransaction, isUnavailable } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { claimSession, listWithOutcomes, oldestOutcome } from './queries.ts';
import { followPayment, type SessionDeps } from './service.ts';

const BATCH_MAX = 100;

export type SessionJobDeps = SessionDeps & {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/**
 * Ends sessions whose payments have ended, and announces it. Reads don't depend on it: they read the payment's status.
 */
export function sessionJobs(deps: SessionJobDeps): Job[] {
  return [
    {
      name: 'checkout.settle',
      cron: '*/2 * * * * *',
      wakeOn: 'kasi_moves',
      hasWork: () => sql`exists (select from checkout_session_moves)`,
      run: async ({ now, signal }) => {
        let last = '';
        for (;;) {
          const ids = await listWithOutcomes(deps.db, last, BATCH_MAX);
          for (const id of ids) {
            if (signal.aborted) return;
            await followOne(deps, id, now);
          }
          if (ids.length < BATCH_MAX) return;
          last = ids.at(-1) ?? last;
        }
      },
      nextDue: () => oldestOutcome(deps.db),
    },
  ];
}

/** A session that fails stays for the next run and blocks no other. */
async function followOne(deps: SessionJobDeps, id: string, now: Date): Promise<void> {
  try {
    await inTransaction(deps.db, async (trx) => {
      const session = await claimSession(trx, id);
      if (session) await followPayment(trx, deps, session, now);
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    deps.log(error, `checkout session ${id} could not be settled`);
  }
}
