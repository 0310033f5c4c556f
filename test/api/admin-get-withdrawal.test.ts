import { expect } from 'vitest';
import type { TestMerchant } from '../harness.ts';
import { BANK, payoutsTest } from '../support/payouts.ts';
import { WALLET } from '../support/withdrawals.ts';

const test = payoutsTest();
const bank = (merchant: TestMerchant) => merchant.client.withdrawals.create({ amount: 250, ...BANK });

test('shows the merchant, both legs and every decision', async ({ service, merchant, admin, payouts }) => {
  const { id } = await payouts.create({ currency: 'USDC' });
  expect(await admin.client.withdrawals.get(id)).toEqual({
    id,
    merchantId: merchant.id,
    merchantName: 'Ceylon Tea House',
    merchantStatus: 'active',
    method: 'crypto',
    amount: '250.00',
    fee: '1.00',
    netAmount: '249.00',
    currency: 'USDC',
    network: 'devnet',
    destinationAddress: WALLET,
    bankAccountNumber: null,
    bankName: null,
    bankBranch: null,
    status: 'pending',
    cancelled: false,
    reason: null,
    notes: null,
    txHash: null,
    reference: null,
    txVerified: null,
    txBlock: null,
    txFinalAt: null,
    reverts: 0,
    requestedAt: service.clock.now().toISOString(),
    updatedAt: service.clock.now().toISOString(),
    reviewedBy: null,
    reviewedAt: null,
    processingAt: null,
    processedBy: null,
    failRequestedBy: null,
    failRequestedAt: null,
    completedAt: null,
    closedBy: null,
    closedAt: null,
  });
});

test('shows the full account number only with the permission to manage withdrawals', async ({ service, merchant }) => {
  const { id } = await bank(merchant);
  const viewer = await service.admin(['withdrawals.view']);
  const manager = await service.admin(['withdrawals.view', 'withdrawals.manage']);
  const masked = { bankAccountNumber: '****7890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy', fee: '5.00' };
  expect(await viewer.client.withdrawals.get(id)).toMatchObject(masked);
  expect(await manager.client.withdrawals.get(id)).toMatchObject({ bankAccountNumber: '0072 3456 7890' });
});

test('names no administrator on a withdrawal that its merchant cancelled', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const { id } = await payouts.create();
  await merchant.client.withdrawals.cancel(id);
  expect(await admin.client.withdrawals.get(id)).toMatchObject({
    status: 'rejected',
    cancelled: true,
    reason: null,
    reviewedBy: null,
    reviewedAt: null,
    closedBy: null,
    closedAt: service.clock.now().toISOString(),
  });
});

test('answers 404 for an unknown withdrawal', async ({ admin }) => {
  await expect(admin.client.withdrawals.get('wd_00000000000000000000000000')).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});
