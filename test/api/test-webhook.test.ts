import { expect } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { type Respond, startReceiver } from '../support/receiver.ts';

const MINUTE_MS = 60_000;

/** Runs with a merchant whose endpoint answers as the test says. */
async function withEndpoint(
  service: TestService,
  respond: Respond,
  run: (merchant: TestMerchant, receiver: Awaited<ReturnType<typeof startReceiver>>) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver(respond);
  try {
    const merchant = await service.activeMerchant();
    await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
    await run(merchant, receiver);
  } finally {
    await receiver.close();
  }
}

test("sends one simulated payment, signed like a real one, and reports the endpoint's answer", async ({ service }) => {
  await withEndpoint(
    service,
    () => 202,
    async (merchant, receiver) => {
      const result = await merchant.client.webhooks.test();
      expect(result).toMatchObject({ success: true, statusCode: 202, deliveryId: expect.stringMatching(/^whd_/) });
      expect(receiver.received).toHaveLength(1);
      const { body = Buffer.of(), headers = {} } = receiver.received[0] ?? {};
      const keys = (await merchant.client.webhooks.keys.list()).data.map(({ publicKey }) => publicKey);
      expect(await verifyWebhook(body, headers, { keys })).toMatchObject({
        type: 'payment.completed',
        livemode: false,
        merchantId: merchant.id,
        data: { status: 'paid', metadata: { simulated: true } },
      });
      const { deliveries } = await merchant.client.webhooks.deliveries.list({});
      expect(deliveries).toMatchObject([{ id: result.deliveryId, status: 'success', statusCode: 202, attempts: 1 }]);
    },
  );
});

test("reports an endpoint's refusal, and does not retry", async ({ service }) => {
  await withEndpoint(
    service,
    () => 503,
    async (merchant, receiver) => {
      const { deliveryId, success, statusCode } = await merchant.client.webhooks.test();
      expect([success, statusCode]).toEqual([false, 503]);
      service.clock.advance(60 * MINUTE_MS);
      await service.runJob('webhooks.deliver');
      expect(receiver.received).toHaveLength(1);
      const { deliveries } = await merchant.client.webhooks.deliveries.list({});
      expect(deliveries).toMatchObject([{ id: deliveryId, status: 'failed', nextAttemptAt: null }]);
    },
  );
});

test('reports no status when the endpoint does not answer', async ({ service }) => {
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, { webhookUrl: 'http://127.0.0.1:1/hooks' });
  expect(await merchant.client.webhooks.test()).toMatchObject({ success: false, statusCode: null });
});

test('leaves an audit entry, but no trace in payments or balance', async ({ service }) => {
  await withEndpoint(
    service,
    () => 200,
    async (merchant) => {
      const { deliveryId } = await merchant.client.webhooks.test();
      const entries = await service.db
        .selectFrom('audit_log')
        .selectAll()
        .where('merchant_id', '=', merchant.id)
        .where('action', '=', 'webhook.test')
        .execute();
      expect(entries).toMatchObject([{ actor_id: merchant.id, resource_id: deliveryId }]);
      expect((await merchant.client.payments.list({})).pagination.total).toBe(0);
      expect((await merchant.client.settlements.balance()).totalEarned).toBe(0);
    },
  );
});

test('refuses a merchant without a URL, and says how to set one', async ({ service }) => {
  const { client } = await service.activeMerchant();
  await expect(client.webhooks.test()).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    reason: 'webhook_url_missing',
    message: expect.stringContaining('PUT /v1/merchants/{id}'),
  });
});

test('limits a sandbox to 100 tests a minute', async ({ service }) => {
  const { client } = await service.activeMerchant();
  service.clock.holdReal();
  service.clock.advanceReal(MINUTE_MS - (service.clock.real().getTime() % MINUTE_MS)); // A minute begins.
  const missing = { status: 400, reason: 'webhook_url_missing' };
  for (let count = 1; count <= 100; count += 1) await expect(client.webhooks.test()).rejects.toMatchObject(missing);
  await expect(client.webhooks.test()).rejects.toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  service.clock.advanceReal(MINUTE_MS);
  await expect(client.webhooks.test()).rejects.toMatchObject(missing);
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('POST', '/v1/webhooks/test')).status).toBe(401);
});
