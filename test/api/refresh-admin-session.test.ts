import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const PATH = '/v1/admin/auth/refresh';

const refresh = (service: TestService, refreshToken: string) => service.send('POST', PATH, { body: { refreshToken } });
const refusedFor = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

test('exchanges a refresh token for a new pair once, and ends the session when it is reused', async ({ service }) => {
  const admin = await service.admin();
  const answer = await refresh(service, admin.refreshToken);
  expect(answer).toMatchObject({ status: 200, body: { expiresIn: 600 } });
  const { token } = answer.body as { token: string };
  const me = () => service.send('GET', '/v1/admin/auth/me', { token });
  expect(await me()).toMatchObject({ status: 200 });
  expect(await refresh(service, admin.refreshToken)).toMatchObject(refusedFor('session_revoked'));
  expect(await me()).toMatchObject(refusedFor('session_revoked'));
});

test("refuses a merchant's refresh token, as merchants' sessions refuse an administrator's", async ({ service }) => {
  const [admin, merchant] = [await service.admin(), await service.registerMerchant()];
  expect(await refresh(service, merchant.refreshToken)).toMatchObject(refusedFor('token_invalid'));
  const body = { refreshToken: admin.refreshToken };
  expect(await service.send('POST', '/v1/auth/refresh', { body })).toMatchObject(refusedFor('token_invalid'));
});

test.for([[{}], [{ refreshToken: '' }]] as const)('refuses %j', async ([body], { service }) => {
  expect(await service.send('POST', PATH, { body })).toMatchObject({ status: 400 });
});
