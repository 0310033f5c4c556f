import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { codeAt } from '../support/totp.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/auth/two-factor/setup';

test('shows a secret once, in the form that apps take, and changes nothing yet', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const setup = await merchant.client.auth.twoFactor.setUp({ password: PASSWORD });
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(setup.otpauthUri);
  expect(uri.searchParams.get('secret')).toBe(setup.secret);
  expect(decodeURIComponent(uri.pathname)).toContain(`Kasi (sandbox):${merchant.email}`);
  const minutes = (Date.parse(setup.expiresAt) - service.clock.real().getTime()) / 60_000;
  expect(minutes).toBeGreaterThan(14);
  expect(minutes).toBeLessThanOrEqual(15);
  expect(await merchant.client.merchants.get(merchant.id)).toMatchObject({ twoFactorEnabled: false });
  await service.client().auth.login({ email: merchant.email, password: PASSWORD });
});

test('replaces a secret that is not confirmed yet', async ({ service }) => {
  const { twoFactor } = (await service.registerMerchant()).client.auth;
  const first = await twoFactor.setUp({ password: PASSWORD });
  const second = await twoFactor.setUp({ password: PASSWORD });
  const code = (secret: string) => ({ otp: codeAt(secret, service.clock.real()) });
  await expect(twoFactor.enable(code(first.secret))).rejects.toMatchObject({ status: 401, reason: 'otp_invalid' });
  await twoFactor.enable(code(second.secret));
});

test('refuses an open session without the password, and delays it after five wrong guesses, but no login', async ({
  service,
}) => {
  service.clock.holdReal();
  const { token, email } = await service.registerMerchant();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await service.send('POST', PATH, { token, body: { password: 'Wr0ng-password' } })).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid' } },
    });
  }
  expect(await service.send('POST', PATH, { token, body: { password: PASSWORD } })).toMatchObject({ status: 429 });
  expect(await service.send('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })).toMatchObject({
    status: 200,
  });
});

test('refuses when it is already on', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const { secret, nextCode } = await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  expect(await service.send('POST', PATH, { token: merchant.token, body: { password: PASSWORD } })).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  });
  // The right password is no failure, whatever the outcome.
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const { status } = await service.send('POST', PATH, { token: merchant.token, body: { password: PASSWORD } });
    expect(status).toBe(409);
  }
  const otp = nextCode();
  expect(otp).toBe(codeAt(secret, service.clock.real()));
  await merchant.client.auth.twoFactor.disable({ password: PASSWORD, otp });
});

test.for([
  [{}, 'password'],
  [{ password: '' }, 'password'],
  [{ password: PASSWORD, otp: '492039' }, 'otp'],
] as const)('refuses %j and names the field', async ([body, path], { service }) => {
  const { token } = await service.registerMerchant();
  expect(await service.send('POST', PATH, { token, body })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
});

test('audits the setup without the secret', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const { secret } = await merchant.client.auth.twoFactor.setUp({ password: PASSWORD });
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('merchant_id', '=', merchant.id)
    .where('resource_type', '=', 'two_factor')
    .execute();
  expect(entries).toMatchObject([
    {
      action: 'two_factor.setup',
      actor_type: 'merchant',
      actor_id: merchant.id,
      resource_id: merchant.id,
      metadata: {},
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});
