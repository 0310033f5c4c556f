import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { type TwoFactor, turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/auth/two-factor/disable';

async function withTwoFactor(service: TestService): Promise<TestMerchant & TwoFactor> {
  const merchant = await service.registerMerchant();
  return { ...merchant, ...(await turnOnTwoFactor(service, merchant.client.auth, PASSWORD)) };
}
const disable = (service: TestService, token: string, password: string, otp: string) =>
  service.send('POST', PATH, { token, body: { password, otp } });

test('with password and code, turns it off, ends every other session and voids all codes', async ({ service }) => {
  const merchant = await withTwoFactor(service);
  const other = await service.client().auth.login({
    email: merchant.email,
    password: PASSWORD,
    otp: merchant.recoveryCodes[9] as string,
  });
  expect(await merchant.client.auth.twoFactor.disable({ password: PASSWORD, otp: merchant.nextCode() })).toEqual({
    message: 'Two-factor authentication is off. All other sessions have ended.',
  });
  const profile = `/v1/merchants/${merchant.id}`;
  expect(await service.send('GET', profile, { token: merchant.token })).toMatchObject({
    status: 200,
    body: { twoFactorEnabled: false },
  });
  expect(await service.send('GET', profile, { token: other.token })).toMatchObject({
    status: 401,
    body: { error: { reason: 'session_revoked' } },
  });
  await service.client().auth.login({ email: merchant.email, password: PASSWORD });
  expect(await disable(service, merchant.token, PASSWORD, merchant.recoveryCodes[0] as string)).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  });
});

test('takes a recovery code instead of one from the app, and audits how many are left', async ({ service }) => {
  const merchant = await withTwoFactor(service);
  const [code = ''] = merchant.recoveryCodes;
  expect(await disable(service, merchant.token, PASSWORD, code)).toMatchObject({ status: 200 });
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['actor_id', 'resource_id', 'metadata'])
    .where('merchant_id', '=', merchant.id)
    .where('action', '=', 'two_factor.disable')
    .execute();
  const metadata = { secondFactor: 'recovery_code', recoveryCodesLeft: 9, sessionsEnded: 0 };
  expect(entries).toEqual([{ actor_id: merchant.id, resource_id: merchant.id, metadata }]);
});

test('refuses either factor alone', async ({ service }) => {
  const merchant = await withTwoFactor(service);
  expect(await disable(service, merchant.token, 'Wr0ng-password', merchant.nextCode())).toMatchObject({
    status: 401,
    body: { error: { reason: 'credentials_invalid' } },
  });
  expect(await disable(service, merchant.token, PASSWORD, merchant.wrongCode())).toMatchObject({
    status: 401,
    body: { error: { reason: 'otp_invalid' } },
  });
  expect(await merchant.client.merchants.get(merchant.id)).toMatchObject({ twoFactorEnabled: true });
});

test('does not use up a code beside a wrong password, and delays the sixth wrong code', async ({ service }) => {
  service.clock.holdReal();
  const merchant = await withTwoFactor(service);
  const code = merchant.nextCode();
  expect(await disable(service, merchant.token, 'Wr0ng-password', code)).toMatchObject({ status: 401 });
  for (let failure = 1; failure <= 4; failure += 1) {
    expect(await disable(service, merchant.token, PASSWORD, merchant.wrongCode())).toMatchObject({ status: 401 });
  }
  expect(await disable(service, merchant.token, PASSWORD, code)).toMatchObject({ status: 429 });
  service.clock.advanceReal(1000);
  expect(await disable(service, merchant.token, PASSWORD, code)).toMatchObject({ status: 200 });
});

test.for([
  [{ password: PASSWORD }, 'otp'],
  [{ otp: '492039' }, 'password'],
  [{ password: PASSWORD, otp: '1' }, 'otp'],
] as const)('refuses %j and names the field', async ([body, path], { service }) => {
  const { token } = await service.registerMerchant();
  expect(await service.send('POST', PATH, { token, body })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
});
