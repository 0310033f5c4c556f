import { type Selectable, sql } from 'kysely';
import type { WebhookDeliveries } from '../../generated/db.ts';
import type { Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { getEndpoint, refuseDisabled } from './endpoint.ts';
import { holdDelivery } from './queries.ts';

/**
 * Makes a new delivery of the same event, due now: the same event id and bytes, a fresh set of attempts. NOT_FOUND for
 * a delivery that is not the merchant's; CONFLICT when no endpoint is enabled.
 */
export async function redeliver(
  trx: Trx,
  ref: { readonly id: string; readonly merchantId: string },
  now: Date,
): Promise<Selectable<WebhookDeliveries>> {
  const old = await holdDelivery(trx, ref);
  if (!old) throw notFound('delivery');
  const { rows } = await sql<Selectable<WebhookDeliveries>>`
    insert into webhook_deliveries
           (id, event_id, merchant_id, event_type, url, redelivery_of, next_attempt_at, created_at)
    select ${newId('delivery', now)}, ${old.event_id}, merchant_id, ${old.event_type}, url, ${old.id}, ${now}, ${now}
      from webhook_endpoints where merchant_id = ${ref.merchantId} and status = 'enabled'
    returning *`.execute(trx);
  if (!rows[0]) throw refuseDisabled(await getEndpoint(trx, ref.merchantId));
  trx.wake('kasi_deliveries');
  return rows[0];
}
