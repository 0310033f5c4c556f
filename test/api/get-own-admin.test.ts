import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows who the caller is and what their role allows now, not at login', async ({ service }) => {
  const admin = await service.admin(['audit_logs.view']);
  const me = { id: admin.id, email: admin.email, role: { id: admin.roleId }, twoFactorEnabled: false };
  expect(await admin.client.auth.me()).toMatchObject({ ...me, permissions: ['audit_logs.view'] });
  const permissions = ['users.view', 'audit_logs.view'];
  await service.db.updateTable('roles').set({ permissions }).where('id', '=', admin.roleId).execute();
  expect((await admin.client.auth.me()).permissions).toEqual(permissions);
});

test('shows every permission for the super role', async ({ service }) => {
  const admin = await service.admin();
  const { role, permissions } = await admin.client.auth.me();
  expect(role.name).toBe('super_admin');
  expect(permissions).toHaveLength(16);
});
