import { expect } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/index.ts';
import { test as base } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Receiver, Respond } from '../support/receiver.ts';

const test = base.extend('respond', { scope: 'file' }, (): Respond => () => (healthy ? 200 : 500));
let healthy = true;

async function notified(service: TestService, receiver: Receiver): Promise<TestMerchant> {
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
  return merchant;
}

const create = ({ client }: TestMerchant) => client.payments.create({ amount: 25, currency: 'USD' });
const list = ({ client }: TestMerchant, query?: Parameters<typeof client.webhooks.deliveries.list>[0]) =>
  client.webhooks.deliveries.list(query ?? {});

test('shows a delivery as pending, then as delivered, signed with the key that the merchant publishes', async ({
  service,
  receiver,
}) => {
  const merchant = await notified(service, receiver);
  const payment = await create(merchant);
  const waiting = await list(merchant);
  expect(waiting.deliveries).toEqual([
    {
      id: expect.stringMatching(/^whd_/),
      eventId: expect.stringMatching(/^evt_/),
      event: 'payment.created',
      url: receiver.url,
      status: 'pending',
      statusCode: null,
      failure: null,
      responseTime: 0,
      attempts: 0,
      nextAttemptAt: service.clock.now().toISOString(),
      redeliveryOf: null,
      createdAt: payment.createdAt,
    },
  ]);

  await service.runJob('webhooks.deliver');
  expect((await list(merchant)).deliveries).toMatchObject([
    { id: waiting.deliveries[0]?.id, status: 'success', statusCode: 200, attempts: 1, nextAttemptAt: null },
  ]);
  const [request] = receiver.received.slice(-1);
  const { baseUrl, merchantId } = { baseUrl: service.url, merchantId: merchant.id };
  const { body = Buffer.of(), headers = {} } = request ?? {};
  const event = await verifyWebhook(body, headers, { baseUrl, merchantId, fetch: service.fetch });
  expect(event).toMatchObject({ id: waiting.deliveries[0]?.eventId, type: 'payment.created', data: payment });
  const forged = verifyWebhook(`${body} `, headers, { baseUrl, merchantId, fetch: service.fetch });
  await expect(forged).rejects.toBeInstanceOf(WebhookVerificationError);
});

test('shows a failed delivery as due for a retry, and filters by that', async ({ service, receiver }) => {
  const merchant = await notified(service, receiver);
  await create(merchant);
  await service.runJob('webhooks.deliver');
  healthy = false;
  await create(merchant);
  await service.runJob('webhooks.deliver');
  healthy = true;
  const failing = await list(merchant, { status: 'pending' });
  expect(failing.deliveries).toMatchObject([{ statusCode: 500, failure: 'status', attempts: 1 }]);
  const next = new Date(failing.deliveries[0]?.nextAttemptAt ?? 0);
  expect(next > service.clock.now()).toBe(true);
  expect((await list(merchant, { status: 'success' })).pagination.total).toBe(1);
  expect((await list(merchant, { status: 'failed' })).deliveries).toEqual([]);

  service.clock.set(new Date(next.getTime() - 1));
  await service.runJob('webhooks.deliver');
  expect((await list(merchant, { status: 'pending' })).pagination.total).toBe(1);
  service.clock.set(next);
  await service.runJob('webhooks.deliver');
  expect((await list(merchant, { status: 'success' })).deliveries.map(({ attempts }) => attempts).sort()).toEqual([
    1, 2,
  ]);
});

test('lists newest first, page by page', async ({ service, receiver }) => {
  const merchant = await notified(service, receiver);
  const created: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    service.clock.advance(1000);
    created.unshift((await create(merchant)).createdAt);
  }
  expect((await list(merchant)).deliveries.map(({ createdAt }) => createdAt)).toEqual(created);
  const second = await list(merchant, { page: 2, limit: 2 });
  expect(second.deliveries.map(({ createdAt }) => createdAt)).toEqual(created.slice(2));
  expect(second.pagination).toEqual({
    page: 2,
    limit: 2,
    total: 3,
    totalPages: 2,
    totalIsMinimum: false,
    next: null,
    previous: expect.any(String),
  });
  expect(await list(merchant, { page: 3, limit: 2 })).toMatchObject({ deliveries: [], pagination: { total: 3 } });
});

test("lists no delivery for a merchant without an endpoint, nor another merchant's", async ({ service }) => {
  const merchant = await service.activeMerchant();
  await create(merchant);
  expect(await list(merchant)).toEqual({
    deliveries: [],
    pagination: { page: 1, limit: 20, total: 0, totalPages: 0, totalIsMinimum: false, next: null, previous: null },
  });
});

test('refuses an unknown status, and answers 401 without a token', async ({ service }) => {
  const { client } = await service.activeMerchant();
  await expect(client.webhooks.deliveries.list({ status: 'lost' as 'failed' })).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'status' }],
  });
  expect((await service.send('GET', '/v1/webhooks/deliveries')).status).toBe(401);
});
