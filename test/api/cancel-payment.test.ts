import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const cancel = (merchant: TestMerchant, id: string) => merchant.client.payments.cancel(id);
const conflict = (message: string) => ({ status: 409, code: 'CONFLICT', message });
const typesOf = async (service: TestService, id: string) =>
  (
    await service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence').execute()
  ).map(({ type }) => type);

test('ends an unpaid payment at once, announces it and audits it', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const cancelled = await cancel(merchant, payment.id);
  expect(cancelled).toEqual({ ...payment, status: 'expired', reason: 'cancelled' });
  expect(await merchant.client.payments.get(payment.id)).toEqual({ ...cancelled, refunds: [] });
  expect(await typesOf(service, payment.id)).toEqual(['payment.created', 'payment.expired']);
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', payment.id)
    .where('action', '=', 'payment.cancel')
    .execute();
  expect(entries).toMatchObject([{ actor_type: 'merchant', actor_id: merchant.id, metadata: { status: 'expired' } }]);
});

test('cancels a partly paid payment, whose money awaits a decision', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { amount: '10' });
  await service.runPaymentJobs();
  expect(await cancel(merchant, payment.id)).toMatchObject({
    status: 'expired',
    reason: 'cancelled',
    exception: 'underpaid',
    amountReceived: 10,
  });
});

test('cancels a payment whose payer has chosen a token', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.client().public.payments.select(payment.id, { token: 'USDC', network: 'devnet' });
  expect(await cancel(merchant, payment.id)).toMatchObject({ status: 'expired', reason: 'cancelled', token: 'USDC' });
});

test('never makes money that arrives later available by itself', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await cancel(merchant, payment.id);
  await service.chain.transfer(payment);
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({
    status: 'expired',
    reason: 'cancelled',
    exception: 'late',
    amountReceived: 25,
    paidAt: null,
  });
  expect(await typesOf(service, payment.id)).toEqual(['payment.created', 'payment.expired', 'payment.exception']);
  expect((await merchant.client.settlements.balance()).availableBalance).toBe(0);
});

test('cancels once', async ({ merchant }) => {
  const { id } = await create(merchant);
  await cancel(merchant, id);
  await expect(cancel(merchant, id)).rejects.toMatchObject(conflict('A payment that is expired can not be cancelled.'));
});

test('refuses a payment that is confirming or paid, even before a job has processed it', async ({
  service,
  merchant,
}) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { confirmed: false });
  await expect(cancel(merchant, payment.id)).rejects.toMatchObject(
    conflict('A payment that is confirming can not be cancelled.'),
  );
  await service.chain.mine(1);
  await service.runPaymentJobs();
  await expect(cancel(merchant, payment.id)).rejects.toMatchObject(
    conflict('A payment that is paid can not be cancelled.'),
  );
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'paid' });
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  const other = await service.activeMerchant();
  await expect(other.client.payments.cancel(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(cancel(merchant, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('POST', `/v1/payments/${id}/cancel`)).status).toBe(401);
  expect(await merchant.client.payments.get(id)).toMatchObject({ status: 'initiated' });
});
