import { sql } from 'kysely';
import { after, DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import { resolveIncidentsIf } from './incidents.ts';

/** A year and a month: long enough to compare with the same month of last year. */
const KEPT_MS = 400 * DAY_MS;

/**
 * Kinds that are seen again at least every quarter of an hour while they hold. What was unseen for an hour is gone: the
 * pair, the mail server or the charges are not asked for any more, and nothing else would find the end.
 */
const SEEN_AGAIN = ['rates.refused', 'mail.failing', 'subscription.network'] as const;

/** Resolves incidents of such kinds that nothing has seen for an hour. */
export async function resolveUnseen(db: Db, now: Date): Promise<void> {
  for (const kind of SEEN_AGAIN) {
    await resolveIncidentsIf(db, kind, (_, lastSeenAt) => sql`${lastSeenAt} < ${after(now, -HOUR_MS)}`, now);
  }
}

/** Incidents and alerts that are over stay from this time on. */
export const keptSince = (now: Date): Date => after(now, -KEPT_MS);

/**
 * Deletes up to `limit` incidents that were resolved before `before`; returns how many. Open ones stay, however old.
 * What is met again after its end is a new incident.
 */
export async function deleteOldIncidents(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: bigint }>`
    delete from incidents where id in (
      select id from incidents where resolved_at < ${before}
       order by resolved_at limit ${limit} for update skip locked) returning id`.execute(db);
  return rows.length;
}

/**
 * Deletes up to `limit` alerts that were made before `before`, arrived, and of which no incident is left; returns how
 * many. What has not arrived is never given up.
 */
export async function deleteOldAlerts(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from incident_alerts where id in (
      select a.id from incident_alerts a
       where a.id < ${firstIdAt('alert', before)} and a.delivered_at is not null
         and not exists (select from incidents i where i.alert_id = a.id)
       order by a.id limit ${limit} for update skip locked) returning id`.execute(db);
  return rows.length;
}
