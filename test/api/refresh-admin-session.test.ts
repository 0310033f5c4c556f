import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';

const PATH = '/v1/admin/auth/refresh';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const refresh = (refreshToken: string) => service.send('POST', PATH, { body: { refreshToken } });
const refusedFor = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

test('a refresh token buys a new pair, once; the second time it ends the session', async () => {
  const admin = await service.admin();
  const answer = await refresh(admin.refreshToken);
  expect(answer).toMatchObject({ status: 200, body: { expiresIn: 600 } });
  const { token } = answer.body as { token: string };
  const me = () => service.send('GET', '/v1/admin/auth/me', { token });
  expect(await me()).toMatchObject({ status: 200 });
  expect(await refresh(admin.refreshToken)).toMatchObject(refusedFor('session_revoked'));
  expect(await me()).toMatchObject(refusedFor('session_revoked'));
});

test("a merchant's refresh token buys nothing here, nor an administrator's there", async () => {
  const [admin, merchant] = [await service.admin(), await service.registerMerchant()];
  expect(await refresh(merchant.refreshToken)).toMatchObject(refusedFor('token_invalid'));
  const body = { refreshToken: admin.refreshToken };
  expect(await service.send('POST', '/v1/auth/refresh', { body })).toMatchObject(refusedFor('token_invalid'));
});

test.each([[{}], [{ refreshToken: '' }]])('%j is refused', async (body) => {
  expect(await service.send('POST', PATH, { body })).toMatchObject({ status: 400 });
});
