import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Claimed } from './claim.ts';
import type { Outcome } from './delivery.ts';

/** A finished attempt at a delivery. */
export type Attempted<D = Claimed> = {
  readonly delivery: D;
  readonly outcome: Outcome;
  /** Business time. */
  readonly startedAt: Date;
};

type Sent = Pick<Claimed, 'id' | 'url' | 'attempt'>;
type InSlot = Pick<Claimed, 'merchantId' | 'slot'>;

/**
 * Records attempts in one statement, and frees their slots. The statement changes a delivery only if its slot still
 * names this worker and attempt and no later attempt has begun, so a late result overwrites nothing. Without a later
 * attempt a late result counts: what has arrived is not sent again. The log keeps every attempt, since it was made,
 * unless its delivery is gone: another primary may never have heard of it.
 */
export async function recordAttempts(
  db: Db | Trx,
  worker: string,
  attempted: readonly Attempted<Sent & InSlot>[],
  now: Date,
): Promise<void> {
  const freed = sql`
    update webhook_slots s set delivery_id = null, attempt = null, worker = null, ends_at = null
      from result r
     where s.merchant_id = r.merchant_id and s.slot = r.slot and s.delivery_id = r.id and s.attempt = r.attempt
       and s.worker = ${worker} and (s.ends_at > clock_timestamp() or (
         select true from webhook_slots later where later.merchant_id = s.merchant_id
            and later.delivery_id = s.delivery_id and later.attempt > s.attempt limit 1) is null)
    returning r.id, r.attempt`;
  await record(db, attempted, now, freed);
}

/** Records the only attempt of a test call, whose delivery is leased by its own row. */
export async function recordTestAttempt(trx: Trx, worker: string, made: Attempted<Sent>, now: Date): Promise<void> {
  const leased = sql`
    select id, attempts as attempt from webhook_deliveries where id = ${made.delivery.id} and locked_by = ${worker}`;
  await record(trx, [made], now, leased);
}

/** `held` selects the ids and attempts of those of `result` that may change. */
async function record(
  db: Db | Trx,
  attempted: readonly Attempted<Sent & Partial<InSlot>>[],
  now: Date,
  held: RawBuilder<unknown>,
): Promise<void> {
  const results = attempted.map(({ delivery, outcome, startedAt }) => ({
    merchant_id: delivery.merchantId,
    slot: delivery.slot,
    id: delivery.id,
    url: delivery.url,
    attempt: delivery.attempt,
    status: outcome.status,
    status_code: outcome.statusCode,
    response_time_ms: outcome.responseTimeMs,
    failure: outcome.failure,
    excerpt: outcome.excerpt,
    next_attempt_at: outcome.nextAttemptAt,
    started_at: startedAt,
  }));
  // By ctid, because with stale statistics the planner would read the whole table; and not by `status = 'pending'`, for
  // which it would read all that is pending. The drop job may fail what is in flight: the result of the attempt counts.
  await sql`
    with result as materialized (
      select r.*, d.place from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r (
        merchant_id text, slot smallint, id text, url text, attempt int, status text, status_code int,
        response_time_ms int, failure text, excerpt text, next_attempt_at timestamptz, started_at timestamptz)
       cross join lateral (select ctid as place from webhook_deliveries where id = r.id limit 1) d
    ), kept as (
      insert into webhook_attempts
             (delivery_id, attempt, url, status_code, response_time_ms, failure, response_excerpt, started_at)
      select id, attempt, url, status_code, response_time_ms, failure, excerpt, started_at from result
          on conflict do nothing
    ), held as (${held})
    update webhook_deliveries d
       set status = r.status, url = r.url, attempts = r.attempt, status_code = r.status_code,
           response_time_ms = r.response_time_ms, failure = r.failure, next_attempt_at = r.next_attempt_at,
           finished_at = case when r.status = 'pending' then null else ${now}::timestamptz end,
           locked_by = null, locked_until = null
      from result r join held using (id, attempt)
     where d.ctid = any (array(select place from result join held using (id, attempt)))
       and d.id = r.id and d.attempts <= r.attempt and d.status <> 'success'`.execute(db);
}
