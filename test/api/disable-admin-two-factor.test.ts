import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/admin/auth/two-factor/disable';

const disable = (service: TestService, token: string, password: string, otp: string) =>
  service.send('POST', PATH, { token, body: { password, otp } });

test('needs both factors', async ({ service }) => {
  const { client, token, email } = await service.admin();
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const otp = nextCode();
  const refused = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });
  expect(await disable(service, token, 'Wr0ng-password', otp)).toMatchObject(refused('credentials_invalid'));
  expect(await disable(service, token, PASSWORD, wrongCode())).toMatchObject(refused('otp_invalid'));
  expect(await client.auth.me()).toMatchObject({ twoFactorEnabled: true });
  expect(await disable(service, token, PASSWORD, otp)).toMatchObject({ status: 200 });
  expect(await client.auth.me()).toMatchObject({ twoFactorEnabled: false });
  await client.auth.login({ email, password: PASSWORD });
});

test('refuses when it is not on, and a body without a code', async ({ service }) => {
  const { token } = await service.admin();
  expect(await disable(service, token, PASSWORD, '492039')).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  });
  expect(await service.send('POST', PATH, { token, body: { password: PASSWORD } })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ path: 'otp' }] } },
  });
});
