import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

const SUPPORT_ROLE = 'role_00000000000000000000000002';

test('lists the newest first, with role and last login', async ({ service }) => {
  const { client, id, email } = await service.admin();
  service.clock.advance(1000);
  const fresh = await client.users.create({
    ...{ email: 'nimali@kasi.example', name: 'Nimali', password: PASSWORD, roleId: SUPPORT_ROLE },
  });
  const { data, pagination } = await client.users.list();
  expect(pagination).toEqual(onlyPage(2));
  expect(data).toEqual([
    { ...fresh, lastLoginAt: null },
    expect.objectContaining({ id, email, lastLoginAt: expect.any(String), status: 'active' }),
  ]);
  expect(data[1]?.role).toEqual({ id: expect.stringMatching(/^role_/), name: 'super_admin' });
});

test('filters by status and role, page by page', async ({ service }) => {
  const { client } = await service.admin();
  const viewer = await service.admin(['users.view']);
  const gone = await service.admin([]);
  await client.users.deactivate(gone.id);
  const ids = async (query: Parameters<typeof client.users.list>[0]) =>
    (await client.users.list(query)).data.map(({ id }) => id);
  expect(await ids({ status: 'deactivated' })).toEqual([gone.id]);
  expect(await ids({ status: 'active' })).not.toContain(gone.id);
  expect(await ids({ roleId: viewer.roleId })).toEqual([viewer.id]);
  expect(await ids({ roleId: gone.roleId, status: 'active' })).toEqual([]);
  expect(await ids({ roleId: 'role_00000000000000000000000009' })).toEqual([]);
  const all = await ids({});
  expect(await ids({ page: 2, limit: 2 })).toEqual(all.slice(2, 4));
  expect(await client.users.list({ page: 9 })).toMatchObject({ data: [], pagination: { total: all.length } });
  const iterated: string[] = [];
  for await (const { id } of client.users.iterate({ limit: 1 })) iterated.push(id);
  expect(iterated).toEqual(all);
});

test('answers 400 for a wrong filter, and 403 without the permission', async ({ service }) => {
  const { token } = await service.admin();
  expect(await service.send('GET', '/v1/admin/users?status=gone', { token })).toMatchObject({ status: 400 });
  const manager = await service.admin(['users.manage']);
  await expect(manager.client.users.list()).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});
