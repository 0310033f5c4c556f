import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { payoutsTest } from '../support/payouts.ts';

const test = payoutsTest();
const reject = (admin: TestAdmin, id: string, reason = 'The account is not theirs.') =>
  admin.client.withdrawals.reject(id, { reason });

test('returns the money and shows the merchant the reason', async ({ service, merchant, admin, payouts }) => {
  const before = await payouts.balance();
  const { id } = await payouts.create();
  const now = service.clock.now().toISOString();
  expect(await reject(admin, id)).toEqual({
    id,
    status: 'rejected',
    reviewedBy: admin.id,
    reviewedAt: now,
    message: "Withdrawal rejected; the money is back in the merchant's balance.",
  });
  expect(await payouts.balance()).toEqual(before);
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'rejected',
    statusReason: 'declined',
    statusMessage: 'The account is not theirs.',
    processedAt: now,
  });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({
    reason: 'The account is not theirs.',
    notes: 'The account is not theirs.',
    closedBy: admin.id,
    closedAt: now,
    completedAt: null,
  });
  expect(await payouts.eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.rejected']);
  expect(await payouts.auditOf(id)).toMatchObject([
    { action: 'withdrawal.reject', metadata: { newStatus: 'rejected', reason: 'The account is not theirs.' } },
  ]);
});

test('needs a reason', async ({ service, admin, payouts }) => {
  const { id } = await payouts.create();
  for (const body of [{}, { reason: '' }, { reason: ' \t\n ' }, { reason: '\u200b\u3000' }]) {
    const path = `/v1/admin/withdrawals/${id}/reject`;
    expect((await service.send('POST', path, { token: admin.token, body })).status).toBe(400);
  }
});

test('trims the reason', async ({ merchant, admin, payouts }) => {
  const { id } = await payouts.create();
  await reject(admin, id, '  Not theirs. \n');
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({ statusMessage: 'Not theirs.' });
});

test('refuses an approved withdrawal, which can only fail', async ({ admin, payouts }) => {
  const id = await payouts.approved();
  await expect(reject(admin, id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await expect(reject(admin, 'wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});
