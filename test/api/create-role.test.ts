import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';

test('keeps permissions in the order of the catalogue, and audits what the role allows', async ({ service }) => {
  const { client, id: by } = await service.admin();
  const role = await client.roles.create({
    name: 'payout_clerk',
    description: 'Sends the money.',
    permissions: ['withdrawals.manage', 'merchants.view'],
  });
  expect(role).toEqual({
    id: expect.stringMatching(/^role_/),
    name: 'payout_clerk',
    description: 'Sends the money.',
    permissions: ['merchants.view', 'withdrawals.manage'],
    createdAt: service.clock.now().toISOString(),
    updatedAt: service.clock.now().toISOString(),
  });
  expect(await auditOf(service, role.id, 'role.create')).toEqual([
    expect.objectContaining({
      actor_id: by,
      action: 'role.create',
      resource_type: 'role',
      metadata: { roleName: 'payout_clerk', permissions: ['merchants.view', 'withdrawals.manage'] },
    }),
  ]);
});

test("refuses permissions that the caller's role lacks", async ({ service }) => {
  const manager = await service.admin(['roles.manage', 'merchants.view']);
  const draft = { name: 'too_much', description: '', permissions: ['merchants.view', 'withdrawals.manage'] as const };
  await expect(manager.client.roles.create({ ...draft, permissions: [...draft.permissions] })).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
    message: expect.stringContaining('withdrawals.manage'),
  });
  expect(await manager.client.roles.create({ ...draft, name: 'right', permissions: ['merchants.view'] })).toMatchObject(
    { name: 'right' },
  );
});

test('makes one role per name, also under twenty concurrent requests', async ({ service }) => {
  const { client } = await service.admin();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.roles.create({ name: 'only_one', description: '', permissions: [] })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(19);
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('names the fields of invalid names and permissions, and makes one role per idempotency key', async ({
  service,
}) => {
  const { token } = await service.admin();
  const create = (change: object, headers = {}) =>
    service.send('POST', '/v1/admin/roles', {
      ...{ token, headers },
      body: { name: 'fine', description: '', permissions: [], ...change },
    });
  for (const name of ['Fine', 'with space', '_x', 'x_', 'x__y', '9x', '']) {
    expect(await create({ name })).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'name' }] } } });
  }
  expect(await create({ permissions: ['merchants.view', 'money.print'] })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'permissions.1' }] } },
  });
  const key = { 'idempotency-key': 'a-role' };
  const first = await create({ name: 'keyed' }, key);
  expect([first.status, (await create({ name: 'keyed' }, key)).body]).toEqual([201, first.body]);
  expect((await create({ name: 'other' }, key)).status).toBe(422);
});
