import type { Selectable } from 'kysely';
import type { components } from '../../generated/api.ts';
import type { WebhookEndpoints } from '../../generated/db.ts';
import type { EventType } from '../events/record.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, conflict, invalidField } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { type UpdateDeps, updateMerchant } from '../merchants/service.ts';
import type { Circumstances } from '../ports/operation.ts';

type Schemas = components['schemas'];

/** Where a merchant's events go. Without a URL there is no row, and every other field has its default. */
export type Endpoint = {
  readonly url: string | null;
  readonly eventTypes: readonly EventType[] | null;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: 'merchant' | 'gone' | 'failing' | null;
  readonly failingSince: Date | null;
  readonly updatedAt: Date | null;
};

const NONE: Endpoint = {
  url: null,
  eventTypes: null,
  status: 'disabled',
  disabledReason: null,
  failingSince: null,
  updatedAt: null,
};

/** The event that announces a disabled endpoint. It is never delivered and appears only in the feed. */
export const FEED_ONLY = 'webhook.endpoint_disabled' satisfies EventType;

/** Maps a row to the endpoint. */
export const toEndpoint = (row: Selectable<WebhookEndpoints>): Endpoint => ({
  url: row.url,
  eventTypes: row.event_types as EventType[] | null,
  status: row.status as Endpoint['status'],
  disabledReason: row.disabled_reason as Endpoint['disabledReason'],
  failingSince: row.failing_since,
  updatedAt: row.updated_at,
});

const selectEndpoint = (db: Db | Trx, merchantId: string) =>
  db.selectFrom('webhook_endpoints').selectAll().where('merchant_id', '=', merchantId);

/** A merchant's endpoint, without a lock. */
export async function getEndpoint(db: Db | Trx, merchantId: string): Promise<Endpoint> {
  const row = await selectEndpoint(db, merchantId).executeTakeFirst();
  return row ? toEndpoint(row) : NONE;
}

/** The CONFLICT that says why nothing can be sent to this endpoint, and how to change that. */
export function refuseDisabled({ url, disabledReason }: Endpoint): AppError {
  if (url === null) {
    const message = 'No webhook URL is set. Set it with PUT /v1/webhooks/endpoint first.';
    return conflict(message, 'webhook_url_missing');
  }
  const message = `The webhook endpoint is disabled (${disabledReason}). Enable it with PUT /v1/webhooks/endpoint first.`;
  return conflict(message, 'webhook_endpoint_disabled');
}

/**
 * Applies a request to a merchant's endpoint and returns the endpoint with the changes for the audit entry. A new URL
 * goes through `updateMerchant`, like one in the merchant's profile, with the same consequences. Throws
 * VALIDATION_ERROR for a URL that outbound requests may not go to, for event types that are never sent, and
 * (`webhook_url_missing`) when there is no URL to enable or to choose types for.
 * See decision webhooks/merchants-set-the-url.
 */
export async function updateEndpoint(
  trx: Trx,
  deps: UpdateDeps,
  merchantId: string,
  body: Schemas['UpdateWebhookEndpointRequest'],
  at: Pick<Circumstances, 'now' | 'real'>,
): Promise<{ readonly endpoint: Endpoint; readonly change: JsonObject }> {
  const wrong = body.url ? deps.checkUrl(body.url) : undefined;
  if (wrong !== undefined) throw invalidField('url', wrong);
  if (body.eventTypes?.includes(FEED_ONLY)) {
    throw invalidField('eventTypes', `"${FEED_ONLY}" is never sent to an endpoint; read it with GET /v1/events`);
  }
  // First, because it locks the merchant: the lock order is merchant, then endpoint.
  const profile =
    body.url === undefined ? {} : (await updateMerchant(trx, deps, merchantId, { webhookUrl: body.url }, at)).change;
  const row = await selectEndpoint(trx, merchantId).forNoKeyUpdate().executeTakeFirst();
  const before = row ? toEndpoint(row) : NONE;
  const next = decide(before, body);
  const changed = describeChange(before, next);
  if (Object.keys(changed).length === 0) return { endpoint: before, change: profile };

  const endpoint = { ...next, updatedAt: at.now };
  await saveEndpoint(trx, merchantId, endpoint);
  return {
    endpoint,
    change: { ...profile, changed: { ...(profile['changed'] as JsonObject | undefined), ...changed } },
  };
}

/** The endpoint after the request, once its URL is up to date. */
function decide(before: Endpoint, { eventTypes, status }: Schemas['UpdateWebhookEndpointRequest']): Endpoint {
  if (before.url === null && (status === 'enabled' || eventTypes)) {
    throw new AppError('VALIDATION_ERROR', 'No webhook URL is set. Send url too.', { reason: 'webhook_url_missing' });
  }
  if (before.url === null) return before;
  const wanted = eventTypes === undefined ? before : { ...before, eventTypes };
  if (status === 'enabled' && before.status === 'disabled') {
    return { ...wanted, status, disabledReason: null, failingSince: null };
  }
  // Also when we had disabled it. See decision webhooks/only-the-merchant-enables-what-it-disabled.
  if (status === 'disabled') return { ...wanted, status, disabledReason: 'merchant' };
  return wanted;
}

function describeChange(before: Endpoint, next: Endpoint): JsonObject {
  const fields = ['eventTypes', 'status', 'disabledReason'] as const;
  const differ = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(next[field]));
  return Object.fromEntries(differ.map((field) => [field, { from: plain(before[field]), to: plain(next[field]) }]));
}

const plain = (value: string | readonly string[] | null): string | string[] | null =>
  value === null || typeof value === 'string' ? value : [...value];

async function saveEndpoint(trx: Trx, merchantId: string, endpoint: Endpoint & { updatedAt: Date }): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({
      event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
      status: endpoint.status,
      disabled_reason: endpoint.disabledReason,
      failing_since: endpoint.failingSince,
      updated_at: endpoint.updatedAt,
    })
    .where('merchant_id', '=', merchantId)
    .execute();
}

/**
 * Enables an endpoint that a test call has reached, because our reason to disable it is gone. An endpoint that its
 * merchant has disabled stays disabled. See decision webhooks/only-the-merchant-enables-what-it-disabled.
 */
export async function enableEndpoint(trx: Trx, merchantId: string, url: string, now: Date): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      updated_at: eb.case().when('status', '=', 'disabled').then(now).else(eb.ref('updated_at')).end(),
    }))
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .where('disabled_reason', 'is distinct from', 'merchant')
    .execute();
}
