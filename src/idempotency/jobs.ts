import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';

const BATCH_MAX = 1000;

/** Deletes up to `limit` keys that have expired by the database's clock, oldest first; returns how many. */
export async function deleteExpiredKeys(db: Db, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('idempotency_keys')
        .select('id')
        .where('expires_at', '<=', sql<Date>`statement_timestamp()`)
        .orderBy('expires_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes expired answers. */
export function idempotencyJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'idempotency.sweep',
      cron: '0 5-59/10 * * * *',
      run: async ({ signal }) => {
        while (!signal.aborted && (await deleteExpiredKeys(deps.db, BATCH_MAX)) === BATCH_MAX);
      },
    },
  ];
}
