import { sql } from 'kysely';
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

type Fenced = Pick<Claimed, 'id' | 'url' | 'attempt'>;

/**
 * Records attempts in one statement. A delivery changes only if it still carries this worker's lease and attempt
 * number, so a late result overwrites nothing. The attempt itself was made, so its row is kept in any case, unless its
 * delivery is gone: another primary may never have heard of it.
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
  // `mine` makes the planner find each row by its key, even with stale statistics.
  await sql`
    with result as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r (
        id text, url text, attempt int, status text, status_code int, response_time_ms int, failure text, excerpt text,
        next_attempt_at timestamptz, started_at timestamptz)
    ), kept as (
      insert into webhook_attempts
             (delivery_id, attempt, url, status_code, response_time_ms, failure, response_excerpt, started_at)
      select r.id, r.attempt, r.url, r.status_code, r.response_time_ms, r.failure, r.excerpt, r.started_at
        from result r where exists (select from webhook_deliveries d where d.id = r.id limit 1)
          on conflict do nothing
    ), mine as (
      select leased.ctid from result r cross join lateral (
        select ctid, attempts, locked_by from webhook_deliveries where id = r.id limit 1
      ) leased where leased.locked_by = ${worker} and leased.attempts = r.attempt
    )
    update webhook_deliveries d
       set status = r.status, status_code = r.status_code, response_time_ms = r.response_time_ms, failure = r.failure,
           next_attempt_at = r.next_attempt_at,
           finished_at = case when r.status = 'pending' then null else ${now}::timestamptz end,
           locked_by = null, locked_until = null
      from result r
     where d.ctid = any (array(select ctid from mine))
       and d.id = r.id and d.locked_by = ${worker} and d.attempts = r.attempt`.execute(db);
}
