import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';

test('deletes an unused role and frees its name', async ({ service }) => {
  const { client } = await service.admin();
  const draft = { name: 'clerk', description: '', permissions: ['merchants.view' as const] };
  const { id } = await client.roles.create(draft);
  expect(await client.roles.delete(id)).toEqual({ message: 'Role deleted.' });
  await expect(client.roles.get(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.roles.delete(id)).rejects.toMatchObject({ status: 404 });
  expect(await client.roles.create(draft)).toMatchObject({ name: 'clerk' });
  expect((await auditOf(service, id, 'role.delete')).at(-1)).toMatchObject({
    action: 'role.delete',
    metadata: { roleName: 'clerk', permissions: ['merchants.view'] },
  });
});

test('refuses a role that an administrator has, active or not, and super_admin', async ({ service }) => {
  const { client, roleId } = await service.admin();
  const holder = await service.admin(['merchants.view']);
  await client.users.deactivate(holder.id);
  await expect(client.roles.delete(holder.roleId)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('One administrator has'),
  });
  await expect(client.roles.delete(roleId)).rejects.toMatchObject({ status: 409 });
});

test('refuses a role with permissions that the caller lacks', async ({ service }) => {
  const manager = await service.admin(['roles.manage']);
  await expect(manager.client.roles.delete('role_00000000000000000000000002')).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
});
