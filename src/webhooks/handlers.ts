import { parseDateTime } from '../lib/dates.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { invalidField, notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { presentJwk } from '../lib/standard-webhooks.ts';
import { merchantExists } from '../merchants/queries.ts';
import type { UpdateDeps } from '../merchants/service.ts';
import type { HandlersOf } from '../ports/operation.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { certificationHandlers } from './certify/handlers.ts';
import { getEndpoint, updateEndpoint } from './endpoint.ts';
import { listKeys } from './keys.ts';
import { presentDelivery, presentDeliveryDetail, presentEndpoint, presentKey } from './present.ts';
import { countDeliveries, findDeliveryWithBody, listAttempts, listDeliveries } from './queries.ts';
import { recover } from './recover.ts';
import { redeliver } from './redeliver.ts';
import { keptSince } from './retention.ts';
import { rotateKeys } from './rotate.ts';
import { type TestCallDeps, type TestCallResult, testEndpoint } from './test-call.ts';
import { verificationHandlers } from './verify/handlers.ts';

type EndpointOperation = 'getWebhookEndpoint' | 'updateWebhookEndpoint' | 'testWebhook';
type DeliveryOperation = 'listWebhookDeliveries' | 'getWebhookDelivery' | 'redeliverWebhook' | 'recoverWebhooks';
type KeyOperation = 'listWebhookKeys' | 'rotateWebhookKeys' | 'getMerchantWebhookKeys';
type ProofOperation = 'certifyWebhook' | 'getWebhookCertification' | 'verifyWebhookRequest';

export type WebhookHandlerDeps = TestCallDeps &
  UpdateDeps & { readonly keyRing: KeyRing; readonly settings: SettingsReader };

/** How long the previous key keeps signing unless the request says otherwise. */
const GRACE_SECONDS = 86_400;

/** The operations of the tag `webhooks`. */
export const webhookHandlers = (
  deps: WebhookHandlerDeps,
): HandlersOf<EndpointOperation | DeliveryOperation | KeyOperation | ProofOperation> => ({
  ...endpointHandlers(deps),
  ...deliveryHandlers(deps),
  ...keyHandlers(deps),
  ...certificationHandlers(deps),
  ...verificationHandlers(deps),
});

const endpointHandlers = (deps: WebhookHandlerDeps): HandlersOf<EndpointOperation> => ({
  getWebhookEndpoint: async ({ principal }) => {
    return { status: 200, body: presentEndpoint(await getEndpoint(deps.db, principal.merchantId)) };
  },

  updateWebhookEndpoint: async ({ principal, body, now, real, trx, audit }) => {
    const { endpoint, change } = await updateEndpoint(trx, deps, principal.merchantId, body, { now, real });
    audit.note({ resourceId: principal.merchantId, metadata: change });
    return { status: 200, body: presentEndpoint(endpoint) };
  },

  testWebhook: async ({ principal, now, real, audit, keep }) => {
    const made = await testEndpoint(deps, {
      merchantId: principal.merchantId,
      now,
      real,
      audit: (trx, resourceId) => audit.record(trx, { resourceId }),
      keep: (trx, result) => keep(trx, answerOf(result)),
    });
    return answerOf(made);
  },
});

function answerOf({ deliveryId, outcome }: TestCallResult) {
  const { status, statusCode, failure, responseTimeMs: responseTime } = outcome;
  const body = { success: status === 'success', statusCode, failure, responseTime, deliveryId };
  return { status: 200, body } as const;
}

const deliveryHandlers = (deps: WebhookHandlerDeps): HandlersOf<DeliveryOperation> => ({
  listWebhookDeliveries: async ({ principal, query }) => {
    const filter = { merchantId: principal.merchantId, ...(query.status && { status: query.status }) };
    const [page, total] = await Promise.all([
      listDeliveries(deps.db, filter, windowOf(query)),
      countDeliveries(deps.db, filter),
    ]);
    return {
      status: 200,
      body: { deliveries: page.rows.map(presentDelivery), pagination: presentPagination(query, total, page) },
    };
  },

  getWebhookDelivery: async ({ principal, params }) => {
    const delivery = await findDeliveryWithBody(deps.db, { id: params.id, merchantId: principal.merchantId });
    if (!delivery) throw notFound('delivery');
    return { status: 200, body: presentDeliveryDetail(delivery, await listAttempts(deps.db, delivery.id)) };
  },

  redeliverWebhook: async ({ principal, params, now, trx, audit }) => {
    const delivery = await redeliver(trx, { id: params.id, merchantId: principal.merchantId }, now);
    audit.note({ resourceId: delivery.id, metadata: { redeliveryOf: params.id, eventId: delivery.event_id } });
    return { status: 201, body: presentDelivery(delivery) };
  },

  recoverWebhooks: async ({ principal, body, now, trx, audit }) => {
    const wanted = parseDateTime(body.since);
    if (!wanted) throw invalidField('since', 'must be a date-time that exists, like 2026-06-30T18:00:00Z');
    const { webhookRetentionDays } = await deps.settings.current();
    const since = latest(wanted, keptSince(now, webhookRetentionDays));
    const { recovered, next } = await recover(trx, principal.merchantId, since, now);
    audit.note({ resourceId: principal.merchantId, metadata: { since: since.toISOString(), recovered } });
    return { status: 200, body: { recovered, more: next !== null, next: next?.toISOString() ?? null } };
  },
});

const keyHandlers = (deps: WebhookHandlerDeps): HandlersOf<KeyOperation> => ({
  listWebhookKeys: async ({ principal, real }) => {
    const keys = await listKeys(deps.db, principal.merchantId, real);
    return { status: 200, body: { data: keys.map(presentKey) } };
  },

  rotateWebhookKeys: async ({ principal, body, real, trx, audit }) => {
    const { merchantId } = principal;
    const gracePeriodSeconds = body?.gracePeriodSeconds ?? GRACE_SECONDS;
    const key = await rotateKeys(trx, deps.keyRing, { merchantId, gracePeriodSeconds, real });
    audit.note({ resourceId: key.id, metadata: { gracePeriodSeconds } });
    return { status: 201, body: presentKey(key) };
  },

  getMerchantWebhookKeys: async ({ params, real }) => {
    if (!(await merchantExists(deps.db, params.id))) throw notFound('merchant');
    const keys = await listKeys(deps.db, params.id, real);
    return {
      status: 200,
      body: { keys: keys.map(({ publicKey }) => presentJwk(publicKey)) },
      headers: { 'cache-control': 'public, max-age=300' },
    };
  },
});

const latest = (a: Date, b: Date): Date => (a > b ? a : b);
