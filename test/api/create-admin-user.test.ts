import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';

const SUPPORT_ROLE = 'role_00000000000000000000000002';
const draft = { email: 'nimali@kasi.example', name: ' Nimali Fernando ', password: PASSWORD, roleId: SUPPORT_ROLE };

test('creates an administrator who can log in at once, and audits who added whom', async ({ service }) => {
  const { id: by, client } = await service.admin();
  const created = await client.users.create({ ...draft, email: 'Nimali@Kasi.example' });
  expect(created).toEqual({
    id: expect.stringMatching(/^adm_/),
    email: 'nimali@kasi.example',
    name: 'Nimali Fernando',
    role: { id: SUPPORT_ROLE, name: 'support_agent' },
    status: 'active',
    createdAt: service.clock.now().toISOString(),
  });
  const login = { email: 'nimali@kasi.example', password: PASSWORD };
  expect(await service.send('POST', '/v1/admin/auth/login', { body: login })).toMatchObject({ status: 200 });
  const [entry, ...others] = await auditOf(service, created.id, 'admin.create');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    actor_type: 'admin',
    actor_id: by,
    action: 'admin.create',
    merchant_id: null,
    metadata: { name: 'Nimali Fernando', email: 'nimali@kasi.example', role: 'support_agent' },
  });
});

test('creates one administrator from twenty concurrent requests with one e-mail address, whatever its case', async ({
  service,
}) => {
  const { client } = await service.admin();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      client.users.create({ ...draft, email: index % 2 ? 'twice@kasi.example' : 'Twice@Kasi.example' }),
    ),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(19);
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('refuses to give a role with permissions that the caller lacks; only a super_admin makes another', async ({
  service,
}) => {
  const manager = await service.admin(['users.manage', 'audit_logs.view']);
  await expect(manager.client.users.create({ ...draft, email: 'a@kasi.example' })).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
    message: expect.stringContaining('merchants.view, withdrawals.view'),
  });
  const { roleId } = await service.admin();
  const everything = await service.admin(ALL_PERMISSIONS);
  await expect(everything.client.users.create({ ...draft, email: 'a@kasi.example', roleId })).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
  expect(await everything.client.users.create({ ...draft, email: 'a@kasi.example' })).toMatchObject({
    status: 'active',
  });
});

test('names the field of an unknown role, a weak password and a blank name', async ({ service }) => {
  const { client } = await service.admin();
  const refuse = (change: object, path: string) =>
    expect(client.users.create({ ...draft, email: 'b@kasi.example', ...change })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [expect.objectContaining({ path })],
    });
  await refuse({ roleId: 'role_00000000000000000000000009' }, 'roleId');
  await refuse({ password: 'weak' }, 'password');
  await refuse({ name: '   ' }, 'name');
  await refuse({ name: '\u200b\u2060' }, 'name');
});

test('keeps a name to one line that turns nothing around, as colleagues read it in lists and in the audit log', async ({
  service,
}) => {
  const { client } = await service.admin();
  const name = ' Nimali\u202e\r\n\u009b2J Fernando\u200b';
  const { id } = await client.users.create({ ...draft, email: 'line@kasi.example', name });
  expect((await client.users.get(id)).name).toBe('Nimali 2J Fernando');
  const changed = await client.users.update(id, { name: 'Nimali\u2028Perera\u2066' });
  expect(changed.name).toBe('Nimali Perera');
  await expect(client.users.update(id, { name: '\u202e' })).rejects.toMatchObject({ status: 400 });
});

test('creates one administrator per idempotency key, and refuses another request under the same key', async ({
  service,
}) => {
  const { token } = await service.admin();
  const send = (name: string) =>
    service.send('POST', '/v1/admin/users', {
      token,
      headers: { 'idempotency-key': 'nimali' },
      body: { ...draft, email: 'keyed@kasi.example', name },
    });
  const first = await send('Nimali');
  const again = await send('Nimali');
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  expect((await send('Somebody else')).status).toBe(422);
});

test('keeps no fast hash of the password with the answer that it repeats', async ({ service }) => {
  const { token } = await service.admin();
  const body = { ...draft, email: 'kept@kasi.example' };
  const path = '/v1/admin/users';
  const key = 'admin-of-the-month';
  const send = (sent: object) => service.send('POST', path, { token, body: sent, headers: { 'idempotency-key': key } });
  const first = await send(body);
  expect(first.status).toBe(201);
  const again = await send(body);
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
  expect(await send({ ...body, password: `${PASSWORD}-2` })).toMatchObject({ status: 422 });
  const guess = createHash('sha256')
    .update(`POST\n${path}\n${JSON.stringify(body)}`)
    .digest('hex');
  const kept = await service.db.selectFrom('idempotency_keys').select('fingerprint').execute();
  expect(kept).not.toEqual([]);
  expect(kept.map(({ fingerprint }) => fingerprint.toString('hex'))).not.toContain(guess);
});
