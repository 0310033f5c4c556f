import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { dereference, type Schema } from '../support/contract.ts';

test('lists every permission of the contract with what it allows', async ({ service }) => {
  const { client } = await service.admin(['roles.view']);
  const { data } = await client.permissions.list();
  const schema = dereference<Schema>({ $ref: '#/components/schemas/Permission' });
  expect(data.map(({ name }) => name)).toEqual(schema['enum']);
  for (const { description } of data) expect(description).toMatch(/^[A-Z].{10,}\.$/);
  const nobody = await service.admin(['users.view']);
  await expect(nobody.client.permissions.list()).rejects.toMatchObject({ status: 403 });
});
