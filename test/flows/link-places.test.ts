import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const HOUR_MS = 3_600_000;

const limited = (merchant: TestMerchant, maxPayments: number) =>
  merchant.client.paymentLinks.create({ title: 'Seat', amount: 25, maxPayments, thankYou: 'Row 4.' });
const start = (service: TestService, slug: string) => service.client().public.paymentLinks.startPayment(slug, {});
const left = async (service: TestService, slug: string) => {
  const { paymentsLeft, paymentsOpen } = await service.client().public.paymentLinks.get(slug);
  return { paymentsLeft, paymentsOpen };
};
const SOLD_OUT = { status: 409, code: 'CONFLICT', reason: 'sold_out' };

test('money that comes after its place was given away is taken, and no more places are', async ({
  service,
  merchant,
}) => {
  const { id, slug } = await limited(merchant, 1);
  const slow = await start(service, slug);
  await expect(start(service, slug)).rejects.toMatchObject(SOLD_OUT);
  service.clock.advance(HOUR_MS + 1000);
  await service.chain.mine(2);
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(slow.id)).toMatchObject({ status: 'expired' });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 1, paymentsOpen: 0 });
  const quick = await start(service, slug);
  await service.chain.transfer(quick, { amount: '25' });
  await service.chain.transfer(slow, { amount: '25' });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(slow.id)).toMatchObject({ status: 'paid', exception: 'late' });
  expect(await merchant.client.payments.get(quick.id)).toMatchObject({ status: 'paid', exception: null });
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ paymentCount: 2, totalPaid: 50, maxPayments: 1 });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 0, paymentsOpen: 0 });
  await expect(start(service, slug)).rejects.toMatchObject({
    ...SOLD_OUT,
    message: 'This payment link takes 1 payment, and none is left. All of them are paid.',
  });
});

test('who has paid reads the thanks of when they started, and nobody before', async ({ service, merchant }) => {
  const { id, slug } = await limited(merchant, 5);
  const payment = await start(service, slug);
  expect(payment).toMatchObject({ thankYou: null, thankYouUrl: null });
  await merchant.client.paymentLinks.update(id, { thankYou: 'Row 5.' });
  await service.chain.transfer(payment, { amount: '25', confirmed: false });
  await service.runPaymentJobs();
  const confirming = await service.client().public.payments.get(payment.id);
  expect(confirming).toMatchObject({ status: 'confirming', thankYou: null });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 4, paymentsOpen: 1 });
  await service.chain.mine(2);
  await service.runPaymentJobs();
  expect(await service.client().public.payments.get(payment.id)).toMatchObject({ status: 'paid', thankYou: 'Row 4.' });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 4, paymentsOpen: 0 });
});
