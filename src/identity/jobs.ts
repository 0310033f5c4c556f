import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Job } from '../ports/job.ts';
import { deleteOldDevices } from './devices.ts';
import { deleteIdleCounters } from './throttle.ts';

const BATCH_MAX = 500;
/** A used refresh token must stay recognisable for as long as its session could live; a month also serves support. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * Deletes up to `limit` sessions that ended or expired over a month ago, with their refresh tokens; returns how many.
 * Those began before that, and ids sort by time: of younger sessions, which are most, none is read.
 */
export async function deleteOldSessions(db: Db, real: Date, limit: number): Promise<number> {
  const before = after(real, -KEPT_AFTER_END_MS);
  const { rows } = await sql<{ id: string }>`
    with old as (
      select id from sessions
       where id < ${firstIdAt('session', before)} and least(ended_at, idle_expires_at) < ${before}
       order by id limit ${limit} for update skip locked
    ), tokens as (
      delete from refresh_tokens where session_id in (select id from old)
    )
    delete from sessions where id in (select id from old) returning id`.execute(db);
  return rows.length;
}

/** Deletes old sessions, idle throttle counters and devices that nobody uses any more. */
export function identityJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'identity.sweep',
      cron: '0 17 * * * *',
      run: async ({ real, signal }) => {
        for (const deleteBatch of [deleteOldSessions, deleteIdleCounters, deleteOldDevices]) {
          while (!signal.aborted && (await deleteBatch(deps.db, real, BATCH_MAX)) === BATCH_MAX);
        }
      },
    },
  ];
}
