import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';

test('an activated administrator can log in again; a second activation is no error, and old sessions stay ended', async ({
  service,
}) => {
  const { client } = await service.admin();
  const { id, email, token } = await service.admin([]);
  const login = () => service.send('POST', '/v1/admin/auth/login', { body: { email, password: PASSWORD } });
  await client.users.deactivate(id);
  expect((await login()).status).toBe(401);
  const answer = { id, status: 'active', message: 'The administrator can log in.' };
  expect(await client.users.activate(id)).toEqual(answer);
  service.clock.advance(1);
  expect(await client.users.activate(id)).toEqual(answer);
  expect((await login()).status).toBe(200);
  expect((await service.send('GET', '/v1/admin/auth/me', { token })).status).toBe(401);
  expect(await auditOf(service, id, 'admin.activate')).toEqual([
    expect.objectContaining({ metadata: { previousStatus: 'deactivated', newStatus: 'active' } }),
    expect.objectContaining({ metadata: { previousStatus: 'active', newStatus: 'active' } }),
  ]);
});

test('refuses to activate a role with permissions that the caller lacks, and answers 404 for an unknown administrator', async ({
  service,
}) => {
  const { client } = await service.admin();
  const manager = await service.admin(['users.manage']);
  const stronger = await service.admin(['withdrawals.manage']);
  await client.users.deactivate(stronger.id);
  await expect(manager.client.users.activate(stronger.id)).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
  expect(await client.users.get(stronger.id)).toMatchObject({ status: 'deactivated' });
  await expect(client.users.activate('adm_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});
