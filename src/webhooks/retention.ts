import { sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';

/** Deliveries are kept from this time on. Of earlier ones it is no longer known whether they arrived. */
export const keptSince = (now: Date, retentionDays: number): Date => after(now, -retentionDays * DAY_MS);

/**
 * Deletes up to `limit` finished deliveries that were made before `before`, with their attempts; returns how many. A
 * delivery that was redelivered stays as long as its redelivery. See decision webhooks/pruned-by-id.
 */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with old as (
      select d.id from webhook_deliveries d
       where d.id < ${firstIdAt('delivery', before)} and d.status <> 'pending'
         and not exists (select from webhook_deliveries later where later.redelivery_of = d.id)
       order by d.id limit ${limit} for update skip locked
    ), attempts as (
      delete from webhook_attempts where delivery_id in (select id from old)
    )
    delete from webhook_deliveries where id in (select id from old) returning id`.execute(db);
  return rows.length;
}
