import type { Db } from '../lib/db-types.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import type { Job } from '../ports/job.ts';
import { sealAudit } from './seal.ts';

const BATCH_MAX = 500;

/** Puts what was written into the chain, a second after its commit at the latest, and signs its end. */
export const auditJobs = (deps: { readonly db: Db; readonly key: SigningKey }): Job[] => [
  {
    name: 'audit.seal',
    // Nobody rings for it, as for the feed of events.
    cron: '* * * * * *',
    run: async ({ real, signal }) => {
      while (!signal.aborted && (await sealAudit(deps.db, deps.key, BATCH_MAX, real)) === BATCH_MAX);
    },
  },
];
