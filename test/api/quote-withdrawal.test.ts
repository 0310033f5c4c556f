import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

const test = base.extend('merchant', { scope: 'file' }, async ({ service }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  return merchant;
});

test('quotes the fee, the balance and what the limits leave, and holds nothing', async ({ merchant }) => {
  const quote = await merchant.client.withdrawals.quote({ amount: 250, method: 'crypto' });
  expect(quote).toEqual({
    amount: 250,
    fee: 1,
    netAmount: 249,
    method: 'crypto',
    currency: 'USDT',
    network: 'devnet',
    availableBalance: 1000,
    minAmount: 10,
    maxAmount: 10_000,
    dailyRemaining: 50_000,
    openRemaining: 5,
  });
  const made = await merchant.client.withdrawals.create({ amount: 250, method: 'crypto', destinationAddress: WALLET });
  expect(made).toMatchObject({ fee: quote.fee, netAmount: quote.netAmount });
  expect(await merchant.client.withdrawals.quote({ amount: 100.01, method: 'bank' })).toMatchObject({
    fee: 5,
    netAmount: 95.01,
    availableBalance: 750,
    dailyRemaining: 49_750,
    openRemaining: 4,
  });
});

test.for([
  [{ amount: 5, method: 'bank' }, 'amount'],
  [{ amount: 250, method: 'bank', network: 'devnet' }, 'network'],
  [{ amount: 250, method: 'bank', currency: 'USDC' }, 'currency'],
  [{ amount: 250, method: 'crypto', network: 'bsc' }, 'network'],
] as const)('refuses %j as the withdrawal itself would be', async ([query, path], { merchant }) => {
  await expect(merchant.client.withdrawals.quote(query)).rejects.toMatchObject({ status: 400, fields: [{ path }] });
});
