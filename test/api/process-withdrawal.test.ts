import { expect, test } from 'vitest';
import { usePayouts } from '../support/payouts.ts';
import { newHash, WALLET } from '../support/withdrawals.ts';

const payouts = usePayouts();
const { create, approved, eventsOf, auditOf } = payouts;
const process = (id: string, notes = 'Payout run.') => payouts.admin.client.withdrawals.process(id, { notes });

test('says that it is being paid, to the merchant too, and only one says so', async () => {
  const id = await approved();
  const now = payouts.service.clock.now().toISOString();
  expect(await process(id)).toEqual({
    id,
    status: 'processing',
    processingAt: now,
    message: 'Withdrawal is being paid.',
  });
  expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'approved',
    statusReason: 'processing',
  });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({ processingAt: now, notes: 'Payout run.' });
  expect((await eventsOf(id)).at(-1)).toBe('withdrawal.processing');
  expect((await auditOf(id)).at(-1)).toMatchObject({
    action: 'withdrawal.process',
    metadata: { newStatus: 'processing' },
  });
  await expect(process(id)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is processing; to process it, it must be approved.',
  });
});

test('nobody begins to pay what was not approved, or a merchant that was frozen', async () => {
  const { id } = await create();
  await expect(process(id)).rejects.toMatchObject({ status: 409 });
  const frozen = await approved();
  await payouts.service.decide(payouts.merchant.id, { kind: 'freeze', reason: 'under review' });
  await expect(process(frozen)).rejects.toMatchObject({ status: 409, reason: 'merchant_not_active' });
  await payouts.service.decide(payouts.merchant.id, { kind: 'unfreeze', reason: 'all is well' });
  expect(await process(frozen)).toMatchObject({ status: 'processing' });
  await expect(process('wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});

test('a blank note leaves the note before', async () => {
  const { id } = await create();
  await payouts.admin.client.withdrawals.approve(id, { notes: ' Checked. ' });
  await process(id, ' \t ');
  await payouts.admin.client.withdrawals.complete(id, { txHash: newHash(), notes: '   ' });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({ notes: 'Checked.' });
  expect((await auditOf(id)).map(({ metadata }) => (metadata as { notes?: string }).notes)).toEqual([
    'Checked.',
    undefined,
    undefined,
  ]);
});

test('a merchant that owes is not paid what it withdrew before: giving that up repays the debt', async () => {
  const { client, id } = await payouts.owing();
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 100, owed: 100 });
  await expect(process(id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    reason: 'merchant_owes',
    message: expect.stringMatching(/^The merchant owes 100\.00 USD, .*Fail this withdrawal: that repays the debt/),
  });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({ status: 'approved' });
  await payouts.admin.client.withdrawals.fail(id, { reason: 'The payment was taken back.' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 0, owed: 0 });
  await expect(process(id)).rejects.toMatchObject({ message: expect.stringContaining('it must be approved') });
});

test('of a merchant that owes what has ended or waits is told first', async () => {
  const { client, id, earn } = await payouts.owing();
  await earn(150);
  const waiting = await client.withdrawals.create({ amount: 50, method: 'crypto', destinationAddress: WALLET });
  await payouts.service.chain.drop(2);
  await payouts.service.settle();
  await expect(process(waiting.id)).rejects.toMatchObject({ message: expect.stringContaining('is pending') });
  await expect(process(id)).rejects.toMatchObject({ reason: 'merchant_owes' });
});
