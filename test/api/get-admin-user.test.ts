import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows an administrator without secrets, and answers 404 for an unknown one', async ({ service }) => {
  const { client } = await service.admin();
  const viewer = await service.admin(['users.view']);
  expect(await viewer.client.users.get(viewer.id)).toEqual({
    id: viewer.id,
    email: viewer.email,
    name: expect.any(String),
    role: { id: viewer.roleId, name: expect.any(String) },
    status: 'active',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  await expect(client.users.get('adm_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
  const nobody = await service.admin([]);
  await expect(nobody.client.users.get(nobody.id)).rejects.toMatchObject({ status: 403 });
});
