import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { presentJwk } from '../lib/standard-webhooks.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { listKeys } from './keys.ts';
import { presentDelivery, presentKey } from './present.ts';
import { countDeliveries, listDeliveries, merchantExists } from './queries.ts';
import { type TestCallDeps, testEndpoint } from './test-call.ts';

type Operations = 'listWebhookDeliveries' | 'testWebhook' | 'listWebhookKeys' | 'getMerchantWebhookKeys';

export type WebhookHandlerDeps = TestCallDeps;

/** The operations of the tag `webhooks`. */
export const webhookHandlers = (deps: WebhookHandlerDeps): HandlersOf<Operations> => ({
  listWebhookDeliveries: async ({ principal, query }) => {
    const filter = { merchantId: principal.merchantId, ...(query.status && { status: query.status }) };
    const [rows, total] = await Promise.all([
      listDeliveries(deps.db, filter, windowOf(query)),
      countDeliveries(deps.db, filter),
    ]);
    return {
      status: 200,
      body: { deliveries: rows.map(presentDelivery), pagination: presentPagination(query, total) },
    };
  },

  testWebhook: async ({ principal, now, real, audit }) => {
    const { deliveryId, outcome } = await testEndpoint(deps, {
      merchantId: principal.merchantId,
      now,
      real,
      audit: (trx, resourceId) => audit.record(trx, { resourceId }),
    });
    const { statusCode, failure, responseTimeMs: responseTime } = outcome;
    return {
      status: 200,
      body: { success: outcome.status === 'success', statusCode, failure, responseTime, deliveryId },
    };
  },

  listWebhookKeys: async ({ principal, real }) => {
    const keys = await listKeys(deps.db, principal.merchantId, real);
    return { status: 200, body: { data: keys.map(presentKey) } };
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
