import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { codeAt } from '../support/totp.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const PATH = '/v1/auth/login';
const REFUSED = {
  status: 401,
  body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid', message: expect.any(String) } },
};

const logIn = (service: TestService, email: string, password = PASSWORD) =>
  service.send('POST', PATH, { body: { email, password } });

test('returns the merchant and a new session', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const client = service.client();
  const answer = await client.auth.login({ email: merchant.email.toUpperCase(), password: PASSWORD });
  expect(answer).toEqual({
    merchant: await merchant.client.merchants.get(merchant.id),
    token: expect.any(String),
    refreshToken: expect.stringMatching(/^rt_/),
    expiresIn: 900,
    deviceToken: expect.stringMatching(/^dv_/),
  });
  expect((await client.auth.sessions.list()).pagination.total).toBe(2);
});

test('answers the same for a wrong password, an unknown e-mail address and a terminated account', async ({
  service,
}) => {
  const merchant = await service.registerMerchant();
  const closed = await service.registerMerchant();
  await service.decide(closed.id, { kind: 'terminate', reason: null });
  const answers = [
    await logIn(service, merchant.email, 'Wr0ng-password'),
    await logIn(service, 'nobody@example.com'),
    await logIn(service, closed.email),
  ];
  for (const answer of answers) expect(answer).toMatchObject(REFUSED);
  const said = answers.map(({ body }) => ({ ...(body as { error: object }).error, requestId: '' }));
  expect(said[1]).toEqual(said[0]);
  expect(said[2]).toEqual(said[0]);
});

test.for(['rejected', 'frozen'] as const)('lets a merchant that is %s log in and read', async (status, { service }) => {
  const merchant = await service.registerMerchant();
  if (status === 'frozen') await service.decide(merchant.id, { kind: 'approve' });
  await service.decide(merchant.id, { kind: status === 'frozen' ? 'freeze' : 'reject', reason: 'why' });
  const answer = await logIn(service, merchant.email);
  expect(answer).toMatchObject({ status: 200, body: { merchant: { status } } });
  const { token } = answer.body as { token: string };
  expect(await service.send('GET', `/v1/merchants/${merchant.id}`, { token })).toMatchObject({ status: 200 });
});

test('delays even the right password for a second after five wrong ones, and says so', async ({ service }) => {
  service.clock.holdReal();
  const merchant = await service.registerMerchant();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await logIn(service, merchant.email, `Wr0ng-password-${failure}`)).toMatchObject(REFUSED);
  }
  const refused = await logIn(service, merchant.email);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(refused.headers.get('retry-after')).toBe('1');
  service.clock.advanceReal(1000);
  expect(await logIn(service, merchant.email)).toMatchObject({ status: 200 });
  expect(await logIn(service, merchant.email, 'Wr0ng-password')).toMatchObject(REFUSED);
});

test.for([
  [{}, ['email', 'password']],
  [{ email: 'owner@example.com', password: '' }, ['password']],
  [{ email: 'owner', password: PASSWORD }, ['email']],
  [{ email: 'owner@example.com', password: PASSWORD, remember: true }, ['remember']],
] as const)('refuses %j and names its fields', async ([body, fields], { service }) => {
  expect(await service.send('POST', PATH, { body })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: fields.map((path) => ({ path })) } },
  });
});

test('audits logins and failed logins without the password', async ({ service }) => {
  const merchant = await service.registerMerchant();
  await logIn(service, merchant.email);
  service.clock.advanceReal(1000); // Refusals are audited once a second.
  await logIn(service, merchant.email, 'Wr0ng-password');
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'metadata'])
    .where('merchant_id', '=', merchant.id)
    .where('resource_type', '=', 'session')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['session.create', merchant.id],
    ['session.refuse', merchant.id],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/Str0ng|Wr0ng/);
});

async function withTwoFactor(service: TestService) {
  const merchant = await service.registerMerchant();
  const app = await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const enter = (otp?: string, password = PASSWORD) =>
    service.send('POST', PATH, { body: { email: merchant.email, password, ...(otp !== undefined && { otp }) } });
  return { ...merchant, ...app, enter };
}
const refusedFor = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

test('with two-factor authentication on, asks for a code only after the right password', async ({ service }) => {
  const { enter, nextCode } = await withTwoFactor(service);
  expect(await enter()).toMatchObject(refusedFor('otp_required'));
  const otp = nextCode();
  expect(await enter(undefined, 'Wr0ng-password')).toMatchObject(REFUSED);
  expect(await enter(otp, 'Wr0ng-password')).toMatchObject(REFUSED);
  expect(await enter(otp)).toMatchObject({ status: 200, body: { merchant: { twoFactorEnabled: true } } });
});

test('opens one session per code, however often it is sent, and none for an older code', async ({ service }) => {
  service.clock.holdReal();
  const { enter, secret, nextCode } = await withTwoFactor(service);
  const older = nextCode();
  const otp = nextCode();
  const answers = await Promise.all(Array.from({ length: 4 }, () => enter(otp)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  expect(await enter(older)).toMatchObject(refusedFor('otp_invalid'));
  expect(codeAt(secret, service.clock.real())).toBe(otp);
});

test('opens one session per recovery code', async ({ service }) => {
  const { enter, recoveryCodes } = await withTwoFactor(service);
  const [otp = ''] = recoveryCodes;
  expect(await enter(otp.toUpperCase().replaceAll('-', ' '))).toMatchObject({ status: 200 });
  expect(await enter(otp)).toMatchObject(refusedFor('otp_invalid'));
});

test('uses up a code for everything else too', async ({ service }) => {
  const { id, token, enter, nextCode } = await withTwoFactor(service);
  const otp = nextCode();
  expect(await enter(otp)).toMatchObject({ status: 200 });
  const walletAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(await service.send('PUT', `/v1/merchants/${id}`, { token, body: { walletAddress, otp } })).toMatchObject(
    refusedFor('otp_invalid'),
  );
});

test('delays even the right code after five wrong ones, but does not count being asked for the code', async ({
  service,
}) => {
  service.clock.holdReal();
  const { enter, nextCode, wrongCode } = await withTwoFactor(service);
  for (let asked = 1; asked <= 10; asked += 1) expect(await enter()).toMatchObject(refusedFor('otp_required'));
  const otp = nextCode();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await enter(wrongCode())).toMatchObject(refusedFor('otp_invalid'));
  }
  const sixth = await enter(otp);
  expect(sixth).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(sixth.headers.get('retry-after')).toBe('1');
  service.clock.advanceReal(1000);
  expect(await enter(otp)).toMatchObject({ status: 200 });
});

test('adds up wrong codes of sessions and logins', async ({ service }) => {
  service.clock.holdReal();
  const { id, token, enter, nextCode, wrongCode } = await withTwoFactor(service);
  const otp = nextCode();
  const body = () => ({ walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', otp: wrongCode() });
  for (let failure = 1; failure <= 3; failure += 1) {
    expect(await service.send('PUT', `/v1/merchants/${id}`, { token, body: body() })).toMatchObject({ status: 401 });
  }
  for (let failure = 1; failure <= 2; failure += 1) expect(await enter(wrongCode())).toMatchObject({ status: 401 });
  expect(await enter(otp)).toMatchObject({ status: 429 });
});

test('failed logins without the password do not block codes in an open session', async ({ service }) => {
  service.clock.holdReal();
  const { id, token, enter, nextCode } = await withTwoFactor(service);
  for (let failure = 1; failure <= 5; failure += 1) await enter('000000', 'Wr0ng-password');
  expect(await enter('000000', 'Wr0ng-password')).toMatchObject({ status: 429 });
  const body = { walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', otp: nextCode() };
  expect(await service.send('PUT', `/v1/merchants/${id}`, { token, body })).toMatchObject({ status: 200 });
});

test('audits a login by recovery code and a wrong code, without either code', async ({ service }) => {
  const { id, enter, recoveryCodes, wrongCode } = await withTwoFactor(service);
  const wrong = wrongCode();
  service.clock.advanceReal(1000); // Refusals are audited once a second.
  await enter(wrong);
  await enter(recoveryCodes[0]);
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'metadata'])
    .where('merchant_id', '=', id)
    .where('resource_type', '=', 'session')
    .orderBy('action')
    .execute();
  expect(entries).toEqual([
    { action: 'session.create', actor_id: id, metadata: { secondFactor: 'recovery_code', recoveryCodesLeft: 9 } },
    { action: 'session.refuse', actor_id: id, metadata: { reason: 'otp_invalid' } },
  ]);
});
