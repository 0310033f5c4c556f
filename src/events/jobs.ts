import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { sealEvents } from './seal.ts';

const BATCH_MAX = 500;

/** Puts what was announced into the feeds, a second after its commit at the latest. */
export const eventJobs = (deps: { readonly db: Db }): Job[] => [
  {
    name: 'events.seal',
    // Nobody rings for it: a second is soon enough, and every event would.
    cron: '* * * * * *',
    run: async ({ signal }) => {
      while (!signal.aborted && (await sealEvents(deps.db, BATCH_MAX)) === BATCH_MAX);
    },
  },
];
