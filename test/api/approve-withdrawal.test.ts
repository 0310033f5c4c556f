import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { BANK, payoutsTest } from '../support/payouts.ts';

const OFF_RAMP = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

const test = payoutsTest();
const approve = (admin: TestAdmin, id: string, body: { notes?: string } = {}) =>
  admin.client.withdrawals.approve(id, body);

test('approves a pending withdrawal: keeps, announces and audits who and when, and the money stays held', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const { id } = await payouts.create();
  const before = await payouts.balance();
  service.clock.advance(60_000);
  const now = service.clock.now().toISOString();
  expect(await approve(admin, id, { notes: 'Account checked.' })).toEqual({
    id,
    status: 'approved',
    reviewedBy: admin.id,
    reviewedAt: now,
    message: 'Withdrawal approved.',
  });
  expect(await payouts.balance()).toEqual(before);
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({ status: 'approved', processedAt: null });
  expect(await payouts.eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.approved']);
  expect(await payouts.auditOf(id)).toMatchObject([
    {
      action: 'withdrawal.approve',
      actor_id: admin.id,
      merchant_id: merchant.id,
      metadata: { previousStatus: 'pending', newStatus: 'approved', notes: 'Account checked.' },
    },
  ]);
});

test('takes no body, and approves once', async ({ service, merchant, admin, payouts }) => {
  const { id } = await payouts.create();
  const path = `/v1/admin/withdrawals/${id}/approve`;
  expect((await service.send('POST', path, { token: admin.token })).status).toBe(200);
  await expect(approve(admin, id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This withdrawal is approved; to approve it, it must be pending.',
  });
  await expect(merchant.client.withdrawals.cancel(id)).rejects.toMatchObject({ status: 409 });
});

test('fixes the off-ramp address of a bank withdrawal, which later settings do not change', async ({
  merchant,
  admin,
  payouts,
}) => {
  const [early, late] = [await payouts.create(BANK), await payouts.create(BANK)];
  const read = async (id: string) => (await admin.client.withdrawals.get(id)).destinationAddress;
  await approve(admin, early.id);
  await payouts.set({ offRampAddress: OFF_RAMP });
  expect([await read(early.id), await read(late.id)]).toEqual([null, null]);
  await approve(admin, late.id);
  await payouts.set({ offRampAddress: null });
  expect([await read(early.id), await read(late.id)]).toEqual([null, OFF_RAMP]);
  expect((await merchant.client.withdrawals.get(late.id)).destinationAddress).toBeNull();
});

test('answers 404 for an unknown withdrawal', async ({ admin }) => {
  await expect(approve(admin, 'wd_00000000000000000000000000')).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
});
