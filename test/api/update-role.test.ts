import { expect } from 'vitest';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

test("replaces the permissions as a whole, effective with the role holders' next request", async ({ service }) => {
  const { client } = await service.admin();
  const holder = await service.admin(['users.view', 'roles.view']);
  await holder.client.users.list();
  service.clock.advance(1000);
  const role = await client.roles.update(holder.roleId, { permissions: ['settings.view', 'roles.view'] });
  expect(role).toMatchObject({
    permissions: ['settings.view', 'roles.view'],
    updatedAt: service.clock.now().toISOString(),
  });
  await expect(holder.client.users.list()).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
  expect(await holder.client.roles.get(holder.roleId)).toEqual(role);
  expect((await auditOf(service, holder.roleId, 'role.update')).at(-1)).toMatchObject({
    action: 'role.update',
    metadata: {
      roleName: role.name,
      changed: {},
      permissionsAdded: ['settings.view'],
      permissionsRemoved: ['users.view'],
    },
  });
});

test('changes name and description alone, and nothing when nothing differs', async ({ service }) => {
  const { client } = await service.admin();
  const made = await client.roles.create({ name: 'clerk', description: 'Reads.', permissions: ['merchants.view'] });
  service.clock.advance(1000);
  const { description, permissions } = made;
  expect(await client.roles.update(made.id, {})).toEqual(made);
  expect(await client.roles.update(made.id, { name: 'clerk', description, permissions })).toEqual(made);
  service.clock.advance(1);
  const renamed = await client.roles.update(made.id, { name: 'reader', description: 'Only reads.' });
  expect(renamed).toMatchObject({ name: 'reader', description: 'Only reads.', permissions: ['merchants.view'] });
  expect((await auditOf(service, made.id, 'role.update')).at(-1)?.metadata).toMatchObject({
    changed: { name: { from: 'clerk', to: 'reader' }, description: { from: 'Reads.', to: 'Only reads.' } },
  });
  await expect(client.roles.update(made.id, { name: 'support_agent' })).rejects.toMatchObject({ status: 409 });
});

test("refuses the caller's own role, a role with permissions that the caller lacks, and adding such permissions", async ({
  service,
}) => {
  const manager = await service.admin(['roles.manage', 'merchants.view']);
  const weaker = await service.admin(['merchants.view']);
  const stronger = await service.admin(['merchants.view', 'withdrawals.manage']);
  const update = (roleId: string, permissions: ('merchants.view' | 'withdrawals.manage')[]) =>
    manager.client.roles.update(roleId, { permissions });
  await expect(update(manager.roleId, [])).rejects.toMatchObject({ status: 403, reason: 'own_role' });
  await expect(update(stronger.roleId, [])).rejects.toMatchObject({ status: 403, reason: 'permission_not_held' });
  await expect(update(weaker.roleId, ['withdrawals.manage'])).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
  expect(await update(weaker.roleId, [])).toMatchObject({ permissions: [] });
});

test('refuses super_admin; answers 404 for an unknown role, and 400 for an unknown permission', async ({ service }) => {
  const { client, roleId, token } = await service.admin();
  await expect(client.roles.update(roleId, { permissions: [] })).rejects.toMatchObject({ status: 409 });
  await expect(client.roles.update(roleId, { name: 'boss' })).rejects.toMatchObject({ status: 409 });
  expect((await client.roles.get(roleId)).permissions).toEqual(ALL_PERMISSIONS);
  await expect(client.roles.update('role_00000000000000000000000009', { name: 'x' })).rejects.toMatchObject({
    status: 404,
  });
  const body = { permissions: ['money.print'] };
  expect(await service.send('PUT', `/v1/admin/roles/${roleId}`, { token, body })).toMatchObject({ status: 400 });
});

test('asks for a code before a permission that moves money or rights is taken away', async ({ service }) => {
  const { client } = await service.admin();
  const { roleId } = await service.admin(['settings.view', 'settings.update']);
  const factor = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const less = { permissions: ['settings.view' as const] };
  await expect(client.roles.update(roleId, less)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  expect(await client.roles.update(roleId, { ...less, otp: factor.nextCode() })).toMatchObject(less);
  expect(await client.roles.update(roleId, { permissions: [] })).toMatchObject({ permissions: [] });
});
