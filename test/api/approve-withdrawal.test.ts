import { expect, test } from 'vitest';
import { BANK, usePayouts } from '../support/payouts.ts';

const OFF_RAMP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const payouts = usePayouts();
const { create, eventsOf, auditOf } = payouts;
const approve = (id: string, body: { notes?: string } = {}) => payouts.admin.client.withdrawals.approve(id, body);

test('what waits is approved: who and when is kept, announced and written down, and the money stays held', async () => {
  const { id } = await create();
  const before = await payouts.balance();
  payouts.service.clock.advance(60_000);
  const now = payouts.service.clock.now().toISOString();
  expect(await approve(id, { notes: 'Account checked.' })).toEqual({
    id,
    status: 'approved',
    reviewedBy: payouts.admin.id,
    reviewedAt: now,
    message: 'Withdrawal approved.',
  });
  expect(await payouts.balance()).toEqual(before);
  expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({ status: 'approved', processedAt: null });
  expect(await eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.approved']);
  expect(await auditOf(id)).toMatchObject([
    {
      action: 'withdrawal.approve',
      actor_id: payouts.admin.id,
      merchant_id: payouts.merchant.id,
      metadata: { previousStatus: 'pending', newStatus: 'approved', notes: 'Account checked.' },
    },
  ]);
});

test('a body is not needed, and it is approved once', async () => {
  const { id } = await create();
  const path = `/v1/admin/withdrawals/${id}/approve`;
  expect((await payouts.service.send('POST', path, { token: payouts.admin.token })).status).toBe(200);
  await expect(approve(id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This withdrawal is approved; to approve it, it must be pending.',
  });
  await expect(payouts.merchant.client.withdrawals.cancel(id)).rejects.toMatchObject({ status: 409 });
});

test('where the crypto of a bank withdrawal goes is settled then, and nothing that comes later changes it', async () => {
  const [early, late] = [await create(BANK), await create(BANK)];
  const read = async (id: string) => (await payouts.admin.client.withdrawals.get(id)).destinationAddress;
  await approve(early.id);
  await payouts.set({ offRampAddress: OFF_RAMP });
  expect([await read(early.id), await read(late.id)]).toEqual([null, null]);
  await approve(late.id);
  await payouts.set({ offRampAddress: null });
  expect([await read(early.id), await read(late.id)]).toEqual([null, OFF_RAMP]);
  expect((await payouts.merchant.client.withdrawals.get(late.id)).destinationAddress).toBeNull();
});

test('a withdrawal that is not there is a 404', async () => {
  await expect(approve('wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
