import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { createKey } from '../support/signing.ts';

const ORDER = {
  amount: 49.99,
  currency: 'USD',
  successUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  metadata: { orderId: 'A-1001' },
} as const;

async function shop(service: TestService) {
  const merchant = await service.activeMerchant();
  const { apiKey, apiSecret } = await createKey(service, merchant, {
    permissions: ['payments:write', 'payments:read'],
  });
  return { merchant, client: service.client({ apiKey, apiSecret }) };
}

test('opens the same session by key as by login, visible to both', async ({ service }) => {
  const { merchant, client } = await shop(service);
  const created = await client.checkout.sessions.create(ORDER);
  expect(created).toEqual({
    id: created.sessionId,
    paymentId: expect.stringMatching(/^pay_/),
    sessionId: expect.stringMatching(/^cs_/),
    checkoutUrl: `http://localhost:3000/checkout/session/${created.sessionId}`,
    expiresAt: expect.any(String),
  });
  const asServer = await client.checkout.sessions.get(created.sessionId);
  expect(asServer).toMatchObject({ amount: 49.99, metadata: { orderId: 'A-1001' }, status: 'open' });
  expect(await merchant.client.checkout.sessions.get(created.sessionId)).toEqual(asServer);
  expect(await client.payments.get(asServer.paymentId)).toMatchObject({
    amount: 49.99,
    metadata: { orderId: 'A-1001' },
  });
});

test('answers 400 that names the wrong field, and opens nothing', async ({ service }) => {
  const { client } = await shop(service);
  await expect(client.checkout.sessions.create({ ...ORDER, amount: 0 })).rejects.toMatchObject({
    status: 400,
    fields: [{ path: 'amount' }],
  });
  expect((await client.payments.list()).payments).toEqual([]);
});

test('refuses a frozen merchant', async ({ service }) => {
  const { merchant, client } = await shop(service);
  await service.decide(merchant.id, { kind: 'freeze', reason: 'odd payments' });
  await expect(client.checkout.sessions.create(ORDER)).rejects.toMatchObject({ reason: 'merchant_not_active' });
});
