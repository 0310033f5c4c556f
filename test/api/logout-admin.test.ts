import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('ends the session with its access token and refresh token', async ({ service }) => {
  const admin = await service.admin();
  await admin.client.auth.logout();
  expect(admin.client.tokens()).toBeNull();
  const refused = { status: 401, body: { error: { reason: 'session_revoked' } } };
  expect(await service.send('GET', '/v1/admin/auth/me', { token: admin.token })).toMatchObject(refused);
  const body = { refreshToken: admin.refreshToken };
  expect(await service.send('POST', '/v1/admin/auth/refresh', { body })).toMatchObject(refused);
});
