import { expect } from 'vitest';
import { test as base } from '../fixture.ts';

const test = base.extend('merchant', { scope: 'file' }, ({ service }) =>
  service.activeMerchant({ businessName: 'Colombo Spices' }),
);

test('shows a payer what to pay, to whom and where to go afterwards, but no metadata', async ({
  service,
  merchant,
}) => {
  const { sessionId, checkoutUrl, expiresAt } = await merchant.client.checkout.sessions.create({
    amount: 1500,
    currency: 'LKR',
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    metadata: { secret: 'margin-40-percent' },
  });
  const { paymentId } = await merchant.client.checkout.sessions.get(sessionId);
  const read = () => service.client().public.checkout.sessions.get(sessionId);
  expect(await read()).toEqual({
    id: sessionId,
    status: 'open',
    amount: 1500,
    currency: 'LKR',
    merchantName: 'Colombo Spices',
    paymentId,
    checkoutUrl,
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    expiresAt,
    livemode: false,
  });
  expect(await service.client().public.payments.get(paymentId)).toMatchObject({
    sessionId,
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
  });
  service.clock.set(new Date(expiresAt));
  expect(await read()).toMatchObject({ status: 'expired' });
});

test('answers 404 for an unknown session', async ({ service }) => {
  await expect(service.client().public.checkout.sessions.get('cs_unknown')).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});
