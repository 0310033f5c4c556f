import { expect } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { PASSWORD } from '../harness.ts';
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

test('from the four-eyes threshold on, fails what is being paid only when another administrator has asked for it', async ({
  admin,
  service,
  payouts,
}) => {
  await payouts.set({ fourEyesThreshold: '250.00' });
  const [payer, other] = [await service.admin(), await service.admin()];
  const begin = async (change = {}) => {
    const id = await payouts.approved(change);
    await payer.client.withdrawals.process(id, {});
    return id;
  };
  const [large, small] = [await begin(), await begin({ amount: 249.99 })];
  expect(await fail(payer, small)).toMatchObject({ status: 'failed' });
  const held = await payouts.balance();
  const refused = { status: 403, code: 'FORBIDDEN', reason: 'four_eyes' };
  const first = /^From 250\.00 USD on it takes two administrators to fail a withdrawal .* ask for it \(fail-request\)/;
  for (const each of [payer, other, admin])
    await expect(fail(each, large)).rejects.toMatchObject({ ...refused, message: expect.stringMatching(first) });

  await other.client.withdrawals.askToFail(large, { notes: 'Nothing was signed.' });
  await expect(fail(other, large)).rejects.toMatchObject({
    ...{
      ...refused,
      message: expect.stringMatching(/You have asked for it: let another administrator .*npx kasi admin/),
    },
  });
  expect(await payouts.balance()).toEqual(held);
  // What was not sent then may have been sent since.
  service.clock.advance(DAY_MS);
  await expect(fail(payer, large)).rejects.toMatchObject({ ...refused, message: expect.stringMatching(first) });
  await other.client.withdrawals.askToFail(large, { notes: 'Still not.' });
  expect(await fail(payer, large)).toMatchObject({ status: 'failed' });

  // Nothing of what is only approved has been sent, and below the threshold one is enough.
  expect(await fail(admin, await payouts.approved())).toMatchObject({ status: 'failed' });
  await payouts.set({ fourEyesThreshold: null });
  expect(await fail(payer, await begin())).toMatchObject({ status: 'failed' });
});

test('fails nothing with an account that was made for it', async ({ service, admin, payouts }) => {
  await payouts.set({ fourEyesThreshold: '250.00' });
  const email = 'puppet-that-fails@kasi.example';
  await admin.client.users.create({ email, name: 'A puppet', password: PASSWORD, roleId: admin.roleId });
  const login = await service.send('POST', '/v1/admin/auth/login', { body: { email, password: PASSWORD } });
  const { token } = login.body as { token: string };
  const id = await payouts.approved();
  await admin.client.withdrawals.process(id, {});
  await admin.client.withdrawals.askToFail(id, { notes: 'Nothing was signed.' });
  const body = { reason: 'It came back.' };
  expect(await service.send('POST', `/v1/admin/withdrawals/${id}/fail`, { token, body })).toMatchObject({
    status: 403,
    body: { error: { reason: 'four_eyes', message: expect.stringContaining("one person's with yours has asked") } },
  });
  await payouts.set({ fourEyesThreshold: null });
});
