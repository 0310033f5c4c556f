import { expect } from 'vitest';
import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';

const PATH = '/v1/admin/auth/login';
const REFUSED = {
  status: 401,
  body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid', message: expect.any(String) } },
};

const logIn = (service: TestService, email: string, password = PASSWORD) =>
  service.send('POST', PATH, { body: { email, password } });

test('shows who logged in and what the role allows, and starts a session with ten-minute tokens', async ({
  service,
}) => {
  const admin = await service.admin(['withdrawals.view', 'merchants.view']);
  const client = createAdminClient({ baseUrl: service.url, fetch: service.fetch });
  const answer = await client.auth.login({ email: admin.email.toUpperCase(), password: PASSWORD });
  expect(answer).toEqual({
    admin: await admin.client.auth.me(),
    token: expect.any(String),
    refreshToken: expect.stringMatching(/^rt_/),
    expiresIn: 600,
    deviceToken: expect.stringMatching(/^dv_/),
  });
  expect(answer.admin.permissions).toEqual(['merchants.view', 'withdrawals.view']);
});

test('answers the same for a wrong password, an unknown e-mail address, a deactivated administrator and a merchant', async ({
  service,
}) => {
  const admin = await service.admin();
  const gone = await service.admin();
  const merchant = await service.registerMerchant();
  await service.db.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', gone.id).execute();
  const answers = [
    await logIn(service, admin.email, 'Wr0ng-password'),
    await logIn(service, 'nobody@kasi.example'),
    await logIn(service, gone.email),
    await logIn(service, merchant.email),
  ];
  const [first, ...others] = answers.map(({ body }) => ({ ...(body as { error: object }).error, requestId: '' }));
  for (const answer of answers) expect(answer).toMatchObject(REFUSED);
  for (const other of others) expect(other).toEqual(first);
});

test('audits logins and failed logins', async ({ service }) => {
  const admin = await service.admin();
  service.clock.advanceReal(2000); // There is at most one such entry per second and address.
  await logIn(service, admin.email, 'Wr0ng-password');
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'action', 'merchant_id'])
    .where('actor_id', '=', admin.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const by = { actor_type: 'admin', merchant_id: null };
  expect(entries).toEqual([
    { ...by, action: 'session.create' },
    { ...by, action: 'session.refuse' },
  ]);
});

test('delays even the right password after five wrong ones, and says so', async ({ service }) => {
  service.clock.holdReal();
  const admin = await service.admin();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await logIn(service, admin.email, `Wr0ng-password-${failure}`)).toMatchObject(REFUSED);
  }
  const waiting = await logIn(service, admin.email);
  expect(waiting).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
});

test.for([[{}], [{ email: 'a@b.example' }], [{ email: 5, password: PASSWORD }]] as const)(
  'refuses %j',
  async ([body], { service }) => {
    expect(await service.send('POST', PATH, { body })).toMatchObject({ status: 400 });
  },
);
