import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { sealEvents } from './seal.ts';

const BATCH_MAX = 500;

/** Seals recorded events into the feeds, at most about a second after their commit. */
export const eventJobs = (deps: { readonly db: Db }): Job[] => [
  {
    name: 'events.seal',
    // No wake: a second is soon enough, and every event would ring. See decision db/ring-after-commit.
    cron: '* * * * * *',
    hasWork: () => sql`(select id from unsealed_events order by id limit 1) is not null`,
    run: async ({ signal }) => {
      while (!signal.aborted && (await sealEvents(deps.db, BATCH_MAX)) === BATCH_MAX);
    },
  },
];
