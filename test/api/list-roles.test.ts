import { expect } from 'vitest';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import { test } from '../fixture.ts';

test('lists all roles, newest first, with what they allow, including the built-in ones', async ({ service }) => {
  const { client } = await service.admin();
  const draft = { name: 'clerk', description: 'Reads.', permissions: ['merchants.view' as const] };
  const made = await client.roles.create(draft);
  service.clock.advance(1000);
  const newer = await client.roles.create({ ...draft, name: 'newer' });
  const { data } = await client.roles.list();
  const places = [newer, made].map(({ id }) => data.findIndex((role) => role.id === id));
  expect(places[1]).toBe((places[0] ?? 0) + 1);
  expect(data[places[1] ?? 0]).toEqual(made);
  expect(data.map(({ name }) => name).sort()).toEqual(['clerk', 'newer', 'super_admin', 'support_agent']);
  const of = (name: string) => data.find((role) => role.name === name);
  expect(of('super_admin')?.permissions).toEqual(ALL_PERMISSIONS);
  expect(of('support_agent')?.permissions).toEqual(['merchants.view', 'withdrawals.view', 'audit_logs.view']);
  const manager = await service.admin(['roles.manage']);
  await expect(manager.client.roles.list()).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});
