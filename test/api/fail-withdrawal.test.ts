import { expect, test } from 'vitest';
import { usePayouts } from '../support/payouts.ts';

const payouts = usePayouts();
const { create, approved, eventsOf, auditOf } = payouts;
const fail = (id: string, reason = 'The bank sent it back.') => payouts.admin.client.withdrawals.fail(id, { reason });

test.each(['approved', 'processing'])(
  'what is %s can be given up: the money goes back, fee and all',
  async (status) => {
    const before = await payouts.balance();
    const id = await approved();
    if (status === 'processing') await payouts.admin.client.withdrawals.process(id, {});
    const now = payouts.service.clock.now().toISOString();
    expect(await fail(id)).toEqual({
      id,
      status: 'failed',
      failedAt: now,
      message: "Withdrawal failed; the money is back in the merchant's balance.",
    });
    expect(await payouts.balance()).toEqual(before);
    expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({
      status: 'rejected',
      statusReason: 'failed',
      statusMessage: 'The bank sent it back.',
    });
    expect((await eventsOf(id)).at(-1)).toBe('withdrawal.failed');
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'withdrawal.fail',
      metadata: { previousStatus: status, newStatus: 'failed', reason: 'The bank sent it back.' },
    });
  },
);

test('a blank reason is none: the withdrawal stays as it is', async () => {
  const id = await approved();
  await expect(fail(id, '   ')).rejects.toMatchObject({ status: 400, fields: [{ path: 'reason' }] });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({ status: 'approved' });
  await fail(id, ' Closed account. ');
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({ reason: 'Closed account.' });
});

test('what waits is rejected instead, and what has ended stays as it is', async () => {
  const { id } = await create();
  await expect(fail(id)).rejects.toMatchObject({ status: 409 });
  const ended = await approved();
  await fail(ended);
  await expect(fail(ended)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is failed; to fail it, it must be approved or processing.',
  });
  await expect(fail('wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});
