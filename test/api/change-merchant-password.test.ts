import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/auth/password';
const NEW = 'Even-str0nger';

const change = (service: TestService, token: string, currentPassword: string, newPassword: string) =>
  service.send('POST', PATH, { token, body: { currentPassword, newPassword } });
const logIn = (service: TestService, email: string, password: string) =>
  service.send('POST', '/v1/auth/login', { body: { email, password } });

test('replaces the password and ends every other session at once', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const other = (await logIn(service, merchant.email, PASSWORD)).body as { token: string; refreshToken: string };
  const profile = `/v1/merchants/${merchant.id}`;
  expect(await service.send('GET', profile, { token: other.token })).toMatchObject({ status: 200 });

  expect(await change(service, merchant.token, PASSWORD, NEW)).toMatchObject({
    status: 200,
    body: { message: 'Password changed. All other sessions have ended.' },
  });

  const revoked = { status: 401, body: { error: { reason: 'session_revoked' } } };
  expect(await service.send('GET', profile, { token: other.token })).toMatchObject(revoked);
  expect(await service.send('POST', '/v1/auth/refresh', { body: { refreshToken: other.refreshToken } })).toMatchObject(
    revoked,
  );
  expect(await service.send('GET', profile, { token: merchant.token })).toMatchObject({ status: 200 });
  expect(await logIn(service, merchant.email, PASSWORD)).toMatchObject({ status: 401 });
  expect(await logIn(service, merchant.email, NEW)).toMatchObject({ status: 200 });
});

test('refuses a wrong current password, and delays the session after five, but no login', async ({ service }) => {
  service.clock.holdReal();
  const merchant = await service.registerMerchant();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await change(service, merchant.token, 'Wr0ng-password', NEW)).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid' } },
    });
  }
  expect(await change(service, merchant.token, PASSWORD, NEW)).toMatchObject({ status: 429 });
  // A stolen session keeps nobody from logging in.
  expect(await logIn(service, merchant.email, PASSWORD)).toMatchObject({ status: 200 });
  service.clock.advanceReal(1000);
  expect(await change(service, merchant.token, PASSWORD, NEW)).toMatchObject({ status: 200 });
});

test.for(['weak', 'no-upper-case-1', 'NO-LOWER-CASE-1', 'No-digit-here', `Aa1${'x'.repeat(126)}`])(
  'refuses the new password %j',
  async (password, { service }) => {
    const merchant = await service.registerMerchant();
    expect(await change(service, merchant.token, PASSWORD, password)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'newPassword' }] } },
    });
  },
);

test('audits the change without either password', async ({ service }) => {
  const merchant = await service.registerMerchant();
  await change(service, merchant.token, PASSWORD, NEW);
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['actor_id', 'resource_id', 'metadata'])
    .where('action', '=', 'merchant.change_password')
    .where('merchant_id', '=', merchant.id)
    .execute();
  expect(entries).toEqual([{ actor_id: merchant.id, resource_id: merchant.id, metadata: { sessionsEnded: 0 } }]);
});

test('answers 401 without credentials', async ({ service }) => {
  expect(await service.send('POST', PATH, { body: { currentPassword: PASSWORD, newPassword: NEW } })).toMatchObject({
    status: 401,
    body: { error: { reason: 'token_missing' } },
  });
});

test('needs a code when two-factor authentication is on', async ({ service }) => {
  const { token, email, client } = await service.registerMerchant();
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const put = (otp?: string) =>
    service.send('POST', PATH, { token, body: { currentPassword: PASSWORD, newPassword: NEW, ...(otp && { otp }) } });
  const refused = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });
  expect(await put()).toMatchObject(refused('otp_required'));
  expect(await put(wrongCode())).toMatchObject(refused('otp_invalid'));
  expect(await put(nextCode())).toMatchObject({ status: 200 });
  expect(await logIn(service, email, PASSWORD)).toMatchObject(refused('credentials_invalid'));
  expect(await logIn(service, email, NEW)).toMatchObject(refused('otp_required'));
});
