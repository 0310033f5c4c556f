import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

/** A merchant of its own for each test, whose balance is that of its one payment. */
async function paying(service: TestService, amount: string) {
  const merchant = await service.activeMerchant();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.chain.transfer(payment, { amount });
  await service.runPaymentJobs();
  return { merchant, payment };
}

const accept = ({ client }: TestMerchant, id: string) => client.payments.resolve(id, { action: 'accept' });
const available = async ({ client }: TestMerchant) => (await client.settlements.balance()).availableBalance;
const conflict = (message: RegExp) => ({ status: 409, code: 'CONFLICT', message: expect.stringMatching(message) });

test('makes an accepted surplus available, and leaves nothing to decide', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  expect(await available(merchant)).toBe(25);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'paid', exception: 'overpaid' });

  expect(await accept(merchant, payment.id)).toMatchObject({ status: 'paid', exception: null, amountReceived: 30 });
  expect(await available(merchant)).toBe(30);
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/No money .* waits/));
  expect(await available(merchant)).toBe(30);
});

test('accepts what arrived of an expired payment without making it paid', async ({ service }) => {
  const { merchant, payment } = await paying(service, '10');
  await merchant.client.payments.cancel(payment.id);
  expect(await available(merchant)).toBe(0);
  expect(await accept(merchant, payment.id)).toMatchObject({
    status: 'expired',
    reason: 'cancelled',
    exception: null,
    amountReceived: 10,
    paidAt: null,
  });
  expect(await available(merchant)).toBe(10);
});

test('accepts a token that was not asked for at its value', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await service.chain.transfer(payment, { amount: '7', token: 'USDC' });
  await merchant.client.payments.cancel(payment.id);
  await service.runPaymentJobs();
  expect(await accept(merchant, payment.id)).toMatchObject({ status: 'expired', exception: null });
  expect(await available(merchant)).toBe(7);
});

test('needs another decision for money that arrives after one', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  await accept(merchant, payment.id);
  await service.chain.transfer(payment, { amount: '3' });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ exception: 'overpaid', amountReceived: 33 });
  expect(await available(merchant)).toBe(30);
  await accept(merchant, payment.id);
  expect(await available(merchant)).toBe(33);
});

test('audits the decision', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  await accept(merchant, payment.id);
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', payment.id)
    .where('action', '=', 'payment.resolve')
    .execute();
  expect(entries).toMatchObject([{ actor_id: merchant.id, metadata: { status: 'paid' } }]);
});

test('refuses a transfer that is not confirmed', async ({ service }) => {
  const { merchant, payment } = await paying(service, '25');
  await service.chain.transfer(payment, { amount: '5', confirmed: false });
  await service.runPaymentJobs();
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/not confirmed yet/));
  await service.chain.mine(1);
  await service.runPaymentJobs();
  await accept(merchant, payment.id);
  expect(await available(merchant)).toBe(30);
});

test('refuses a payment that still waits for its payer', async ({ service }) => {
  const { merchant, payment } = await paying(service, '10');
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/This payment is pending/));
  await service.chain.transfer(payment, { amount: '15', confirmed: false });
  await service.runPaymentJobs();
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/This payment is confirming/));
});

test('refuses a payment that was paid exactly', async ({ service }) => {
  const { merchant, payment } = await paying(service, '25');
  await expect(accept(merchant, payment.id)).rejects.toMatchObject(conflict(/No money/));
});

test('takes no other decision than to accept', async ({ service }) => {
  const { merchant, payment } = await paying(service, '30');
  const refund = { action: 'refund' as 'accept' };
  await expect(merchant.client.payments.resolve(payment.id, refund)).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'action', message: 'must be one of: accept' }],
  });
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({ service }) => {
  const { payment } = await paying(service, '30');
  const other = await service.activeMerchant();
  await expect(accept(other, payment.id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(accept(other, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const path = `/v1/payments/${payment.id}/resolve`;
  expect((await service.send('POST', path, { body: { action: 'accept' } })).status).toBe(401);
});
