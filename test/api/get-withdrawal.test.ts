import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

const test = base.extend('merchant', { scope: 'file' }, async ({ service }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  return merchant;
});

test('shows a withdrawal as it was created', async ({ merchant }) => {
  const bank = { bankAccountNumber: '007234567890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
  for (const made of [
    await merchant.client.withdrawals.create({ amount: 250, method: 'crypto', destinationAddress: WALLET }),
    await merchant.client.withdrawals.create({ amount: 250, method: 'bank', ...bank }),
  ]) {
    expect(await merchant.client.withdrawals.get(made.id)).toEqual(made);
  }
});

test('answers 404 to another merchant', async ({ service, merchant }) => {
  const { id } = await merchant.client.withdrawals.create({
    amount: 10,
    method: 'crypto',
    destinationAddress: WALLET,
  });
  const other = await service.activeMerchant();
  await expect(other.client.withdrawals.get(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(other.client.withdrawals.cancel(id)).rejects.toMatchObject({ status: 404 });
});
