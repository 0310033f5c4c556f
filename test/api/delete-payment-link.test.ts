import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('removes a link for everyone, while its payments stay payable and listed', async ({ service, merchant }) => {
  const { id, slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25, slug: 'tea' });
  const payment = await service.client().public.paymentLinks.startPayment(slug, {});
  expect(await merchant.client.paymentLinks.delete(id)).toEqual({ message: 'Payment link deleted.' });
  expect((await merchant.client.paymentLinks.list()).data).toEqual([]);
  await expect(merchant.client.paymentLinks.get(id)).rejects.toMatchObject({ status: 404 });
  await expect(service.client().public.paymentLinks.get(slug)).rejects.toMatchObject({ status: 404 });

  await service.chain.transfer(payment);
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({
    status: 'paid',
    description: 'Tea',
    paymentLinkId: id,
  });
  const entries = await service.db
    .selectFrom('audit_log')
    .select('action')
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['payment_link.create', 'payment_link.delete']);
});

test('deletes once', async ({ merchant }) => {
  const { id } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25 });
  await merchant.client.paymentLinks.delete(id);
  await expect(merchant.client.paymentLinks.delete(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test("answers 404 for another merchant's link, and 401 without a token", async ({ service, merchant }) => {
  const { id } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25 });
  const other = await service.activeMerchant();
  await expect(other.client.paymentLinks.delete(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('DELETE', `/v1/payment-links/${id}`)).status).toBe(401);
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ id });
});
