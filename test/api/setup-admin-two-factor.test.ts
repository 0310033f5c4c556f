import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/admin/auth/two-factor/setup';

test('shows a secret once, under its own name in the app, and changes nothing yet', async ({ service }) => {
  const { client, email } = await service.admin([]);
  const { secret, otpauthUri } = await client.auth.twoFactor.setUp({ password: PASSWORD });
  const uri = new URL(otpauthUri);
  expect(uri.searchParams.get('secret')).toBe(secret);
  expect(decodeURIComponent(uri.pathname)).toContain(`Kasi Admin (sandbox):${email}`);
  expect(await client.auth.me()).toMatchObject({ twoFactorEnabled: false });
});

test('refuses without the password, and when it is already on', async ({ service }) => {
  const { client, token } = await service.admin();
  expect(await service.send('POST', PATH, { token, body: { password: 'Wr0ng-password' } })).toMatchObject({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid' } },
  });
  await turnOnTwoFactor(service, client.auth, PASSWORD);
  expect(await service.send('POST', PATH, { token, body: { password: PASSWORD } })).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  });
});

test('refuses a wrong body and names the field', async ({ service }) => {
  const { token } = await service.admin();
  expect(await service.send('POST', PATH, { token, body: {} })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'password' }] } },
  });
});
