import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

/** Deliveries are kept from this time on. Of earlier ones it is no longer known whether they arrived. */
export const keptSince = (now: Date, retentionDays: number): Date => after(now, -retentionDays * DAY_MS);

/**
 * Looks at up to `limit` finished deliveries before an id, newest first, and deletes them with their attempts, except
 * those that were redelivered by one that stays. Returns before which id the next look begins; null when none is left.
 * Not `exists`: for that the planner reads all redeliveries. See decision webhooks/pruned-by-id.
 */
export async function deleteOldDeliveries(db: Db, before: string, limit: number): Promise<string | null> {
  const { rows } = await sql<{ looked: number; last: string | null }>`
    with recursive old as materialized (
      select id, redelivery_of from webhook_deliveries
       where id < ${before} and status <> 'pending'
       order by id desc limit ${limit} for update skip locked
    ), kept (id) as (
      select id from old
       where (select true from webhook_deliveries later
               where later.redelivery_of = old.id and later.id not in (select id from old) limit 1)
      union
      select old.redelivery_of from kept join old on old.id = kept.id where old.redelivery_of is not null
    ), gone as (
      select id from old where id not in (select id from kept)
    ), attempts as (
      delete from webhook_attempts where delivery_id in (select id from gone)
    ), deliveries as (
      delete from webhook_deliveries where id in (select id from gone)
    )
    select count(*)::integer as looked, min(id) as last from old`.execute(db);
  const { looked = 0, last = null } = rows[0] ?? {};
  return looked < limit ? null : last;
}
