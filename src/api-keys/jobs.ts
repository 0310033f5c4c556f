import { inTransaction, isUnavailable } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { listExpiredKeys } from './queries.ts';
import { expireKey, type KeyDeps } from './service.ts';

const BATCH_MAX = 100;

export type KeyJobDeps = KeyDeps & { readonly db: Db; readonly log: (error: unknown, message: string) => void };

/** Revokes expired keys. See decision api-keys/expired-keys-are-revoked-by-a-job. */
export const apiKeyJobs = (deps: KeyJobDeps): Job[] => [
  { name: 'api-keys.expire', cron: '30 * * * * *', run: (run) => expireKeys(deps, run) },
];

/** Each key gets one turn, so that neither one that fails nor one that is busy keeps those behind it. */
async function expireKeys(deps: KeyJobDeps, { now, real, signal }: JobRun): Promise<void> {
  const had = new Set<string>();
  for (let left = 0; ; ) {
    const listed = await listExpiredKeys(deps.db, real, { limit: BATCH_MAX + left });
    const ids = listed.filter((id) => !had.has(id));
    for (const id of ids) {
      if (signal.aborted) return;
      had.add(id);
      try {
        if (!(await inTransaction(deps.db, (trx) => expireKey(trx, deps, id, { now, real })))) left += 1;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        left += 1;
        deps.log(error, `the expired API key ${id} could not be revoked`);
      }
    }
    if (ids.length < BATCH_MAX) return;
  }
}
