import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { type IncidentRow, isWithin } from './queries.ts';

/** An alert, claimed for one attempt. */
export type ClaimedAlert = {
  readonly id: string;
  readonly body: string;
  /** This attempt, from 1. */
  readonly attempt: number;
};

/** What became of an attempt; `nextAttemptAt` is null once it was delivered. */
export type AlertOutcome = { readonly failure: string | null; readonly nextAttemptAt: Date | null };

/** A subject is alerted of at most once in this time, and a kind at most once a minute. */
const SUBJECT_WINDOW = sql`interval '1 hour'`;
const KIND_WINDOW = sql`interval '1 minute'`;
/** What is over for longer than this is no news to a platform that has just been told where to send alerts. */
const NEWS = sql`interval '1 day'`;
/**
 * Since when an incident `i` is news: what is open always is, and what an alert has told of no more. The words of
 * `incidents_of_news`, which passes over what ended before alerts were turned on. They alone say that it was not told:
 * else the index of all of which no alert has told seems as good, as long as statistics know of few.
 */
const NEWS_AT = sql`(case when i.alerted_at is not null then null
  when i.resolved_at is null then 'infinity'::timestamptz else i.opened_at end)`;
const LEASE = sql<Date>`clock_timestamp() + interval '60 seconds'`;

/** Locks incidents of which no line was logged; skips those that another process has. */
export const lockUnlogged = (trx: Trx, limit: number): Promise<IncidentRow[]> =>
  trx
    .selectFrom('incidents')
    .selectAll()
    .where('logged_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();

/** Says that the lines of these incidents were logged. */
export async function markLogged(trx: Trx, ids: readonly bigint[], now: Date): Promise<void> {
  await trx.updateTable('incidents').set({ logged_at: now }).where('id', 'in', ids).execute();
}

/**
 * Locks incidents of which no alert has told and that are not held back by one that has just gone out. The limit stands
 * in the text, and news has an end: else a plan for any values walks through all incidents in the order of their ids.
 */
export async function lockUnalerted(trx: Trx, now: Date, limit: number): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    select i.* from incidents i
     where ${NEWS_AT} > ${now}::timestamptz - ${NEWS} and ${NEWS_AT} <= 'infinity'
       and not exists (
         select from incidents told where told.kind = i.kind and told.alert_id is not null
            and ${isWithin(sql<Date>`told.alerted_at`, KIND_WINDOW, now)})
       and not exists (
         select from incidents told where told.kind = i.kind and told.subject = i.subject
            and told.alert_id is not null and ${isWithin(sql<Date>`told.alerted_at`, SUBJECT_WINDOW, now)})
     order by i.id limit ${sql.lit(limit)} for update of i skip locked`.execute(trx);
  return rows;
}

/** Stores an alert, and that it tells of these incidents. */
export async function insertAlert(
  trx: Trx,
  alert: { readonly id: string; readonly kind: string; readonly body: string },
  incidents: readonly bigint[],
  now: Date,
): Promise<void> {
  await trx
    .insertInto('incident_alerts')
    .values({ ...alert, created_at: now, next_attempt_at: now })
    .execute();
  const told = { alerted_at: now, alert_id: alert.id };
  await trx.updateTable('incidents').set(told).where('id', 'in', incidents).execute();
}

/** Claims due alerts for an attempt each; a lease that ends makes them due again. */
export async function claimAlerts(db: Db, worker: string, now: Date, limit: number): Promise<ClaimedAlert[]> {
  const { rows } = await sql<ClaimedAlert>`
    update incident_alerts set locked_by = ${worker}, locked_until = ${LEASE}, attempts = attempts + 1
     where id in (
       select id from incident_alerts
        where delivered_at is null and next_attempt_at <= ${now}
          and (locked_until is null or locked_until < clock_timestamp())
        order by next_attempt_at, id limit ${limit} for update skip locked)
    returning id, body, attempts as attempt`.execute(db);
  return rows;
}

/** Records an attempt. Does nothing when its lease has ended and another attempt began. */
export async function recordAlert(
  db: Db,
  worker: string,
  { id, attempt }: ClaimedAlert,
  { failure, nextAttemptAt }: AlertOutcome,
  now: Date,
): Promise<void> {
  await db
    .updateTable('incident_alerts')
    .set({
      failure,
      locked_by: null,
      locked_until: null,
      ...(nextAttemptAt === null ? { delivered_at: now } : { next_attempt_at: nextAttemptAt }),
    })
    .where('id', '=', id)
    .where('locked_by', '=', worker)
    .where('attempts', '=', attempt)
    .where('delivered_at', 'is', null)
    .execute();
}

/** When the next alert is due; null when none waits. */
export async function nextAlertDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from incident_alerts where delivered_at is null`.execute(db);
  return rows[0]?.at ?? null;
}

/** How alerts are going. */
export async function readChannel(db: Db) {
  const { rows } = await sql<{ waiting: number; lastDeliveredAt: Date | null; lastFailure: string | null }>`
    select (count(*) filter (where delivered_at is null))::integer as waiting,
      max(delivered_at) as "lastDeliveredAt",
      (array_agg(failure order by next_attempt_at desc) filter (where delivered_at is null and failure is not null))[1]
        as "lastFailure"
      from incident_alerts`.execute(db);
  const row = rows[0];
  return {
    waiting: row?.waiting ?? 0,
    lastDeliveredAt: row?.lastDeliveredAt?.toISOString() ?? null,
    lastFailure: row?.lastFailure ?? null,
  };
}
