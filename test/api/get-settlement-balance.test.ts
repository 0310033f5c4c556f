import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';

const test = serviceTest({ settings: { paymentFeeBps: 100 } });

const EMPTY = {
  availableBalance: 0,
  pendingBalance: 0,
  heldBalance: 0,
  totalEarned: 0,
  owed: 0,
  suspense: 0,
  currency: 'USD',
};

test('counts a payment as pending while it confirms, then as available less the fee, and as earned before fees', async ({
  service,
  merchant,
}) => {
  const read = () => merchant.client.settlements.balance();
  expect(await read()).toEqual(EMPTY);
  const payment = await merchant.client.payments.create({ amount: 49.99, currency: 'USD' });
  await service.chain.transfer(payment, { confirmed: false });
  await service.runPaymentJobs();
  expect(await read()).toEqual({ ...EMPTY, pendingBalance: 49.99 });
  await service.chain.mine(1);
  await service.runPaymentJobs();
  // 49.99 less 0.4999 is 49.4901.
  expect(await read()).toEqual({ ...EMPTY, availableBalance: 49.49, totalEarned: 49.99 });
});

test('drops what a deep reorg reversed from available and earned', async ({ service }) => {
  const other = await service.activeMerchant();
  const payment = await other.client.payments.create({ amount: 100, currency: 'USD' });
  await service.chain.transfer(payment);
  await service.runPaymentJobs();
  expect(await other.client.settlements.balance()).toMatchObject({ availableBalance: 99, totalEarned: 100 });
  await service.chain.drop(2);
  await service.runPaymentJobs();
  expect(await other.client.settlements.balance()).toEqual(EMPTY);
});

test('shows what arrived short and waits, until the merchant accepts it', async ({ service }) => {
  const other = await service.activeMerchant();
  const payment = await other.client.payments.create({ amount: 100, currency: 'USD' });
  await service.chain.transfer(payment, { amount: '40' });
  await service.runPaymentJobs();
  expect(await other.client.settlements.balance()).toEqual({ ...EMPTY, suspense: 40 });
  service.clock.set(new Date(new Date(payment.expiresAt).getTime() + 60_000));
  await service.chain.mine(2);
  await service.runPaymentJobs();
  expect(await other.client.settlements.balance()).toEqual({ ...EMPTY, suspense: 40 });
  await other.client.payments.resolve(payment.id, { action: 'accept' });
  expect(await other.client.settlements.balance()).toEqual({ ...EMPTY, availableBalance: 39.6, totalEarned: 40 });
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/settlements/balance')).status).toBe(401);
});
