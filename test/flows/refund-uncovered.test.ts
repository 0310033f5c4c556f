import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { arrived, claimed, refund } from '../support/refunds.ts';

const HOUR_MS = 3_600_000;
const test = serviceTest();

test('a refund whose transfer a reorg took fails after an hour, and nobody owes anything', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await claimed(service, merchant);
  await service.chain.drop(2);
  await service.runPaymentJobs();
  expect(await merchant.client.settlements.balance()).toMatchObject({ owed: 5 });
  service.clock.advance(HOUR_MS - 1000);
  await service.runJob('refunds.uncovered');
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ status: 'pending' });
  service.clock.advance(2000);
  await service.runJob('refunds.uncovered');
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({
    ...{ status: 'failed', statusMessage: expect.stringContaining('undone by the network') },
  });
  expect(await merchant.client.settlements.balance()).toMatchObject({ owed: 0, availableBalance: 0, heldBalance: 0 });
});

test('one whose transfer comes again goes on, and one that is being paid stays', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const txHash = await service.chain.transfer(payment, { amount: '25' });
  await service.runPaymentJobs();
  const { id } = await merchant.client.refunds.create(payment.id, { amount: 5, reason: 'Sold out.' });
  await service.chain.drop(2);
  await service.runPaymentJobs();
  await service.chain.transfer(payment, { amount: '25', txHash });
  await service.runPaymentJobs();
  const processing = await claimed(service, merchant);
  await admin.client.refunds.process(processing.id, {});
  await service.chain.drop(2);
  await service.runPaymentJobs();
  service.clock.advance(2 * HOUR_MS);
  await service.runJob('refunds.uncovered');
  expect(await merchant.client.refunds.get(id)).toMatchObject({ status: 'awaiting_claim' });
  expect(await merchant.client.refunds.get(processing.id)).toMatchObject({ status: 'processing' });
});

test('of several the newest fail, until the rest is covered', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '10');
  await service.chain.transfer(await merchant.client.payments.get(id), { amount: '15' });
  await service.runPaymentJobs();
  const create = (amount: number) => merchant.client.refunds.create(id, { amount, reason: 'Sold out.' });
  const refunds = [await create(8), await create(9), await create(2)];
  await service.chain.drop(2);
  await service.runPaymentJobs();
  service.clock.advance(2 * HOUR_MS);
  await service.runJob('refunds.uncovered');
  const statuses = await Promise.all(refunds.map(async (each) => (await merchant.client.refunds.get(each.id)).status));
  expect(statuses).toEqual(['awaiting_claim', 'failed', 'failed']);
  expect(await refund(service, merchant)).toMatchObject({ status: 'awaiting_claim' });
});
