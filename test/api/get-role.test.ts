import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows a role by its id, and answers 404 for an unknown one', async ({ service }) => {
  const { client } = await service.admin();
  const viewer = await service.admin(['roles.view']);
  const made = await client.roles.create({ name: 'clerk', description: '', permissions: [] });
  expect(await viewer.client.roles.get(made.id)).toEqual(made);
  await expect(client.roles.get('role_00000000000000000000000009')).rejects.toMatchObject({ status: 404 });
  const nobody = await service.admin([]);
  await expect(nobody.client.roles.get(made.id)).rejects.toMatchObject({ status: 403 });
});
