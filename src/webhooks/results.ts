import { sql } from 'kysely';
import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { after } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Claimed } from './claim.ts';
import { DISABLE_AFTER_MS, type Outcome } from './delivery.ts';

/** An attempt that was made, of one delivery. */
export type Attempted<D = Claimed> = {
  readonly delivery: D;
  readonly outcome: Outcome;
  /** Business time. */
  readonly startedAt: Date;
};

type Fenced = Pick<Claimed, 'id' | 'url' | 'attempt'>;

/**
 * Records attempts in one statement. A delivery changes only if it still carries the lease and the attempt number that this worker got:
 * one that comes back late overwrites nothing. The attempt itself was made and is kept in any case.
 */
export async function recordAttempts(
  db: Db | Trx,
  worker: string,
  attempted: readonly Attempted<Fenced>[],
  now: Date,
): Promise<void> {
  const results = attempted.map(({ delivery, outcome, startedAt }) => ({
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
  // `mine` finds each row by its key, whatever the planner knows of the table.
  await sql`
    with result as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r (
        id text, url text, attempt int, status text, status_code int, response_time_ms int, failure text, excerpt text,
        next_attempt_at timestamptz, started_at timestamptz)
    ), kept as (
      insert into webhook_attempts (delivery_id, attempt, url, status_code, response_time_ms, failure, response_excerpt, started_at)
      select id, attempt, url, status_code, response_time_ms, failure, excerpt, started_at from result
          on conflict do nothing
    ), mine as (
      select held.ctid from result r cross join lateral (
        select ctid, attempts, locked_by from webhook_deliveries where id = r.id limit 1
      ) held where held.locked_by = ${worker} and held.attempts = r.attempt
    )
    update webhook_deliveries d
       set status = r.status, status_code = r.status_code, response_time_ms = r.response_time_ms, failure = r.failure,
           next_attempt_at = r.next_attempt_at, finished_at = case when r.status = 'pending' then null else ${now}::timestamptz end,
           locked_by = null, locked_until = null
      from result r
     where d.ctid = any (array(select ctid from mine))
       and d.id = r.id and d.locked_by = ${worker} and d.attempts = r.attempt`.execute(db);
}

/**
 * Keeps what is known of the endpoints: since when one has done nothing but fail, and whether that has been too long. Writes only
 * where something changes, and only for the URL that the attempt went to.
 */
export async function recordHealth(db: Db, attempted: readonly Attempted[], now: Date): Promise<void> {
  const changed = new Map<string, { merchant_id: string; url: string; ok: boolean }>();
  const dead = new Map<string, Attempted>();
  for (const entry of attempted) {
    if (entry.outcome.failure === 'signing_failed') continue; // Our fault, not the endpoint's.
    const { merchantId, url, failingSince } = entry.delivery;
    const ok = entry.outcome.status === 'success';
    if (ok === (failingSince !== null)) changed.set(`${merchantId} ${url} ${ok}`, { merchant_id: merchantId, url, ok });
    const since = ok ? now : (failingSince ?? now);
    if (entry.outcome.gone || since <= after(now, -DISABLE_AFTER_MS)) dead.set(merchantId, entry);
  }
  if (changed.size > 0) await markHealth(db, [...changed.values()], now);
  for (const entry of dead.values()) await inTransaction(db, (trx) => disableEndpoint(trx, entry, now));
}

/** Rows are locked in the order of their ids, so that two workers never wait for each other. A success beats the failures beside it. */
async function markHealth(db: Db, changed: readonly object[], now: Date): Promise<void> {
  await sql`
    with changed as (
      select merchant_id, url, bool_or(ok) as ok
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (merchant_id text, url text, ok boolean) group by 1, 2
    ), locked as (
      select e.merchant_id, c.ok from webhook_endpoints e join changed c on c.merchant_id = e.merchant_id and c.url = e.url
       where c.ok = (e.failing_since is not null) order by e.merchant_id for no key update of e
    )
    update webhook_endpoints e set failing_since = case when locked.ok then null else ${now}::timestamptz end
      from locked where e.merchant_id = locked.merchant_id`.execute(db);
}

async function disableEndpoint(trx: Trx, { delivery, outcome }: Attempted, now: Date): Promise<void> {
  const reason = outcome.gone ? 'gone' : 'failing';
  const disabled = await trx
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_reason: reason, updated_at: now })
    .where('merchant_id', '=', delivery.merchantId)
    .where('url', '=', delivery.url)
    .where('status', '=', 'enabled')
    .$if(!outcome.gone, (qb) => qb.where('failing_since', '<=', after(now, -DISABLE_AFTER_MS)))
    .returning('merchant_id')
    .executeTakeFirst();
  if (!disabled) return; // Somebody else was first, or it has a new URL, or it answered meanwhile.
  await recordAudit(
    trx,
    {
      actorType: 'system',
      actorId: 'webhooks',
      action: 'webhook_endpoint.disable',
      resourceId: delivery.merchantId,
      merchantId: delivery.merchantId,
      origin: null,
      metadata: { reason, deliveryId: delivery.id },
    },
    now,
  );
}

/** A test reached the endpoint: whatever had disabled it is over. */
export async function enableEndpoint(trx: Trx, merchantId: string, url: string, now: Date): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ status: 'enabled', disabled_reason: null, failing_since: null, updated_at: now })
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .execute();
}
