import { expect } from 'vitest';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const SUPPORT_ROLE = 'role_00000000000000000000000002';
const NEW = 'Even-str0nger';

test('changes what is sent, keeps the rest, and audits the old values', async ({ service }) => {
  const { client, id: by } = await service.admin();
  const { id, roleId } = await service.admin([]);
  const before = await client.users.get(id);
  service.clock.advance(1000);
  const after = await client.users.update(id, { name: 'Nimali', email: 'Nimali@Kasi.example', roleId: SUPPORT_ROLE });
  expect(after).toEqual({
    ...before,
    name: 'Nimali',
    email: 'nimali@kasi.example',
    role: { id: SUPPORT_ROLE, name: 'support_agent' },
    updatedAt: service.clock.now().toISOString(),
  });
  expect(await client.users.get(id)).toEqual(after);
  expect((await auditOf(service, id, 'admin.update')).at(-1)).toMatchObject({
    actor_id: by,
    action: 'admin.update',
    metadata: {
      changed: {
        name: { from: before.name, to: 'Nimali' },
        email: { from: before.email, to: 'nimali@kasi.example' },
        role: { from: before.role.name, to: 'support_agent' },
      },
    },
  });
  expect((await client.roles.list()).data.map((role) => role.id)).toContain(roleId);
});

test('changes nothing, not even the time, when nothing differs', async ({ service }) => {
  const { client } = await service.admin();
  const { id } = await service.admin([]);
  const before = await client.users.get(id);
  service.clock.advance(1000);
  expect(await client.users.update(id, {})).toEqual(before);
  const { name, email, role } = before;
  expect(await client.users.update(id, { name, email, roleId: role.id })).toEqual(before);
});

test('ends the sessions of the administrator on a new password, which is stored nowhere', async ({ service }) => {
  const { client } = await service.admin();
  const { id, email, token } = await service.admin([]);
  await client.users.update(id, { password: NEW });
  expect(await service.send('GET', '/v1/admin/auth/me', { token })).toMatchObject({
    status: 401,
    body: { error: { reason: 'session_revoked' } },
  });
  const logIn = (password: string) => service.send('POST', '/v1/admin/auth/login', { body: { email, password } });
  expect((await logIn(PASSWORD)).status).toBe(401);
  expect((await logIn(NEW)).status).toBe(200);
  const entry = (await auditOf(service, id, 'admin.update')).at(-1);
  expect(entry?.metadata).toEqual({ changed: {}, passwordChanged: true, sessionsEnded: 1 });
});

test('a new password makes unknown the devices that logged in with the former one', async ({ service }) => {
  const { client } = await service.admin();
  const { id, email } = await service.admin([]);
  const logIn = (password: string) => service.send('POST', '/v1/admin/auth/login', { body: { email, password } });
  const known = async (): Promise<number> => {
    const devices = service.db.selectFrom('login_devices').select('device').where('principal_id', '=', id);
    return (await devices.execute()).length;
  };
  expect(await known(), 'an address and a token').toBe(2);
  await client.users.update(id, { name: 'Nimali' });
  expect(await known()).toBe(2);
  await client.users.update(id, { password: NEW });
  expect(await known()).toBe(0);
  expect((await logIn(NEW)).status).toBe(200);
});

test('refuses any change to a role holder with permissions that the caller lacks', async ({ service }) => {
  const manager = await service.admin(['users.view', 'users.manage']);
  const stronger = await service.admin(['withdrawals.view']);
  const chief = await service.admin();
  for (const { id, email } of [stronger, chief]) {
    for (const change of [
      { name: 'Mallory' },
      { email: 'm@kasi.example' },
      { password: NEW },
      { roleId: manager.roleId },
    ]) {
      await expect(manager.client.users.update(id, change)).rejects.toMatchObject({
        status: 403,
        reason: 'permission_not_held',
      });
    }
    expect(await manager.client.users.get(id)).toMatchObject({ email });
    const login = { email, password: PASSWORD };
    expect((await service.send('POST', '/v1/admin/auth/login', { body: login })).status).toBe(200);
  }
});

test("refuses the caller's own role, even to fewer permissions, but takes their own name", async ({ service }) => {
  const chief = await service.admin();
  const manager = await service.admin(['users.manage']);
  for (const { id, client } of [chief, manager]) {
    await expect(client.users.update(id, { roleId: SUPPORT_ROLE })).rejects.toMatchObject({
      status: 403,
      reason: 'own_role',
    });
    expect(await client.users.update(id, { name: 'Asha' })).toMatchObject({ name: 'Asha' });
  }
});

test("gives a role only within the caller's permissions, and only to those who hold no more", async ({ service }) => {
  const manager = await service.admin(['users.manage', 'merchants.view']);
  const weaker = await service.admin(['merchants.view']);
  const empty = await service.admin([]);
  await expect(manager.client.users.update(empty.id, { roleId: SUPPORT_ROLE })).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
  expect(await manager.client.users.update(empty.id, { roleId: weaker.roleId })).toMatchObject({
    role: { id: weaker.roleId },
  });
});

test('answers 409 for a taken e-mail address, 400 for an unknown role, 404 for an unknown administrator', async ({
  service,
}) => {
  const { client } = await service.admin();
  const { id } = await service.admin([]);
  const other = await service.admin([]);
  await expect(client.users.update(id, { email: other.email.toUpperCase() })).rejects.toMatchObject({ status: 409 });
  await expect(client.users.update(id, { roleId: 'role_1' })).rejects.toMatchObject({
    status: 400,
    fields: [expect.objectContaining({ path: 'roleId' })],
  });
  await expect(client.users.update('adm_00000000000000000000000000', { name: 'N' })).rejects.toMatchObject({
    status: 404,
  });
});

test('keeps the role of the last active super_admin', async ({ service }) => {
  const chief = await service.admin();
  const everything = await service.admin(ALL_PERMISSIONS);
  const { data } = await everything.client.users.list({ roleId: chief.roleId, status: 'active', limit: 100 });
  for (const { id } of data) if (id !== chief.id) await chief.client.users.deactivate(id);
  await expect(everything.client.users.update(chief.id, { roleId: SUPPORT_ROLE })).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
  });
});

test("refuses the caller's own password and e-mail address, since it does not ask for the current password", async ({
  service,
}) => {
  const admin = await service.admin(['users.manage']);
  const put = (body: object) => service.send('PUT', `/v1/admin/users/${admin.id}`, { token: admin.token, body });
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', reason: 'own_credentials' } } };
  expect(await put({ password: 'Even-str0nger' })).toMatchObject(refused);
  expect(await put({ email: 'taken-over@kasi.example' })).toMatchObject(refused);
  expect(await put({ email: admin.email.toUpperCase(), name: 'Asha Perera' })).toMatchObject({ status: 200 });
});

test('asks for a code before a role that moves money or rights is taken away', async ({ service }) => {
  const { client } = await service.admin();
  const approver = await service.admin(['settings.update']);
  const factor = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const demotion = { roleId: SUPPORT_ROLE };
  await expect(client.users.update(approver.id, demotion)).rejects.toMatchObject({
    ...{ status: 401, reason: 'otp_required' },
  });
  expect(await client.users.get(approver.id)).toMatchObject({ role: { id: approver.roleId } });
  const demoted = await client.users.update(approver.id, { ...demotion, otp: factor.nextCode() });
  expect(demoted.role.id).toBe(SUPPORT_ROLE);
});
