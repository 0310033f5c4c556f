import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Receiver, Respond } from '../support/receiver.ts';

const test = base.extend('respond', { scope: 'file' }, (): Respond => () => status);
let status = 200;

/** A merchant with one delivery that was attempted once. */
async function delivered(service: TestService, receiver: Receiver, answer = 200) {
  status = answer;
  const merchant = await service.activeMerchant();
  const { deliveries, endpoint } = merchant.client.webhooks;
  await endpoint.update({ url: receiver.url });
  await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.runJob('webhooks.deliver');
  const [first] = (await deliveries.list({})).deliveries;
  if (!first) throw new Error('there is no delivery');
  receiver.received.length = 0;
  return { ...merchant, first, ...merchant.client.webhooks };
}

const receivedBy = (receiver: Receiver, { id }: TestMerchant) =>
  receiver.received.filter(({ body }) => JSON.parse(body.toString()).merchantId === id);

test('sends the same event again, same id and bytes, as a new delivery', async ({ service, receiver }) => {
  const merchant = await delivered(service, receiver);
  const { deliveries, endpoint, first } = merchant;
  service.clock.advance(60_000);
  const now = service.clock.now().toISOString();
  const again = await deliveries.redeliver(first.id);
  expect(again).toEqual({
    ...first,
    ...{ id: expect.stringMatching(/^whd_/), status: 'pending', statusCode: null, responseTime: 0, attempts: 0 },
    ...{ redeliveryOf: first.id, nextAttemptAt: now, createdAt: now },
  });
  const other = `${receiver.url}/2`;
  await endpoint.update({ url: other, eventTypes: ['payment.completed'] });
  await service.runJob('webhooks.deliver');
  const done = await deliveries.get(again.id);
  expect(done).toMatchObject({ status: 'success', attempts: 1, url: other });
  const [request, ...more] = receivedBy(receiver, merchant);
  expect(more).toEqual([]);
  expect(request?.headers['webhook-id']).toBe(first.eventId);
  expect(request?.body.toString()).toBe((await deliveries.get(first.id)).payload);
  expect((await deliveries.list({})).deliveries.map(({ id }) => id)).toEqual([again.id, first.id]);
  const entry = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'webhook_delivery.redeliver');
  expect(await entry.where('merchant_id', '=', merchant.id).execute()).toMatchObject([
    { resource_id: again.id, metadata: { redeliveryOf: first.id, eventId: first.eventId } },
  ]);
});

test("starts a failed delivery's attempts afresh, and redelivers redeliveries", async ({ service, receiver }) => {
  const { deliveries, endpoint, first } = await delivered(service, receiver, 410);
  await endpoint.update({ status: 'enabled' });
  status = 500;
  const again = await deliveries.redeliver(first.id);
  await service.runJob('webhooks.deliver');
  expect(await deliveries.get(again.id)).toMatchObject({ status: 'pending', attempts: 1 });
  const third = await deliveries.redeliver(again.id);
  expect(third).toMatchObject({ redeliveryOf: again.id, eventId: first.eventId });
  expect((await deliveries.get(first.id)).status).toBe('failed');
});

test('refuses where nothing can be sent, and says what to do about it', async ({ service, receiver }) => {
  const { id, client, deliveries, endpoint, first } = await delivered(service, receiver, 410);
  const refusal = { status: 409, code: 'CONFLICT' };
  await expect(deliveries.redeliver(first.id)).rejects.toMatchObject({
    ...{ ...refusal, reason: 'webhook_endpoint_disabled' },
    message: 'The webhook endpoint is disabled (gone). Enable it with PUT /v1/webhooks/endpoint first.',
  });
  await endpoint.update({ status: 'disabled' });
  await expect(deliveries.redeliver(first.id)).rejects.toMatchObject({
    message: expect.stringContaining('(merchant)'),
  });
  await client.merchants.update(id, { webhookUrl: null });
  await expect(deliveries.redeliver(first.id)).rejects.toMatchObject({ ...refusal, reason: 'webhook_url_missing' });
  expect((await deliveries.list({})).pagination.total).toBe(1);
});

test('makes one delivery per Idempotency-Key', async ({ service, receiver }) => {
  const { deliveries, first } = await delivered(service, receiver);
  const idempotencyKey = 'again-1';
  const made = [];
  for (let index = 0; index < 2; index += 1) made.push(await deliveries.redeliver(first.id, { idempotencyKey }));
  expect(made[1]).toEqual(made[0]);
  expect((await deliveries.list({})).pagination.total).toBe(2);
});

test("answers 404 for another merchant's delivery, and 401 without a token", async ({ service, receiver }) => {
  const { first, token } = await delivered(service, receiver);
  const stranger = await delivered(service, receiver);
  await expect(stranger.deliveries.redeliver(first.id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const path = `/v1/webhooks/deliveries/${first.id}/redeliver`;
  expect((await service.send('POST', path)).status).toBe(401);
  const bad = await service.send('POST', path, { token, headers: { 'idempotency-key': 'two words' } });
  expect(bad.status).toBe(400);
});
