import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { payoutsTest } from '../support/payouts.ts';
import { newHash, WALLET } from '../support/withdrawals.ts';

const test = payoutsTest();
const process = (admin: TestAdmin, id: string, notes = 'Payout run.') =>
  admin.client.withdrawals.process(id, { notes });

test('marks a withdrawal as processing once, which the merchant sees', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const id = await payouts.approved();
  const now = service.clock.now().toISOString();
  expect(await process(admin, id)).toEqual({
    id,
    status: 'processing',
    processingAt: now,
    message: 'Withdrawal is being paid.',
  });
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'approved',
    statusReason: 'processing',
  });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ processingAt: now, notes: 'Payout run.' });
  expect((await payouts.eventsOf(id)).at(-1)).toBe('withdrawal.processing');
  expect((await payouts.auditOf(id)).at(-1)).toMatchObject({
    action: 'withdrawal.process',
    metadata: { newStatus: 'processing' },
  });
  await expect(process(admin, id)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is processing; to process it, it must be approved.',
  });
});

test('refuses a withdrawal that was not approved, and a frozen merchant', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const { id } = await payouts.create();
  await expect(process(admin, id)).rejects.toMatchObject({ status: 409 });
  const frozen = await payouts.approved();
  await service.decide(merchant.id, { kind: 'freeze', reason: 'under review' });
  await expect(process(admin, frozen)).rejects.toMatchObject({ status: 409, reason: 'merchant_not_active' });
  await service.decide(merchant.id, { kind: 'unfreeze', reason: 'all is well' });
  expect(await process(admin, frozen)).toMatchObject({ status: 'processing' });
  await expect(process(admin, 'wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});

test('keeps the previous note when the new one is blank', async ({ admin, payouts }) => {
  const { id } = await payouts.create();
  await admin.client.withdrawals.approve(id, { notes: ' Checked. ' });
  await process(admin, id, ' \t ');
  await admin.client.withdrawals.complete(id, { txHash: newHash(), notes: '   ' });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ notes: 'Checked.' });
  expect((await payouts.auditOf(id)).map(({ metadata }) => (metadata as { notes?: string }).notes)).toEqual([
    'Checked.',
    undefined,
    undefined,
  ]);
});

test('refuses a merchant in debt, whose withdrawal, once failed, repays the debt', async ({ admin, payouts }) => {
  const { client, id } = await payouts.owing();
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 100, owed: 100 });
  await expect(process(admin, id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    reason: 'merchant_owes',
    message: expect.stringMatching(/^The merchant owes 100\.00 USD, .*Fail this withdrawal: that repays the debt/),
  });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ status: 'approved' });
  await admin.client.withdrawals.fail(id, { reason: 'The payment was taken back.' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 0, owed: 0 });
  await expect(process(admin, id)).rejects.toMatchObject({ message: expect.stringContaining('it must be approved') });
});

test("names a withdrawal's wrong status before the merchant's debt", async ({ service, admin, payouts }) => {
  const { client, id, earn } = await payouts.owing();
  await earn(150);
  const waiting = await client.withdrawals.create({ amount: 50, method: 'crypto', destinationAddress: WALLET });
  await service.chain.drop(2);
  await service.runPaymentJobs();
  await expect(process(admin, waiting.id)).rejects.toMatchObject({ message: expect.stringContaining('is pending') });
  await expect(process(admin, id)).rejects.toMatchObject({ reason: 'merchant_owes' });
});
