import { expect } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { insertTestRole } from '../support/admins.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

/** As on a live platform. */
const test = serviceTest({ settings: { changeDelayHours: 24 } });

test('a stolen session makes no administrator who moves money', async ({ service, admin }) => {
  const factor = await turnOnTwoFactor(service, admin.client.auth, PASSWORD);
  const puppet = { email: 'puppet@kasi.example', name: 'Puppet', password: PASSWORD, roleId: admin.roleId };
  await expect(admin.client.users.create(puppet)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  const colleague = await service.admin();
  const takeOver = { password: `${PASSWORD}-2` };
  await expect(admin.client.users.update(colleague.id, takeOver)).rejects.toMatchObject({ reason: 'otp_required' });

  const { id, status } = await admin.client.users.create({ ...puppet, otp: factor.nextCode() });
  expect(status).toBe('deactivated');
  // Nor does anybody wake it before its time.
  await expect(colleague.client.users.activate(id)).rejects.toMatchObject({ status: 409 });
  const login = () =>
    service.send('POST', '/v1/admin/auth/login', { body: { email: puppet.email, password: PASSWORD } });
  expect(await login()).toMatchObject({ status: 401 });
  const [change] = (await colleague.client.changes.list({ kind: 'admin' })).data;
  expect(change).toMatchObject({ subjectId: id, changes: { status: { from: 'deactivated', to: 'active' } } });
  await colleague.client.changes.approve(change?.id ?? '');
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  expect(await login()).toMatchObject({ status: 200 });
});

test('nor does it give a role, or an administrator, what moves money', async ({ service }) => {
  const [admin, colleague] = [await service.admin(), await service.admin()];
  const roleId = await insertTestRole(service, ['merchants.view'], 'clerk');
  const clerk = await service.admin([]);
  // What moves nothing takes effect at once.
  await admin.client.users.update(clerk.id, { roleId });
  await admin.client.roles.update(roleId, { permissions: ['merchants.view', 'withdrawals.view'] });
  const wanted = ['merchants.view', 'withdrawals.view', 'withdrawals.manage'] as const;
  const { permissions } = await admin.client.roles.update(roleId, { permissions: [...wanted], description: 'Pays.' });
  expect(permissions).toEqual(['merchants.view', 'withdrawals.view']);
  expect((await admin.client.users.update(clerk.id, { roleId: admin.roleId })).role.id).toBe(roleId);
  const open = (await colleague.client.changes.list({ status: 'proposed' })).data.filter(
    ({ proposedBy }) => proposedBy === admin.id,
  );
  expect(open.map(({ kind, subjectId }) => [kind, subjectId]).sort()).toEqual([
    ['admin', clerk.id],
    ['role', roleId],
  ]);
  for (const { id } of open) await colleague.client.changes.approve(id);
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  expect((await admin.client.roles.get(roleId)).permissions).toEqual(wanted);
  expect((await admin.client.users.get(clerk.id)).role.id).toBe(admin.roleId);
});
