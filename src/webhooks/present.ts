import type { Selectable } from 'kysely';
import type { components } from '../../generated/api.ts';
import type { WebhookAttempts, WebhookDeliveries } from '../../generated/db.ts';
import { encodePublicKey } from '../lib/standard-webhooks.ts';
import type { Endpoint } from './endpoint.ts';
import type { WebhookKey } from './keys.ts';

type Schemas = components['schemas'];

/** A delivery as lists show it. */
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
  redeliveryOf: row.redelivery_of,
  createdAt: row.created_at.toISOString(),
});

/** A delivery with the bytes that it sends, and every attempt, oldest first. */
export const presentDeliveryDetail = (
  row: Selectable<WebhookDeliveries> & { readonly body: Buffer },
  attempts: readonly Selectable<WebhookAttempts>[],
): Schemas['WebhookDeliveryDetail'] => ({
  ...presentDelivery(row),
  attemptLog: attempts.map(presentAttempt),
  payload: row.body.toString('utf8'),
});

const presentAttempt = (row: Selectable<WebhookAttempts>): Schemas['WebhookAttempt'] => ({
  attempt: row.attempt,
  url: row.url,
  statusCode: row.status_code,
  failure: row.failure,
  responseTime: row.response_time_ms,
  responseBody: row.response_excerpt,
  startedAt: row.started_at.toISOString(),
});

/** An endpoint as its merchant sees it. */
export const presentEndpoint = (endpoint: Endpoint): Schemas['WebhookEndpoint'] => ({
  url: endpoint.url,
  eventTypes: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
  status: endpoint.status,
  disabledReason: endpoint.disabledReason,
  failingSince: endpoint.failingSince?.toISOString() ?? null,
  updatedAt: endpoint.updatedAt?.toISOString() ?? null,
});

/** A key as its merchant sees it: the public key, and until when it signs. */
export const presentKey = (key: WebhookKey): Schemas['WebhookKey'] => ({
  id: key.id,
  publicKey: encodePublicKey(key.publicKey),
  status: key.retiresAt === null ? 'active' : 'retiring',
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.retiresAt?.toISOString() ?? null,
});
