import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { listExpiredKeys } from './queries.ts';
import { expireKey, type KeyDeps } from './service.ts';

const BATCH_MAX = 100;

/** Revokes keys whose time has run out, so that no secret is kept that opens nothing, and says so. They stopped working when it ran out. */
export function apiKeyJobs(deps: KeyDeps & { readonly db: Db }): Job[] {
  return [
    {
      name: 'api-keys.expire',
      cron: '30 * * * * *',
      run: async ({ now, real, signal }) => {
        for (const id of await listExpiredKeys(deps.db, real, BATCH_MAX)) {
          if (signal.aborted) return;
          await inTransaction(deps.db, (trx) => expireKey(trx, deps, id, { now, real })); // One each.
        }
      },
    },
  ];
}
