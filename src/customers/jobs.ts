import { after, HOUR_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { deleteOldChallenges, deleteOldSessions } from './queries.ts';

const BATCH_MAX = 500;
/** Over for this long, a text or a session helps nobody. */
const KEPT_MS = HOUR_MS;

/** Deletes texts and sessions that are over. */
export function customerJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'customers.sweep',
      cron: '30 */10 * * * *',
      run: async ({ real, signal }) => {
        const before = after(real, -KEPT_MS);
        for (const deleteBatch of [deleteOldChallenges, deleteOldSessions]) {
          while (!signal.aborted && (await deleteBatch(deps.db, before, BATCH_MAX)) === BATCH_MAX);
        }
      },
    },
  ];
}
