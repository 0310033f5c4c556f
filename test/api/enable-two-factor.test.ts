import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

const PATH = '/v1/auth/two-factor/enable';

async function setUp(service: TestService): Promise<TestMerchant & { readonly secret: string; readonly otp: string }> {
  const merchant = await service.registerMerchant();
  const { secret } = await merchant.client.auth.twoFactor.setUp({ password: PASSWORD });
  return { ...merchant, secret, otp: codeAt(secret, service.clock.real()) };
}
const enable = (service: TestService, token: string, otp: string, headers: Record<string, string> = {}) =>
  service.send('POST', PATH, { token, body: { otp }, headers });

test('with the first code, turns it on, shows ten recovery codes and ends every other session at once', async ({
  service,
}) => {
  const merchant = await setUp(service);
  const other = await service.client().auth.login({ email: merchant.email, password: PASSWORD });
  const { recoveryCodes } = await merchant.client.auth.twoFactor.enable({ otp: merchant.otp });
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);

  const profile = `/v1/merchants/${merchant.id}`;
  expect(await service.send('GET', profile, { token: merchant.token })).toMatchObject({
    status: 200,
    body: { twoFactorEnabled: true },
  });
  const revoked = { status: 401, body: { error: { reason: 'session_revoked' } } };
  expect(await service.send('GET', profile, { token: other.token })).toMatchObject(revoked);
  const { refreshToken } = other;
  expect(await service.send('POST', '/v1/auth/refresh', { body: { refreshToken } })).toMatchObject(revoked);
});

test('refuses a wrong code, and delays the sixth', async ({ service }) => {
  service.clock.holdReal();
  const merchant = await setUp(service);
  const wrong = wrongCodeAt(merchant.secret, service.clock.real());
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await enable(service, merchant.token, wrong)).toMatchObject({
      status: 401,
      body: { error: { reason: 'otp_invalid' } },
    });
  }
  const refused = await enable(service, merchant.token, merchant.otp);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await merchant.client.merchants.get(merchant.id)).toMatchObject({ twoFactorEnabled: false });
});

test('refuses when no secret was set up', async ({ service }) => {
  const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } };
  const { token } = await service.registerMerchant();
  expect(await enable(service, token, '492039')).toMatchObject(conflict);

  const late = await setUp(service);
  service.clock.advanceReal(15 * 60_000 - 1000);
  const { refreshToken } = late;
  const fresh = await service.send('POST', '/v1/auth/refresh', { body: { refreshToken } });
  service.clock.advanceReal(1000);
  const { token: freshToken } = fresh.body as { token: string };
  expect(await enable(service, freshToken, codeAt(late.secret, service.clock.real()))).toMatchObject(conflict);

  const twice = await setUp(service);
  expect(await enable(service, twice.token, twice.otp)).toMatchObject({ status: 200 });
  expect(await enable(service, twice.token, twice.otp)).toMatchObject(conflict);
});

test('replays a lost answer under its Idempotency-Key, only to the same merchant', async ({ service }) => {
  const merchant = await setUp(service);
  const key = { 'idempotency-key': `enable-${merchant.id}` };
  const first = await enable(service, merchant.token, merchant.otp, key);
  const again = await enable(service, merchant.token, merchant.otp, key);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await enable(service, merchant.token, '000000', key)).toMatchObject({
    status: 422,
    body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
  });
  const stored = await service.db
    .selectFrom('idempotency_keys')
    .select('body')
    .where('merchant_id', '=', merchant.id)
    .execute();
  const [code = ''] = (first.body as { recoveryCodes: string[] }).recoveryCodes;
  expect(stored).toHaveLength(1);
  expect(stored[0]?.body?.includes(code)).toBe(false);
});

test.for([
  [{}, 'otp'],
  [{ otp: '12345' }, 'otp'],
  [{ otp: 492039 }, 'otp'],
] as const)('refuses %j and names the field', async ([body, path], { service }) => {
  const { token } = await service.registerMerchant();
  expect(await service.send('POST', PATH, { token, body })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
});

test('audits that it is on, with neither code nor secret', async ({ service }) => {
  const merchant = await setUp(service);
  const { recoveryCodes } = await merchant.client.auth.twoFactor.enable({ otp: merchant.otp });
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('merchant_id', '=', merchant.id)
    .where('action', '=', 'two_factor.enable')
    .execute();
  expect(entries).toMatchObject([{ actor_id: merchant.id, resource_id: merchant.id, metadata: { sessionsEnded: 0 } }]);
  const text = JSON.stringify(entries);
  for (const secret of [merchant.secret, merchant.otp, ...recoveryCodes]) expect(text).not.toContain(`"${secret}`);
});
