import { expect } from 'vitest';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { PASSWORD } from '../harness.ts';
import { payoutsTest } from '../support/payouts.ts';
import { newHash } from '../support/withdrawals.ts';

const test = payoutsTest();

test('nobody completes a large withdrawal with an account that its approver has made for it', async ({
  service,
  admin,
  payouts,
}) => {
  await payouts.set({ fourEyesThreshold: '100.00' });
  const email = 'puppet@kasi.example';
  const puppet = { email, name: 'A second person', password: PASSWORD, roleId: admin.roleId };
  const { id: puppetId } = await admin.client.users.create(puppet);
  const login = await service.send('POST', '/v1/admin/auth/login', { body: { email, password: PASSWORD } });
  const { token } = login.body as { token: string };
  const id = await payouts.approved();
  const complete = () =>
    service.send('POST', `/v1/admin/withdrawals/${id}/complete`, { token, body: { txHash: newHash() } });
  expect(await complete()).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', reason: 'four_eyes' } } });

  // Nor with a colleague's account, after setting its password.
  const colleague = await service.admin();
  const { client } = await service.admin();
  await admin.client.users.update(colleague.id, { password: `${PASSWORD}-2` });
  const taken = { email: colleague.email, password: `${PASSWORD}-2` };
  const { token: theirs } = (await service.send('POST', '/v1/admin/auth/login', { body: taken })).body as {
    token: string;
  };
  const path = `/v1/admin/withdrawals/${id}/complete`;
  expect(await service.send('POST', path, { token: theirs, body: { txHash: newHash() } })).toMatchObject({
    status: 403,
    body: { error: { reason: 'four_eyes' } },
  });

  // Nor by waiting until the account is a week old: it was not when the withdrawal was approved.
  const approvedOn = service.clock.now().toISOString().slice(0, 10);
  service.clock.advance(8 * DAY_MS);
  const late = await complete();
  expect(late).toMatchObject({ status: 403, body: { error: { reason: 'four_eyes' } } });
  // So it says since when, and how it ends, before somebody calls it failed and pays again.
  const { message } = (late.body as { error: { message: string } }).error;
  for (const part of [`approved on ${approvedOn}`, 'npx kasi admin', 'Do not fail it']) expect(message).toContain(part);

  // An account that was there a week before is another person's; so is one that was made in a shell.
  await service.db
    .updateTable('admins')
    .set({ created_at: after(service.clock.now(), -16 * DAY_MS) })
    .where('id', '=', puppetId)
    .execute();
  expect(await complete()).toMatchObject({ status: 200 });
  const other = await payouts.approved();
  expect(await client.withdrawals.complete(other, { txHash: newHash() })).toMatchObject({ status: 'completed' });
});
