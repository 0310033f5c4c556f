import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { SigningKey } from '../lib/standard-webhooks.ts';
import type { Job } from '../ports/job.ts';
import { sealAudit } from './seal.ts';

const BATCH_MAX = 500;

/** Seals new entries within about a second of their commit and signs a checkpoint. */
export const auditJobs = (deps: { readonly db: Db; readonly key: SigningKey }): Job[] => [
  {
    name: 'audit.seal',
    // Runs every second, so it needs no wake-up; the event feed does the same.
    cron: '* * * * * *',
    hasWork: () => sql`(select id from unsealed_audit_entries order by id limit 1) is not null`,
    run: async ({ real, signal }) => {
      while (!signal.aborted && (await sealAudit(deps.db, deps.key, BATCH_MAX, real)) === BATCH_MAX);
    },
  },
];
