import { type RawBuilder, sql } from 'kysely';
import { recordAudit } from '../audit/record.ts';
import { isAny } from '../db/is-any.ts';
import { inTransaction } from '../db/transaction.ts';
import { type Events, nextSequence } from '../events/record.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { DISABLE_AFTER_MS } from './delivery.ts';
import { FEED_ONLY, toEndpoint } from './endpoint.ts';
import { presentEndpoint } from './present.ts';
import type { Attempted } from './results.ts';
import { DELAY_MAX_MS } from './retry-schedule.ts';

/**
 * Keeps track of since when an endpoint has only failed, and disables it when that has been too long or it answered
 * 410. Writes only changes, and only for the URL that the attempt went to.
 */
export async function recordHealth(
  deps: { readonly db: Db; readonly events: Events },
  attempted: readonly Attempted[],
  now: Date,
): Promise<void> {
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
  if (changed.size > 0) await markHealth(deps.db, [...changed.values()], now);
  for (const entry of dead.values()) {
    await inTransaction(deps.db, (trx) => disableEndpoint(trx, deps.events, entry, now));
  }
}

/**
 * Locks rows in the order of their ids, so that two workers never deadlock. One success in a batch outweighs its
 * failures.
 */
async function markHealth(db: Db, changed: readonly object[], now: Date): Promise<void> {
  await sql`
    with changed as (
      select merchant_id, url, bool_or(ok) as ok
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (merchant_id text, url text, ok boolean)
       group by 1, 2
    ), locked as (
      select e.merchant_id, c.ok
        from webhook_endpoints e join changed c on c.merchant_id = e.merchant_id and c.url = e.url
       where c.ok = (e.failing_since is not null) order by e.merchant_id for no key update of e
    )
    update webhook_endpoints e set failing_since = case when locked.ok then null else ${now}::timestamptz end
      from locked where e.merchant_id = locked.merchant_id`.execute(db);
}

/** Disables an endpoint, with an audit entry and an event that appears only in the feed. */
async function disableEndpoint(trx: Trx, events: Events, attempted: Attempted, now: Date): Promise<void> {
  const { delivery, outcome } = attempted;
  const { merchantId, url } = delivery;
  if (!outcome.gone && !(await hasFailedLately(trx, attempted))) return startOver(trx, delivery, now);
  const reason = outcome.gone ? 'gone' : 'failing';
  const disabled = await trx
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_reason: reason, updated_at: now })
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .where('status', '=', 'enabled')
    .$if(!outcome.gone, (qb) => qb.where('failing_since', '<=', after(now, -DISABLE_AFTER_MS)))
    .returningAll()
    .executeTakeFirst();
  if (!disabled) return; // Another worker was first, or the URL has changed, or an attempt has succeeded meanwhile.
  // The endpoint's row is locked, so its events get consecutive sequence numbers.
  const resourceId = `endpoint of ${merchantId}`;
  const sequence = await nextSequence(trx, resourceId);
  const data = presentEndpoint(toEndpoint(disabled));
  await events.record(trx, { merchantId, type: FEED_ONLY, resourceId, sequence, data }, now);
  await recordAudit(
    trx,
    {
      actorType: 'system',
      actorId: 'webhooks',
      action: 'webhook_endpoint.disable',
      resourceId: merchantId,
      merchantId,
      origin: null,
      metadata: { reason, deliveryId: delivery.id },
    },
    now,
  );
}

/**
 * Whether anything failed at an endpoint before an attempt, within the longest that a retry can wait; what was sent at
 * the same time doesn't count. See decision webhooks/silence-is-no-failure. Nothing has succeeded there meanwhile, so
 * what was tried waits still or was given up. The merchant's own of these are looked up one by one: from a join all
 * attempts of all merchants were read.
 */
export async function hasFailedLately(
  trx: Trx,
  { delivery, startedAt }: { readonly delivery: Pick<Attempted['delivery'], 'merchantId' | 'url'>; startedAt: Date },
): Promise<boolean> {
  const { merchantId, url } = delivery;
  const [since, until] = [after(startedAt, -DELAY_MAX_MS), after(startedAt, -MINUTE_MS)];
  const tried = (which: RawBuilder<unknown>) => sql`
    select id from webhook_deliveries where merchant_id = ${merchantId} and attempts > 0 and not is_test and ${which}`;
  const attempted = sql`webhook_attempts a
     where a.delivery_id = d.id and a.url = ${url} and a.started_at > ${since} and a.started_at <= ${until}`;
  const { rows } = await sql`
    select from (${tried(sql`status = 'pending'`)} union all
                 ${tried(sql`status = 'failed' and finished_at > ${since}`)}) as d
     where ${isAny(attempted)}
     limit 1`.execute(trx);
  return rows.length > 0;
}

/** What failed before a silence says nothing of now. */
async function startOver(trx: Trx, { merchantId, url }: Attempted['delivery'], now: Date): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .where('status', '=', 'enabled')
    .where('failing_since', '<=', after(now, -DISABLE_AFTER_MS))
    .execute();
}
