import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { FAILING_AFTER_MS, IN_FLIGHT_FAILING, IN_FLIGHT_MAX } from './delivery.ts';

/** The lease of a claimed delivery: far longer than an attempt may take. */
export const LEASE_SECONDS = 60;

export type Claimed = {
  readonly id: string;
  readonly eventId: string;
  readonly merchantId: string;
  readonly url: string;
  /** Counts from 1. Together with the worker's name it fences the result. */
  readonly attempt: number;
  /** The exact bytes to send. */
  readonly body: Buffer;
  /** The keys that sign, newest first. */
  readonly keyIds: readonly string[];
  /** The merchant's place in the turns of this claim. */
  readonly place: number;
  /** Since when every attempt at the endpoint has failed, as far as is known; null when the last one succeeded. */
  readonly failingSince: Date | null;
};

export type ClaimOptions = {
  readonly worker: string;
  /** How many more deliveries the worker can send at once. */
  readonly free: number;
  /** The turns begin after this merchant, so that every merchant gets one; `''` begins at the first. */
  readonly afterMerchant: string;
  /** Business time, which decides what is due. */
  readonly now: Date;
  /** Wall time, which decides which keys still sign. */
  readonly real: Date;
};

/**
 * Leases up to `free` due deliveries in a transaction of its own: merchants take turns, each gets its oldest deliveries
 * and never more than its free slots. The first statement locks the endpoints of those merchants and skips locked ones.
 * The second statement therefore sees everything that earlier claims of these merchants committed, and counts their
 * slots exactly, however many claims run at once.
 */
export async function claimDeliveries(db: Db, options: ClaimOptions): Promise<Claimed[]> {
  return inTransaction(db, async (trx) => {
    const merchants = await lockMerchantsInTurn(trx, options);
    return merchants.length === 0 ? [] : lease(trx, merchants, options);
  });
}

/**
 * Merchants with due deliveries and free slots, in a circle that begins after `afterMerchant`. One index probe finds
 * the next merchant with a pending delivery, so the length of the queues does not matter. Not `exists`: for that the
 * planner scans the table from its start and hopes for an early hit, which never comes when everything is delivered.
 */
async function lockMerchantsInTurn(trx: Trx, { afterMerchant, free, now }: ClaimOptions): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`
    with recursive
    later as (
      (select merchant_id from webhook_deliveries
        where status = 'pending' and merchant_id > ${afterMerchant} order by merchant_id limit 1)
      union all
      select (select d.merchant_id from webhook_deliveries d
               where d.status = 'pending' and d.merchant_id > later.merchant_id order by d.merchant_id limit 1)
        from later where later.merchant_id is not null
    ),
    earlier as (
      (select merchant_id from webhook_deliveries
        where status = 'pending' and merchant_id <= ${afterMerchant} order by merchant_id limit 1)
      union all
      select (select d.merchant_id from webhook_deliveries d
               where d.status = 'pending' and d.merchant_id > earlier.merchant_id and d.merchant_id <= ${afterMerchant}
               order by d.merchant_id limit 1)
        from earlier where earlier.merchant_id is not null
    )
    select e.merchant_id
      from (select merchant_id from later union all select merchant_id from earlier) turn
      join webhook_endpoints e on e.merchant_id = turn.merchant_id
     where e.status = 'enabled' and ${freeSlots(now)} > 0
       and (select d.id from webhook_deliveries d where d.merchant_id = e.merchant_id and ${isDue(now)}
             order by d.next_attempt_at limit 1) is not null
     limit ${free} for no key update of e skip locked`.execute(trx);
  return rows.map((row) => row.merchant_id);
}

async function lease(trx: Trx, merchants: readonly string[], options: ClaimOptions): Promise<Claimed[]> {
  const { worker, free, now, real } = options;
  // By ctid, because with a join and stale statistics the planner would read the whole table.
  const { rows } = await sql<Claimed>`
    with signing as materialized (
      select merchant_id, array_agg(id order by retires_at is not null, created_at desc, id desc) as key_ids
        from webhook_keys
       where merchant_id = any (${merchants}::text[]) and (retires_at is null or retires_at > ${real})
       group by merchant_id
    )
    update webhook_deliveries
       set locked_by = ${worker}, locked_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
           attempts = webhook_deliveries.attempts + 1, url = endpoint.url
      from webhook_endpoints endpoint left join signing on signing.merchant_id = endpoint.merchant_id, events
     where webhook_deliveries.ctid = any (array(
             select due.ctid from unnest(${merchants}::text[]) as turn (merchant_id)
               join webhook_endpoints e on e.merchant_id = turn.merchant_id and e.status = 'enabled'
              cross join lateral (
                select d.ctid from webhook_deliveries d where d.merchant_id = e.merchant_id and ${isDue(now)}
                 order by d.next_attempt_at limit greatest(0, ${freeSlots(now)})
              ) due
              limit ${free}))
       and endpoint.merchant_id = webhook_deliveries.merchant_id and events.id = webhook_deliveries.event_id
    returning webhook_deliveries.id, events.id as "eventId", events.merchant_id as "merchantId", endpoint.url,
      events.body, webhook_deliveries.attempts as attempt, endpoint.failing_since as "failingSince",
      array_position(${merchants}::text[], events.merchant_id) as place,
      coalesce(signing.key_ids, '{}') as "keyIds"`.execute(trx);
  return rows;
}

/** Due and not leased. Due times are business time, leases are database time. Expects the delivery as `d`. */
const isDue = (now: Date) => sql`d.status = 'pending' and not d.is_test and d.next_attempt_at <= ${now}
  and (d.locked_until is null or d.locked_until < clock_timestamp())`;

/** How many more deliveries of the merchant may be in flight, counted from the leases. Expects the endpoint as `e`. */
const freeSlots = (now: Date) => sql`(
  case when e.failing_since < ${new Date(now.getTime() - FAILING_AFTER_MS)}
       then ${IN_FLIGHT_FAILING}::int else ${IN_FLIGHT_MAX}::int end
  - (select count(*)::int from webhook_deliveries f
      where f.merchant_id = e.merchant_id and f.locked_until > statement_timestamp()))`;
