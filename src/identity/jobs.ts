import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { forgetQuietCounters } from './throttle.ts';

const BATCH_MAX = 500;
/** Used refresh tokens must stay as long as their session could live, to be known when they come back; and a while for support. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/** Deletes sessions that ended or expired a month ago, with their refresh tokens; returns how many. */
export async function deleteOldSessions(db: Db, real: Date, limit: number): Promise<number> {
  const before = after(real, -KEPT_AFTER_END_MS);
  const { rows } = await sql<{ id: string }>`
    with old as (
      select id from sessions where least(ended_at, idle_expires_at) < ${before}
       order by created_at limit ${limit} for update skip locked
    ), tokens as (
      delete from refresh_tokens where session_id in (select id from old)
    )
    delete from sessions where id in (select id from old) returning id`.execute(db);
  return rows.length;
}

/** Removes what identity no longer needs: old sessions, and throttle counters that nobody waits for. */
export function identityJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'identity.sweep',
      cron: '0 17 * * * *',
      run: async ({ real, signal }) => {
        for (const sweep of [deleteOldSessions, forgetQuietCounters]) {
          while (!signal.aborted && (await sweep(deps.db, real, BATCH_MAX)) === BATCH_MAX);
        }
      },
    },
  ];
}
