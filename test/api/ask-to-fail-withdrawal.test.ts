import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { payoutsTest } from '../support/payouts.ts';
import { newHash } from '../support/withdrawals.ts';

const test = payoutsTest();

test('is taken only for what is being paid, with a note to read; the latest request counts', async ({
  admin,
  service,
  payouts,
}) => {
  await payouts.set({ fourEyesThreshold: '250.00' });
  const [other, reason] = [await service.admin(), 'It came back.'];
  const ask = (by: TestAdmin, id: string, notes = 'Nothing was signed.') =>
    by.client.withdrawals.askToFail(id, { notes });
  const id = await payouts.approved();
  await expect(ask(admin, id)).rejects.toMatchObject({
    ...{ status: 409, message: 'This withdrawal is approved; to ask to fail it, it must be processing.' },
  });
  await admin.client.withdrawals.process(id, {});
  await expect(ask(admin, id, '  ')).rejects.toMatchObject({ status: 400, fields: [{ path: 'notes' }] });
  await ask(other, id);
  await ask(admin, id);
  await expect(admin.client.withdrawals.fail(id, { reason })).rejects.toMatchObject({
    status: 403,
    reason: 'four_eyes',
  });
  expect(await other.client.withdrawals.fail(id, { reason })).toMatchObject({ status: 'failed' });
  await expect(ask(admin, id)).rejects.toMatchObject({ status: 409 });
  await payouts.set({ fourEyesThreshold: null });
});

test('is noted for the other administrators, tells the merchant nothing, and ends with a completion', async ({
  admin,
  service,
  payouts,
}) => {
  const id = await payouts.approved();
  await admin.client.withdrawals.process(id, {});
  const [held, events] = [await payouts.balance(), await payouts.eventsOf(id)];
  const failRequestedAt = service.clock.now().toISOString();
  expect(await admin.client.withdrawals.askToFail(id, { notes: ' Nothing was signed. ' })).toEqual({
    ...{ id, status: 'processing', failRequestedBy: admin.id, failRequestedAt },
    message: 'Noted. Another administrator can fail the withdrawal now.',
  });
  const other = await service.admin();
  expect(await other.client.withdrawals.get(id)).toMatchObject({
    ...{ failRequestedBy: admin.id, failRequestedAt, notes: 'Nothing was signed.' },
  });
  expect((await payouts.auditOf(id)).at(-1)).toMatchObject({ action: 'withdrawal.fail_request', actor_id: admin.id });
  expect([await payouts.balance(), await payouts.eventsOf(id)]).toEqual([held, events]);
  await other.client.withdrawals.complete(id, { txHash: newHash() });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({ failRequestedBy: null, failRequestedAt: null });
});
