import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { listExpiredKeys } from './queries.ts';
import { expireKey, type KeyDeps } from './service.ts';

const BATCH_MAX = 100;

/** Revokes expired keys. See decision api-keys/expired-keys-are-revoked-by-a-job. */
export function apiKeyJobs(deps: KeyDeps & { readonly db: Db }): Job[] {
  return [
    {
      name: 'api-keys.expire',
      cron: '30 * * * * *',
      run: async ({ now, real, signal }) => {
        for (const id of await listExpiredKeys(deps.db, real, BATCH_MAX)) {
          if (signal.aborted) return;
          await inTransaction(deps.db, (trx) => expireKey(trx, deps, id, { now, real }));
        }
      },
    },
  ];
}
