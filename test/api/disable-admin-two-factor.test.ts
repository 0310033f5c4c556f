import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startService, type TestService } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/admin/auth/two-factor/disable';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const disable = (token: string, password: string, otp: string) =>
  service.send('POST', PATH, { token, body: { password, otp } });

test('it takes both factors to turn it off', async () => {
  const { client, token, email } = await service.admin();
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const otp = nextCode();
  const refused = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });
  expect(await disable(token, 'Wr0ng-password', otp)).toMatchObject(refused('credentials_invalid'));
  expect(await disable(token, PASSWORD, wrongCode())).toMatchObject(refused('otp_invalid'));
  expect(await client.auth.me()).toMatchObject({ twoFactorEnabled: true });
  expect(await disable(token, PASSWORD, otp)).toMatchObject({ status: 200 });
  expect(await client.auth.me()).toMatchObject({ twoFactorEnabled: false });
  await client.auth.login({ email, password: PASSWORD });
});

test('there is nothing to turn off that is not on, and a body without a code is wrong', async () => {
  const { token } = await service.admin();
  expect(await disable(token, PASSWORD, '492039')).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT' } },
  });
  expect(await service.send('POST', PATH, { token, body: { password: PASSWORD } })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ path: 'otp' }] } },
  });
});
