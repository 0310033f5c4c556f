import { runDue } from '../db/batches.ts';
import { byDatabaseClock } from '../db/clock-offset.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { listExpiredKeys } from './queries.ts';
import { expireKey, type KeyDeps } from './service.ts';

const BATCH_MAX = 100;

export type KeyJobDeps = KeyDeps & { readonly db: Db; readonly log: (error: unknown, message: string) => void };

/** Revokes expired keys. See decision api-keys/expired-keys-are-revoked-by-a-job. */
export function apiKeyJobs(deps: KeyJobDeps): Job[] {
  return [
    {
      name: 'api-keys.expire',
      cron: '30 * * * * *',
      run: async ({ now, real: own, signal }) => {
        const real = await byDatabaseClock(deps.db, own);
        await runDue({ list: (limit) => listExpiredKeys(deps.db, real, { limit }), idOf: (id) => id }, BATCH_MAX, {
          run: (id) => inTransaction(deps.db, (trx) => expireKey(trx, deps, id, { now, real })),
          failure: (id) => `the expired API key ${id} could not be revoked`,
          log: deps.log,
          signal,
        });
      },
    },
  ];
}
