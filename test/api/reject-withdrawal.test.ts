import { expect, test } from 'vitest';
import { usePayouts } from '../support/payouts.ts';

const payouts = usePayouts();
const { create, approved, eventsOf, auditOf } = payouts;
const reject = (id: string, reason = 'The account is not theirs.') =>
  payouts.admin.client.withdrawals.reject(id, { reason });

test('the money goes back, and the merchant reads why', async () => {
  const before = await payouts.balance();
  const { id } = await create();
  const now = payouts.service.clock.now().toISOString();
  expect(await reject(id)).toEqual({
    id,
    status: 'rejected',
    reviewedBy: payouts.admin.id,
    reviewedAt: now,
    message: "Withdrawal rejected; the money is back in the merchant's balance.",
  });
  expect(await payouts.balance()).toEqual(before);
  expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'rejected',
    statusReason: 'declined',
    statusMessage: 'The account is not theirs.',
    processedAt: now,
  });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({
    reason: 'The account is not theirs.',
    notes: 'The account is not theirs.',
    closedBy: payouts.admin.id,
    closedAt: now,
    completedAt: null,
  });
  expect(await eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.rejected']);
  expect(await auditOf(id)).toMatchObject([
    { action: 'withdrawal.reject', metadata: { newStatus: 'rejected', reason: 'The account is not theirs.' } },
  ]);
});

test('a reason is needed', async () => {
  const { id } = await create();
  for (const body of [{}, { reason: '' }, { reason: ' \t\n ' }, { reason: '\u200b\u3000' }]) {
    const path = `/v1/admin/withdrawals/${id}/reject`;
    expect((await payouts.service.send('POST', path, { token: payouts.admin.token, body })).status).toBe(400);
  }
});

test('spaces around a reason are left out', async () => {
  const { id } = await create();
  await reject(id, '  Not theirs. \n');
  expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({ statusMessage: 'Not theirs.' });
});

test('what was approved is not rejected any more, it fails', async () => {
  const id = await approved();
  await expect(reject(id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await expect(reject('wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});
