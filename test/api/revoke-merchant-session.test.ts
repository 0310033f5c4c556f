import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';

const revoke = (service: TestService, id: string, token?: string) =>
  service.send('DELETE', `/v1/auth/sessions/${id}`, token === undefined ? {} : { token });
const NOT_FOUND = { status: 404, body: { error: { code: 'NOT_FOUND' } } };

test('a session that is revoked is out at once, and a second time there is nothing to revoke', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const lost = service.client();
  const { token, refreshToken } = await lost.auth.login({ email: merchant.email, password: PASSWORD });
  const { data } = await merchant.client.auth.sessions.list();
  const id = data.find(({ current }) => !current)?.id ?? '';

  expect(await revoke(service, id, merchant.token)).toMatchObject({ status: 200, body: { message: 'Session ended.' } });

  const revoked = { status: 401, body: { error: { reason: 'session_revoked' } } };
  expect(await service.send('GET', `/v1/merchants/${merchant.id}`, { token })).toMatchObject(revoked);
  expect(await service.send('POST', '/v1/auth/refresh', { body: { refreshToken } })).toMatchObject(revoked);
  expect(await revoke(service, id, merchant.token)).toMatchObject(NOT_FOUND);
});

test('a merchant may revoke the session that it asks with', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const [own] = (await merchant.client.auth.sessions.list()).data;
  expect(await revoke(service, own?.id ?? '', merchant.token)).toMatchObject({ status: 200 });
  expect(await revoke(service, own?.id ?? '', merchant.token)).toMatchObject({ status: 401 });
});

test("another merchant's session is as unknown as one that never was", async ({ service }) => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  const [session] = (await other.client.auth.sessions.list()).data;
  expect(await revoke(service, session?.id ?? '', merchant.token)).toMatchObject(NOT_FOUND);
  expect(await revoke(service, 'ses_never', merchant.token)).toMatchObject(NOT_FOUND);
  expect((await other.client.auth.sessions.list()).pagination.total).toBe(1);
});

test('without credentials nothing is revoked', async ({ service }) => {
  expect(await revoke(service, 'ses_any')).toMatchObject({ status: 401, body: { error: { reason: 'token_missing' } } });
});
