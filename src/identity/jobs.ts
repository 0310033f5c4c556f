import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Job } from '../ports/job.ts';
import { deleteOldDevices } from './devices.ts';
import { deleteIdleCounters } from './throttle.ts';

const BATCH_MAX = 500;
/** Of one statement; they lie all over their index, which may not be in memory. */
const TOKENS_MAX = 2000;
/** A used refresh token must stay recognisable for as long as its session could live; a month also serves support. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * The oldest sessions that are over for so long, as `old`. They began before that, and ids sort by time: of younger
 * sessions, which are most, none is read.
 */
const oldest = (real: Date, limit: number) => {
  const before = after(real, -KEPT_AFTER_END_MS);
  return sql`
    old as materialized (
      select id from sessions
       where id < ${firstIdAt('session', before)} and least(ended_at, idle_expires_at) < ${before}
       order by id limit ${limit} for update skip locked
    )`;
};

/**
 * Deletes up to `limit` sessions that ended or expired over a month ago, and up to `tokensMax` of their refresh tokens
 * before; returns whether there may be more. A session has as many tokens as its owner likes to refresh: all of them in
 * one statement took longer than one may, and the same ones failed at each run.
 */
export async function deleteOldSessions(db: Db, real: Date, limit: number, tokensMax = TOKENS_MAX): Promise<boolean> {
  const tokens = await sql`
    with ${oldest(real, limit)}
    delete from refresh_tokens where token_hash in (
      select t.token_hash from old
       cross join lateral (select token_hash from refresh_tokens where session_id = old.id limit ${tokensMax}) t
       limit ${tokensMax})`.execute(db);
  const sessions = await sql`
    with ${oldest(real, limit)}
    delete from sessions where id in (
      select id from old where not exists (select from refresh_tokens where session_id = old.id))`.execute(db);
  return tokens.numAffectedRows === BigInt(tokensMax) || sessions.numAffectedRows === BigInt(limit);
}

/** Deletes old sessions, idle throttle counters and devices that nobody uses any more. */
export function identityJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'identity.sweep',
      cron: '0 17 * * * *',
      run: async ({ real, signal }) => {
        while (!signal.aborted && (await deleteOldSessions(deps.db, real, BATCH_MAX)));
        for (const deleteBatch of [deleteIdleCounters, deleteOldDevices]) {
          while (!signal.aborted && (await deleteBatch(deps.db, real, BATCH_MAX)) === BATCH_MAX);
        }
      },
    },
  ];
}
