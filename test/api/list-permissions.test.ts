import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';
import { dereference, type Schema } from '../support/contract.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the catalogue has every permission of the contract, each with what it allows', async () => {
  const { client } = await service.admin(['roles.view']);
  const { data } = await client.permissions.list();
  const schema = dereference<Schema>({ $ref: '#/components/schemas/Permission' });
  expect(data.map(({ name }) => name)).toEqual(schema['enum']);
  for (const { description } of data) expect(description).toMatch(/^[A-Z].{10,}\.$/);
  const nobody = await service.admin(['users.view']);
  await expect(nobody.client.permissions.list()).rejects.toMatchObject({ status: 403 });
});
