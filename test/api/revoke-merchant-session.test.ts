import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';

const revoke = (service: TestService, id: string, token?: string) =>
  service.send('DELETE', `/v1/auth/sessions/${id}`, token === undefined ? {} : { token });
const NOT_FOUND = { status: 404, body: { error: { code: 'NOT_FOUND' } } };

test('ends the session at once, and answers 404 the second time', async ({ service }) => {
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

test('revokes the current session', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const [own] = (await merchant.client.auth.sessions.list()).data;
  expect(await revoke(service, own?.id ?? '', merchant.token)).toMatchObject({ status: 200 });
  expect(await revoke(service, own?.id ?? '', merchant.token)).toMatchObject({ status: 401 });
});

test("answers the same 404 for another merchant's session and an unknown one", async ({ service }) => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  const [session] = (await other.client.auth.sessions.list()).data;
  expect(await revoke(service, session?.id ?? '', merchant.token)).toMatchObject(NOT_FOUND);
  expect(await revoke(service, 'ses_never', merchant.token)).toMatchObject(NOT_FOUND);
  expect((await other.client.auth.sessions.list()).pagination.total).toBe(1);
});

test('answers 401 without credentials', async ({ service }) => {
  expect(await revoke(service, 'ses_any')).toMatchObject({ status: 401, body: { error: { reason: 'token_missing' } } });
});
