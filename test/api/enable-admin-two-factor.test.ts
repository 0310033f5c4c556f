import { expect } from 'vitest';
import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

const PATH = '/v1/admin/auth/two-factor/enable';

async function setUp(service: TestService) {
  const admin = await service.admin();
  const { secret } = await admin.client.auth.twoFactor.setUp({ password: PASSWORD });
  return { ...admin, secret, otp: codeAt(secret, service.clock.real()) };
}
const enable = (service: TestService, token: string, otp: string, headers: Record<string, string> = {}) =>
  service.send('POST', PATH, { token, body: { otp }, headers });

test('with the first code, turns it on, shows recovery codes and ends other sessions; each login then needs a code', async ({
  service,
}) => {
  const admin = await setUp(service);
  const another = createAdminClient({ baseUrl: service.url, fetch: service.fetch, maxRetries: 0 });
  await another.auth.login({ email: admin.email, password: PASSWORD });
  const { recoveryCodes } = await admin.client.auth.twoFactor.enable({ otp: admin.otp });
  expect(recoveryCodes).toHaveLength(10);
  expect(await admin.client.auth.me()).toMatchObject({ twoFactorEnabled: true });
  await expect(another.auth.me()).rejects.toMatchObject({ status: 401, reason: 'session_revoked' });

  const credentials = { email: admin.email, password: PASSWORD };
  await expect(another.auth.login(credentials)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  await another.auth.login({ ...credentials, otp: recoveryCodes[0] as string });
  const repeated = another.auth.login({ ...credentials, otp: recoveryCodes[0] as string });
  await expect(repeated).rejects.toMatchObject({ status: 401, reason: 'otp_invalid' });
});

test('refuses a wrong code, and when nothing was set up', async ({ service }) => {
  const admin = await setUp(service);
  expect(await enable(service, admin.token, wrongCodeAt(admin.secret, service.clock.real()))).toMatchObject({
    status: 401,
    body: { error: { reason: 'otp_invalid' } },
  });
  const { token } = await service.admin();
  expect(await enable(service, token, '492039')).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  expect(await service.send('POST', PATH, { token, body: {} })).toMatchObject({ status: 400 });
});

test('replays a lost answer under its Idempotency-Key', async ({ service }) => {
  const admin = await setUp(service);
  const key = { 'idempotency-key': 'enable' };
  const first = await enable(service, admin.token, admin.otp, key);
  expect(first.status).toBe(200);
  expect((await enable(service, admin.token, admin.otp, key)).text).toBe(first.text);
  expect(await enable(service, admin.token, '000000', key)).toMatchObject({ status: 422 });
});

test('audits that it is on', async ({ service }) => {
  const admin = await setUp(service);
  await admin.client.auth.twoFactor.enable({ otp: admin.otp });
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'action', 'resource_id', 'merchant_id'])
    .where('actor_id', '=', admin.id)
    .where('resource_type', '=', 'two_factor')
    .orderBy('action')
    .execute();
  const by = { actor_type: 'admin', resource_id: admin.id, merchant_id: null };
  expect(entries).toEqual([
    { ...by, action: 'two_factor.enable' },
    { ...by, action: 'two_factor.setup' },
  ]);
});
