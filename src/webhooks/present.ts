import type { Selectable } from 'kysely';
import type { components } from '../../generated/api.ts';
import type { WebhookDeliveries } from '../../generated/db.ts';
import { encodePublicKey } from '../lib/standard-webhooks.ts';
import type { WebhookKey } from './keys.ts';

type Schemas = components['schemas'];

/** One line of the list of deliveries. */
export const presentDelivery = (row: Selectable<WebhookDeliveries>): Schemas['WebhookDelivery'] => ({
  id: row.id,
  eventId: row.event_id,
  event: row.event_type as Schemas['EventType'],
  url: row.url,
  status: row.status as Schemas['WebhookDeliveryStatus'],
  statusCode: row.status_code,
  failure: row.failure,
  responseTime: row.response_time_ms,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

/** A key as its merchant sees it: the public part, and how long it still signs. */
export const presentKey = (key: WebhookKey): Schemas['WebhookKey'] => ({
  id: key.id,
  publicKey: encodePublicKey(key.publicKey),
  status: key.retiresAt === null ? 'active' : 'retiring',
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.retiresAt?.toISOString() ?? null,
});
