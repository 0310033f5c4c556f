import { expect, test } from 'vitest';
import { usePayouts } from '../support/payouts.ts';

const payouts = usePayouts();
const { create, approved, eventsOf, auditOf } = payouts;
const process = (id: string) => payouts.admin.client.withdrawals.process(id, { notes: 'Payout run.' });

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
