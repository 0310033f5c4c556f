import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a logout ends the session, its access token and its refresh token', async () => {
  const admin = await service.admin();
  await admin.client.auth.logout();
  expect(admin.client.tokens()).toBeNull();
  const refused = { status: 401, body: { error: { reason: 'session_revoked' } } };
  expect(await service.send('GET', '/v1/admin/auth/me', { token: admin.token })).toMatchObject(refused);
  const body = { refreshToken: admin.refreshToken };
  expect(await service.send('POST', '/v1/admin/auth/refresh', { body })).toMatchObject(refused);
});
