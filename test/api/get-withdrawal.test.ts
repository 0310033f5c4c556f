import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
});
afterAll(() => service.close());

test('looks as it did when it was made', async () => {
  const bank = { bankAccountNumber: '007234567890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
  for (const made of [
    await merchant.client.withdrawals.create({ amount: 250, method: 'crypto', destinationAddress: WALLET }),
    await merchant.client.withdrawals.create({ amount: 250, method: 'bank', ...bank }),
  ]) {
    expect(await merchant.client.withdrawals.get(made.id)).toEqual(made);
  }
});

test('another merchant is told that there is none', async () => {
  const { id } = await merchant.client.withdrawals.create({
    amount: 10,
    method: 'crypto',
    destinationAddress: WALLET,
  });
  const other = await service.activeMerchant();
  await expect(other.client.withdrawals.get(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(other.client.withdrawals.cancel(id)).rejects.toMatchObject({ status: 404 });
});
