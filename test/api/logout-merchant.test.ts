import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';

const logOut = (service: TestService, token?: string) =>
  service.send('POST', '/v1/auth/logout', token === undefined ? {} : { token });

test('ends only the current session, at once', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const other = service.client();
  await other.auth.login({ email: merchant.email, password: PASSWORD });
  const profile = `/v1/merchants/${merchant.id}`;
  expect(await service.send('GET', profile, { token: merchant.token })).toMatchObject({ status: 200 });

  expect(await logOut(service, merchant.token)).toMatchObject({ status: 200, body: { message: 'Logged out.' } });

  const revoked = { status: 401, body: { error: { code: 'UNAUTHORIZED', reason: 'session_revoked' } } };
  expect(await service.send('GET', profile, { token: merchant.token })).toMatchObject(revoked);
  expect(await logOut(service, merchant.token)).toMatchObject(revoked);
  expect((await other.auth.sessions.list()).pagination.total).toBe(1);
});

test('audits the logout with its session', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const [session] = (await merchant.client.auth.sessions.list()).data;
  await merchant.client.auth.logout();
  const entry = await service.db
    .selectFrom('audit_log')
    .select(['actor_id', 'resource_id', 'merchant_id'])
    .where('action', '=', 'session.end')
    .where('merchant_id', '=', merchant.id)
    .executeTakeFirstOrThrow();
  expect(entry).toEqual({ actor_id: merchant.id, resource_id: session?.id, merchant_id: merchant.id });
});

test('answers 401 without a login', async ({ service }) => {
  expect(await logOut(service)).toMatchObject({ status: 401, body: { error: { reason: 'token_missing' } } });
});
