import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const NEW = 'Even-str0nger';

test('ends the other sessions, and only the new password logs in', async ({ service }) => {
  const admin = await service.admin();
  const logIn = (password: string) =>
    service.send('POST', '/v1/admin/auth/login', { body: { email: admin.email, password } });
  const other = (await logIn(PASSWORD)).body as { token: string };
  await admin.client.auth.changePassword({ currentPassword: PASSWORD, newPassword: NEW });
  expect(await service.send('GET', '/v1/admin/auth/me', { token: other.token })).toMatchObject({ status: 401 });
  expect(await admin.client.auth.me()).toMatchObject({ id: admin.id });
  expect(await logIn(PASSWORD)).toMatchObject({ status: 401 });
  expect(await logIn(NEW)).toMatchObject({ status: 200 });
});

test('refuses a wrong current password and a weak new one', async ({ service }) => {
  const admin = await service.admin();
  const change = (currentPassword: string, newPassword: string) =>
    service.send('POST', '/v1/admin/auth/password', { token: admin.token, body: { currentPassword, newPassword } });
  expect(await change('Wr0ng-password', NEW)).toMatchObject({
    status: 401,
    body: { error: { reason: 'credentials_invalid' } },
  });
  expect(await change(PASSWORD, 'weak')).toMatchObject({ status: 400 });
});

test('needs a code when two-factor authentication is on', async ({ service }) => {
  const { token, client } = await service.admin();
  const { nextCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const body = { currentPassword: PASSWORD, newPassword: 'Even-str0nger' };
  expect(await service.send('POST', '/v1/admin/auth/password', { token, body })).toMatchObject({
    status: 401,
    body: { error: { reason: 'otp_required' } },
  });
  const withCode = { token, body: { ...body, otp: nextCode() } };
  expect(await service.send('POST', '/v1/admin/auth/password', withCode)).toMatchObject({ status: 200 });
});
