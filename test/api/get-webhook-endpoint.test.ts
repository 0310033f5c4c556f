import { expect } from 'vitest';
import { test } from '../fixture.ts';

const NONE = {
  url: null,
  eventTypes: null,
  status: 'disabled',
  disabledReason: null,
  failingSince: null,
  updatedAt: null,
};

test('is disabled without a URL, with every other field null', async ({ service }) => {
  const { client } = await service.activeMerchant();
  expect(await client.webhooks.endpoint.get()).toEqual(NONE);
});

test("is the merchant's webhookUrl, and removing that forgets the rest", async ({ service }) => {
  const { id, client } = await service.activeMerchant();
  const url = 'https://teahouse.example/hooks/kasi';
  await client.merchants.update(id, { webhookUrl: url });
  const updatedAt = service.clock.now().toISOString();
  expect(await client.webhooks.endpoint.get()).toEqual({ ...NONE, url, status: 'enabled', updatedAt });
  await client.webhooks.endpoint.update({ eventTypes: ['payment.completed'] });
  await client.merchants.update(id, { webhookUrl: 'https://teahouse.example/other' });
  expect(await client.webhooks.endpoint.get()).toMatchObject({
    url: 'https://teahouse.example/other',
    eventTypes: ['payment.completed'],
  });
  await client.merchants.update(id, { webhookUrl: null });
  expect(await client.webhooks.endpoint.get()).toEqual(NONE);
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/webhooks/endpoint')).status).toBe(401);
});
