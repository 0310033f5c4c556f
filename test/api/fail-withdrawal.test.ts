import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { payoutsTest } from '../support/payouts.ts';

const test = payoutsTest();
const fail = (admin: TestAdmin, id: string, reason = 'The bank sent it back.') =>
  admin.client.withdrawals.fail(id, { reason });

test.for(['approved', 'processing'])(
  'fails a withdrawal that is %s and returns its money with the fee',
  async (status, { service, merchant, admin, payouts }) => {
    const before = await payouts.balance();
    const id = await payouts.approved();
    if (status === 'processing') await admin.client.withdrawals.process(id, {});
    const now = service.clock.now().toISOString();
    expect(await fail(admin, id)).toEqual({
      id,
      status: 'failed',
      failedAt: now,
      message: "Withdrawal failed; the money is back in the merchant's balance.",
    });
    expect(await payouts.balance()).toEqual(before);
    expect(await merchant.client.withdrawals.get(id)).toMatchObject({
      status: 'rejected',
      statusReason: 'failed',
      statusMessage: 'The bank sent it back.',
    });
    expect((await payouts.eventsOf(id)).at(-1)).toBe('withdrawal.failed');
    expect((await payouts.auditOf(id)).at(-1)).toMatchObject({
      action: 'withdrawal.fail',
      metadata: { previousStatus: status, newStatus: 'failed', reason: 'The bank sent it back.' },
    });
  },
);

test('refuses a blank reason and leaves the withdrawal as it is', async ({ admin, payouts }) => {
  const id = await payouts.approved();
  await expect(fail(admin, id, '   ')).rejects.toMatchObject({ status: 400, fields: [{ path: 'reason' }] });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ status: 'approved' });
  await fail(admin, id, ' Closed account. ');
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ reason: 'Closed account.' });
});

test('refuses a pending withdrawal, which is rejected instead, and one that has ended', async ({ admin, payouts }) => {
  const { id } = await payouts.create();
  await expect(fail(admin, id)).rejects.toMatchObject({ status: 409 });
  const ended = await payouts.approved();
  await fail(admin, ended);
  await expect(fail(admin, ended)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is failed; to fail it, it must be approved or processing.',
  });
  await expect(fail(admin, 'wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});
