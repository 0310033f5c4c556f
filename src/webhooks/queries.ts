import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { PageWindow } from '../lib/paging.ts';
import { skipDays } from '../tallies/skip.ts';
import { readTotal, sumOf, type Tallied } from '../tallies/total.ts';
import { isFree, LEASE_SECONDS } from './claim.ts';

type DeliveryStatus = 'pending' | 'success' | 'failed';

export type DeliveryFilter = { readonly merchantId: string; readonly status?: DeliveryStatus };

const matches = (eb: ExpressionBuilder<DB, 'webhook_deliveries'>, filter: DeliveryFilter) =>
  eb.and([eb('merchant_id', '=', filter.merchantId), ...(filter.status ? [eb('status', '=', filter.status)] : [])]);

const DELIVERIES = newestFirst('deliveries');

/** One page of deliveries, newest first. */
export async function listDeliveries(db: Db, filter: DeliveryFilter, page: PageWindow) {
  const at = windowSql(DELIVERIES, await skipDays(db, talliedOf(filter), {}, page, { inIndex: true }));
  const matching = db
    .selectFrom('webhook_deliveries')
    .select(['id', 'created_at'])
    .where((eb) => matches(eb, filter));
  const isOnPage = at.isOnPage('id', (condition) => matching.where(condition));
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .select(at.keys)
    .where(isOnPage)
    .modifyEnd(at.sorted)
    .execute();
  return at.pageOf(rows, (row) => row);
}

const talliedOf = ({ merchantId, status }: DeliveryFilter): Tallied<'deliveries'> => ({
  list: 'deliveries',
  owners: [merchantId],
  slice: { status },
});

/** How many deliveries match a filter, on all pages together. */
export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  return readTotal(db, sumOf('count', talliedOf(filter)));
}

type DeliveryRef = { readonly id: string; readonly merchantId: string };

/** One delivery of the merchant, which can not be deleted before the transaction ends. */
export async function holdDelivery(trx: Trx, ref: DeliveryRef) {
  return trx
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', ref.id)
    .where('merchant_id', '=', ref.merchantId)
    .forKeyShare()
    .executeTakeFirst();
}

/** One delivery of the merchant, with the bytes of its event. */
export async function findDeliveryWithBody(db: Db, ref: DeliveryRef) {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .selectAll('d')
    .select('e.body')
    .where('d.id', '=', ref.id)
    .where('d.merchant_id', '=', ref.merchantId)
    .executeTakeFirst();
}

/** The finished attempts of a delivery, oldest first. */
export async function listAttempts(db: Db, deliveryId: string) {
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .execute();
}

/** Where a merchant's webhooks go, enabled or not. VALIDATION_ERROR (`webhook_url_missing`) without a URL. */
export async function getEndpointUrl(db: Db | Trx, merchantId: string): Promise<string> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('url')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row) return row.url;
  throw new AppError('VALIDATION_ERROR', 'No webhook URL is set. Set webhookUrl with PUT /v1/merchants/{id} first.', {
    reason: 'webhook_url_missing',
  });
}

export type TestDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly merchantId: string;
  readonly url: string;
  readonly worker: string;
};

/** Inserts the delivery of a test call, already leased by `worker` for its only attempt. */
export async function insertTestDelivery(trx: Trx, delivery: TestDelivery, now: Date): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values({
      id: delivery.id,
      event_id: delivery.eventId,
      merchant_id: delivery.merchantId,
      event_type: 'payment.completed',
      url: delivery.url,
      attempts: 1,
      is_test: true,
      next_attempt_at: now,
      locked_by: delivery.worker,
      locked_until: sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      created_at: now,
    })
    .execute();
}

/** The earliest business time at which a delivery becomes due. Merchants without an enabled endpoint don't count. */
export async function nextDueDelivery(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(d.next_attempt_at) as next
      from webhook_endpoints e
     cross join lateral (
       select next_attempt_at from webhook_deliveries d
        where d.merchant_id = e.merchant_id and d.status = 'pending' and not d.is_test
          and ${isFree}
        order by next_attempt_at limit 1
     ) d
     where e.status = 'enabled'`.execute(db);
  return rows[0]?.next ?? null;
}

/**
 * Fails due deliveries of those of these merchants that have no enabled endpoint, at most so many. Returns how many.
 * The merchant can still redeliver or recover them.
 */
export const failUndeliverable = (db: Db, merchants: readonly string[], now: Date, limit: number): Promise<number> =>
  fail(
    db,
    'endpoint_disabled',
    now,
    sql`
      with deaf as materialized (
        select id from unnest(${[...merchants]}::text[]) as m (id)
         where not exists (select from webhook_endpoints e where e.merchant_id = m.id and e.status = 'enabled')
      )
      select due.id from deaf cross join lateral (
         select d.id from webhook_deliveries d
          where d.merchant_id = deaf.id and d.status = 'pending' and not d.is_test and d.next_attempt_at <= ${now}
            and ${isFree}
          limit ${limit} for update skip locked) as due
       limit ${limit}`,
  );

/** Fails test calls whose process died: their lease has ended. Returns how many. */
export const failInterruptedTests = (db: Db, now: Date): Promise<number> =>
  fail(
    db,
    'interrupted',
    now,
    sql`
      select d.id from webhook_deliveries d
       where d.locked_until < clock_timestamp() and d.is_test and d.status = 'pending' and d.next_attempt_at <= ${now}
         for update skip locked`,
  );

/** By their ids, so that no statistics make the planner read all that is pending. */
async function fail(db: Db, failure: string, now: Date, ids: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries
       set status = 'failed', failure = ${failure}, next_attempt_at = null, finished_at = ${now},
           locked_by = null, locked_until = null
     where id = any (array(${ids}))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
