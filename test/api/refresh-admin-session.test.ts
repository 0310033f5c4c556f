import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const PATH = '/v1/admin/auth/refresh';

const refresh = (service: TestService, refreshToken: string) => service.send('POST', PATH, { body: { refreshToken } });
const refusedFor = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

test('a refresh token buys a new pair, once; the second time it ends the session', async ({ service }) => {
  const admin = await service.admin();
  const answer = await refresh(service, admin.refreshToken);
  expect(answer).toMatchObject({ status: 200, body: { expiresIn: 600 } });
  const { token } = answer.body as { token: string };
  const me = () => service.send('GET', '/v1/admin/auth/me', { token });
  expect(await me()).toMatchObject({ status: 200 });
  expect(await refresh(service, admin.refreshToken)).toMatchObject(refusedFor('session_revoked'));
  expect(await me()).toMatchObject(refusedFor('session_revoked'));
});

test("a merchant's refresh token buys nothing here, nor an administrator's there", async ({ service }) => {
  const [admin, merchant] = [await service.admin(), await service.registerMerchant()];
  expect(await refresh(service, merchant.refreshToken)).toMatchObject(refusedFor('token_invalid'));
  const body = { refreshToken: admin.refreshToken };
  expect(await service.send('POST', '/v1/auth/refresh', { body })).toMatchObject(refusedFor('token_invalid'));
});

test.for([[{}], [{ refreshToken: '' }]] as const)('%j is refused', async ([body], { service }) => {
  expect(await service.send('POST', PATH, { body })).toMatchObject({ status: 400 });
});
