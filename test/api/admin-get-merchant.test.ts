import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows the profile, the reason for its status, and the totals', async ({ service }) => {
  const { client } = await service.admin(['merchants.view']);
  const merchant = await service.activeMerchant();
  const { id } = merchant;
  const payments = [];
  for (const amount of [25, 10]) payments.push(await merchant.client.payments.create({ amount, currency: 'USD' }));
  await merchant.client.apiKeys.create({ name: 'Web shop' });
  const [paid] = payments;
  if (!paid) throw new Error('no payment was made');
  await service.chain.transfer(paid, { amount: '25' });
  await service.chain.mine(5);
  await service.runPaymentJobs();
  const seen = await client.merchants.get(id);
  const { balance, paymentCount, paidCount, lastPaidAt, apiKeyCount, rejectedAt, ...profile } = seen;
  expect(rejectedAt).toBeNull();
  expect(profile).toEqual(await merchant.client.merchants.get(id));
  expect(balance).toEqual(await merchant.client.settlements.balance());
  expect({ paymentCount, paidCount, apiKeyCount }).toEqual({ paymentCount: 2, paidCount: 1, apiKeyCount: 1 });
  expect(lastPaidAt).toBe((await merchant.client.payments.get(paid.id)).paidAt);
  await service.decide(id, { kind: 'freeze', reason: 'odd payments' });
  expect(await client.merchants.get(id)).toMatchObject({ status: 'frozen', statusReason: 'odd payments' });
});

test('shows zero totals for a merchant without activity, and answers 404 for an unknown one', async ({ service }) => {
  const { client } = await service.admin();
  const { id } = await service.registerMerchant();
  expect(await client.merchants.get(id)).toMatchObject({
    ...{ paymentCount: 0, paidCount: 0, lastPaidAt: null, apiKeyCount: 0 },
    balance: { availableBalance: 0, pendingBalance: 0, totalEarned: 0, owed: 0, currency: 'USD' },
  });
  await expect(client.merchants.get('mer_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
  const other = await service.admin(['merchants.approve']);
  await expect(other.client.merchants.get(id)).rejects.toMatchObject({ status: 403 });
});
