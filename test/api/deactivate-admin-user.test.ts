import { expect } from 'vitest';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

test('ends all sessions at once and for good; a second deactivation is no error', async ({ service }) => {
  const { client } = await service.admin();
  const { id, email, token, refreshToken } = await service.admin([]);
  const answer = {
    id,
    status: 'deactivated',
    message: 'The administrator can no longer log in. Their sessions have ended.',
  };
  expect(await client.users.deactivate(id)).toEqual(answer);
  expect(await service.send('GET', '/v1/admin/auth/me', { token })).toMatchObject({ status: 401 });
  const refresh = await service.send('POST', '/v1/admin/auth/refresh', { body: { refreshToken } });
  expect(refresh).toMatchObject({ status: 401, body: { error: { reason: 'session_revoked' } } });
  const login = { email, password: PASSWORD };
  expect((await service.send('POST', '/v1/admin/auth/login', { body: login })).status).toBe(401);
  service.clock.advance(1);
  expect(await client.users.deactivate(id)).toEqual(answer);
  const [first, second] = await auditOf(service, id, 'admin.deactivate');
  expect(first?.metadata).toEqual({ previousStatus: 'active', newStatus: 'deactivated', sessionsEnded: 1 });
  expect(second?.metadata).toEqual({ previousStatus: 'deactivated', newStatus: 'deactivated', sessionsEnded: 0 });
});

test("refuses the caller's own account, and a role with permissions that the caller lacks", async ({ service }) => {
  const chief = await service.admin();
  const manager = await service.admin(['users.manage']);
  for (const { id, client } of [chief, manager]) {
    await expect(client.users.deactivate(id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  }
  await expect(manager.client.users.deactivate(chief.id)).rejects.toMatchObject({
    status: 403,
    reason: 'permission_not_held',
  });
  expect(await chief.client.auth.me()).toMatchObject({ id: chief.id });
  await expect(chief.client.users.deactivate('adm_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});

test('keeps the last active super_admin, whatever permissions the caller has', async ({ service }) => {
  const chief = await service.admin();
  const everything = await service.admin(ALL_PERMISSIONS);
  const { data } = await chief.client.users.list({ roleId: chief.roleId, status: 'active', limit: 100 });
  for (const { id } of data) if (id !== chief.id) await chief.client.users.deactivate(id);
  await expect(everything.client.users.deactivate(chief.id)).rejects.toMatchObject({ status: 409 });
  expect(await chief.client.auth.me()).toMatchObject({ id: chief.id });
});

test('asks for a code before an administrator goes, or comes back, whose role moves money or rights', async ({
  service,
}) => {
  const { client } = await service.admin();
  const [approver, clerk] = [await service.admin(['settings.update']), await service.admin(['merchants.view'])];
  const factor = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const { users } = client;
  await expect(users.deactivate(approver.id)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  expect(await users.get(approver.id)).toMatchObject({ status: 'active' });
  expect(await users.deactivate(clerk.id)).toMatchObject({ status: 'deactivated' });
  expect(await users.deactivate(approver.id, { otp: factor.nextCode() })).toMatchObject({ status: 'deactivated' });
  await expect(users.activate(approver.id)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  expect(await users.activate(clerk.id)).toMatchObject({ status: 'active' });
  expect(await users.activate(approver.id, { otp: factor.nextCode() })).toMatchObject({ status: 'active' });
  // What changes nothing asks for nothing.
  expect(await users.activate(approver.id)).toMatchObject({ status: 'active' });
  const [entry] = await auditOf(service, approver.id, 'admin.deactivate');
  expect(entry?.metadata).toMatchObject({ newStatus: 'deactivated', secondFactor: 'totp' });
});
