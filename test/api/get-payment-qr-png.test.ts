import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { readPng, showsQr } from '../support/qr-image.ts';

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const png = async (service: TestService, id: string) => readPng(await service.client().public.payments.qrPng(id));

test('encodes the payment URI, so that a wallet reads what to send where', async ({ service, merchant }) => {
  const payment = await create(merchant);
  expect(showsQr(await png(service, payment.id), payment.paymentUri, 4, 8)).toBe(true);
  expect(showsQr(await png(service, payment.id), `${payment.paymentUri}0`, 4, 8)).toBe(false);
});

test('asks for what is still missing, in the chosen token', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const { paymentUri } = await service
    .client()
    .public.payments.select(payment.id, { token: 'USDC', network: 'devnet' });
  expect(showsQr(await png(service, payment.id), paymentUri, 4, 8)).toBe(true);
  await service.chain.transfer(payment, { amount: '10', token: 'USDC' });
  await service.runPaymentJobs();
  const rest = await service.client().public.payments.get(payment.id);
  expect(rest.paymentUri).toContain('&uint256=15000000000000000000');
  expect(showsQr(await png(service, payment.id), rest.paymentUri, 4, 8)).toBe(true);
});

test('may be embedded by other sites and is never cached', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const { headers } = await service.send('GET', `/v1/public/payments/${id}/qr.png`);
  expect(headers.get('content-type')).toMatch(/^image\/png/);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('answers 404 for an unknown payment', async ({ service }) => {
  await expect(png(service, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
