import { sql } from 'kysely';
import { runEach } from '../db/batches.ts';
import { isAny } from '../db/is-any.ts';
import { inTransaction } from '../db/transaction.ts';
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
      hasWork: () => isAny(sql`checkout_session_moves order by session_id, outcome`),
      run: async (run) => {
        let ids: readonly string[] = [];
        do {
          ids = await listWithOutcomes(deps.db, ids.at(-1) ?? '', BATCH_MAX);
          await runEach(ids, {
            run: (id) => followOne(deps, id, run.now),
            failure: (id) => `checkout session ${id} could not be settled`,
            log: deps.log,
            signal: run.signal,
          });
        } while (ids.length === BATCH_MAX && !run.signal.aborted);
      },
      nextDue: () => oldestOutcome(deps.db),
    },
  ];
}

const followOne = (deps: SessionJobDeps, id: string, now: Date): Promise<void> =>
  inTransaction(deps.db, async (trx) => {
    const session = await claimSession(trx, id);
    if (session) await followPayment(trx, deps, session, now);
  });
