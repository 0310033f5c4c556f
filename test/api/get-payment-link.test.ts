import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows what was paid through the link: the requested amounts of its confirmed payments', async ({
  service,
  merchant,
}) => {
  const { id, slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25.5 });
  const read = () => merchant.client.paymentLinks.get(id);
  const [paid, confirming] = [
    await service.client().public.paymentLinks.startPayment(slug),
    await service.client().public.paymentLinks.startPayment(slug, {}),
  ];
  expect(await read()).toMatchObject({ totalPaid: 0, paymentCount: 0 });
  await service.chain.transfer(paid, { amount: '26' });
  await service.chain.transfer(confirming, { confirmed: false });
  await service.runPaymentJobs();
  expect(await read()).toMatchObject({ totalPaid: 25.5, paymentCount: 1 });
  await service.chain.mine(1);
  await service.runPaymentJobs();
  expect(await read()).toMatchObject({ totalPaid: 51, paymentCount: 2 });
  expect((await merchant.client.paymentLinks.list()).data).toMatchObject([{ id, totalPaid: 51, paymentCount: 2 }]);
});

test('shows an expired link as expired at once', async ({ service, merchant }) => {
  const expiresAt = new Date(service.clock.now().getTime() + 1000).toISOString();
  const { id } = await merchant.client.paymentLinks.create({ title: 'Short', amount: 1, expiresAt });
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ status: 'active', expiresAt });
  service.clock.advance(1000);
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ status: 'expired', expiresAt });
});

test("answers the same 404 for an unknown link, a deleted one and another merchant's", async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 1 });
  const other = await service.activeMerchant();
  const gone = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 1 });
  await merchant.client.paymentLinks.delete(gone.id);
  const missing = { status: 404, code: 'NOT_FOUND', message: 'There is no such payment link.' };
  await expect(other.client.paymentLinks.get(id)).rejects.toMatchObject(missing);
  await expect(merchant.client.paymentLinks.get(gone.id)).rejects.toMatchObject(missing);
  await expect(merchant.client.paymentLinks.get('plink_unknown')).rejects.toMatchObject(missing);
  expect((await service.send('GET', `/v1/payment-links/${id}`)).status).toBe(401);
});
