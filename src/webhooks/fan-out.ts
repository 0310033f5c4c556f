import { sql } from 'kysely';
import { sqlOnce } from '../db/once.ts';
import type { FanOut } from '../events/record.ts';
import { newId } from '../lib/ids.ts';

/**
 * One delivery for each event that its merchant's enabled endpoint wants: a statement behind the one that records an
 * event, or the end of the one that records many. Composition hands it to `createEvents`, so the SQL of deliveries
 * stays here. See decision events/deliveries-in-the-same-transaction.
 */
export const fanOutToEndpoints: FanOut = {
  channel: 'kasi_deliveries',

  one: ({ id, merchantId, type }, now) => sqlOnce`
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    select ${newId('delivery', now)}, ${id}, merchant_id, ${type}, url, ${now}, ${now} from webhook_endpoints
     where merchant_id = ${merchantId} and status = 'enabled'
       and (event_types is null or ${type} = any (event_types))`,

  many: (now) => sql`
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    select delivery_id, id, merchant_id, type, url, ${now}, ${now}
      from draft join webhook_endpoints endpoint using (merchant_id)
     where endpoint.status = 'enabled' and (event_types is null or type = any (event_types)) order by place`,
};
