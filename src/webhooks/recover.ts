import { sql } from 'kysely';
import { after } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import { lockMerchant } from '../merchants/queries.ts';
import { FEED_ONLY, getEndpoint, refuseDisabled } from './endpoint.ts';

/** How many deliveries a call makes, and how many events it scans. See decision webhooks/recovery-in-bounded-calls. */
const RECOVERED_MAX = 1000;
const SCANNED_MAX = 10_000;

export type Recovery = {
  readonly recovered: number;
  /** Where the next call must begin; null when nothing is left. */
  readonly next: Date | null;
};

type Lost = { readonly eventId: string; readonly createdAt: Date };

/**
 * Makes a delivery, due now, for every event since `since` that the merchant's endpoint wants and that is neither
 * delivered nor pending; oldest first, at most 1,000. CONFLICT when no endpoint is enabled.
 */
export async function recover(trx: Trx, merchantId: string, since: Date, now: Date): Promise<Recovery> {
  await lockMerchant(trx, merchantId); // Two recoveries at once would both find the same events.
  const endpoint = await getEndpoint(trx, merchantId);
  if (endpoint.status === 'disabled') throw refuseDisabled(endpoint);
  const end = await endOfScan(trx, merchantId, since);
  const lost = await findLost(trx, { merchantId, since, until: end, types: endpoint.eventTypes });
  const recovered = lost.slice(0, RECOVERED_MAX);
  await deliverAgain(trx, merchantId, recovered, now);
  return { recovered: recovered.length, next: lost[RECOVERED_MAX]?.createdAt ?? end };
}

/**
 * The time just after the last event that this call scans, including events of the same moment; null when it reaches
 * the end.
 */
async function endOfScan(trx: Trx, merchantId: string, since: Date): Promise<Date | null> {
  const { rows } = await sql<{ last: Date }>`
    with scanned as (
      select created_at from events where merchant_id = ${merchantId} and created_at >= ${since}
       order by created_at limit ${SCANNED_MAX}
    ), reached as (select max(created_at) as last, count(*) as seen from scanned)
    select last from reached
     where seen = ${SCANNED_MAX}
       and exists (select from events where merchant_id = ${merchantId} and created_at > last)`.execute(trx);
  return rows[0] ? after(rows[0].last, 1) : null;
}

type Search = {
  readonly merchantId: string;
  readonly since: Date;
  /** Exclusive; null means no end. */
  readonly until: Date | null;
  readonly types: readonly string[] | null;
};

/**
 * Lost events, one more than a call recovers, to know where the next call begins. Events of test calls don't count as
 * lost. Deliveries are looked up event by event; with `exists` the planner would sooner or later read all of them.
 */
async function findLost(trx: Trx, { merchantId, since, until, types }: Search): Promise<Lost[]> {
  const { rows } = await sql<Lost>`
    select e.id as "eventId", e.created_at as "createdAt" from events e
     where e.merchant_id = ${merchantId} and e.created_at >= ${since}
       and (${until}::timestamptz is null or e.created_at < ${until})
       and (${types}::text[] is null or e.type = any (${types})) and e.type <> ${FEED_ONLY} and length(e.body) > 0
       and (select true from webhook_deliveries d
             where d.event_id = e.id and (d.status <> 'failed' or d.is_test) limit 1) is null
     order by e.created_at, e.id limit ${RECOVERED_MAX + 1}`.execute(trx);
  return rows;
}

/** The worker takes the longest overdue first, so due times a microsecond apart keep the order of the events. */
async function deliverAgain(trx: Trx, merchantId: string, lost: readonly Lost[], now: Date): Promise<void> {
  if (lost.length === 0) return;
  const drafts = lost.map(({ eventId }, index) => ({
    id: newId('delivery', now),
    event_id: eventId,
    earlier: lost.length - index,
  }));
  await sql`
    insert into webhook_deliveries
           (id, event_id, merchant_id, event_type, url, redelivery_of, next_attempt_at, created_at)
    select draft.id, event.id, event.merchant_id, event.type, endpoint.url,
           (select d.id from webhook_deliveries d where d.event_id = event.id
             order by d.created_at desc, d.id desc limit 1),
           ${now}::timestamptz - draft.earlier * interval '1 microsecond', ${now}
      from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as draft (id text, event_id text, earlier int)
      join events event on event.id = draft.event_id
      join webhook_endpoints endpoint on endpoint.merchant_id = ${merchantId}`.execute(trx);
  // An event may have lost its body meanwhile. None can any more: the new deliveries hold their events.
  await sql`
    delete from webhook_deliveries d using events e
     where d.id = any (${drafts.map(({ id }) => id)}::text[]) and e.id = d.event_id and length(e.body) = 0`.execute(
    trx,
  );
  trx.wake('kasi_deliveries');
}
