import { sql } from 'kysely';
import { sqlState } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { type CheckLimits, checkTallies } from './check.ts';

/** Deltas of one transaction; fewer where so many take longer than a statement may. */
const BATCH = { most: 10_000, least: 10 };
const TIMED_OUT = '57014';

/** Of one run; two million days of owners a week. */
const CHECKED: CheckLimits = { units: 200, ms: 2000 };

/** Moves what transactions have noted into the tallies. See decision tallies/noted-then-rolled-up. */
export const tallyJobs = ({ db }: { readonly db: Db }): Job[] => [
  {
    name: 'tallies.roll-up',
    cron: '*/5 * * * * *',
    hasWork: () => sql`exists (select from tally_deltas)`,
    run: createRollUp(db),
  },
  { name: 'tallies.check', cron: '20 * * * * *', run: (run) => checkTallies(db, run, CHECKED) },
];

/**
 * Rolls up until there is no more. Days and owners of a long backlog lie all over the tallies, and on a cold disk a
 * batch of them takes too long: what failed so would fail each time, and the backlog would only grow. So it is divided,
 * and the next run tries twice as many.
 */
function createRollUp(db: Db): Job['run'] {
  let size = BATCH.most;
  return async ({ signal }) => {
    size = Math.min(BATCH.most, size * 2);
    while (!signal.aborted) {
      try {
        if ((await rollUp(db, size)) < size) return;
      } catch (error) {
        if (sqlState(error) !== TIMED_OUT || size <= BATCH.least) throw error;
        size = Math.max(BATCH.least, Math.floor(size / 4));
      }
    }
  };
}

/** Moves at most so many deltas in one transaction, and returns how many; 0 while another process does it. */
export async function rollUp(db: Db, atMost: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`select roll_up_tallies(${atMost}::integer) as taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
