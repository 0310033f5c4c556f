import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { type CheckLimits, checkTallies } from './check.ts';

/** Deltas of one transaction. */
const BATCH_MAX = 10_000;

/** Of one run; two million days of owners a week. */
const CHECKED: CheckLimits = { units: 200, ms: 2000 };

/** Moves what transactions have noted into the tallies. See decision tallies/noted-then-rolled-up. */
export const tallyJobs = ({ db }: { readonly db: Db }): Job[] => [
  {
    name: 'tallies.roll-up',
    cron: '*/5 * * * * *',
    hasWork: () => sql`exists (select from tally_deltas)`,
    run: async ({ signal }) => {
      while (!signal.aborted && (await rollUp(db, BATCH_MAX)) === BATCH_MAX);
    },
  },
  { name: 'tallies.check', cron: '20 * * * * *', run: (run) => checkTallies(db, run, CHECKED) },
];

/** Moves at most so many deltas in one transaction, and returns how many; 0 while another process does it. */
export async function rollUp(db: Db, atMost: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`select roll_up_tallies(${atMost}::integer) as taken`.execute(db);
  return rows[0]?.taken ?? 0;
}
