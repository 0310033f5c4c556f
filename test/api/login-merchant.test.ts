import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startService, type TestService } from '../harness.ts';

const PATH = '/v1/auth/login';
const REFUSED = {
  status: 401,
  body: { error: { code: 'UNAUTHORIZED', reason: 'credentials_invalid', message: expect.any(String) } },
};

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const logIn = (email: string, password = PASSWORD) => service.send('POST', PATH, { body: { email, password } });

test('a login gives the merchant and a session of its own', async () => {
  const merchant = await service.registerMerchant();
  const client = service.client();
  const answer = await client.auth.login({ email: merchant.email.toUpperCase(), password: PASSWORD });
  expect(answer).toEqual({
    merchant: await merchant.client.merchants.get(merchant.id),
    token: expect.any(String),
    refreshToken: expect.stringMatching(/^rt_/),
    expiresIn: 900,
  });
  expect((await client.auth.sessions.list()).pagination.total).toBe(2);
});

test('a wrong password, an unknown e-mail address and a closed account get the same answer', async () => {
  const merchant = await service.registerMerchant();
  const closed = await service.registerMerchant();
  await service.decide(closed.id, { kind: 'terminate', reason: null });
  const answers = [
    await logIn(merchant.email, 'Wr0ng-password'),
    await logIn('nobody@example.com'),
    await logIn(closed.email),
  ];
  for (const answer of answers) expect(answer).toMatchObject(REFUSED);
  const said = answers.map(({ body }) => ({ ...(body as { error: object }).error, requestId: '' }));
  expect(said[1]).toEqual(said[0]);
  expect(said[2]).toEqual(said[0]);
});

test.each(['rejected', 'frozen'] as const)('a merchant that is %s may log in and read', async (status) => {
  const merchant = await service.registerMerchant();
  if (status === 'frozen') await service.decide(merchant.id, { kind: 'approve' });
  await service.decide(merchant.id, { kind: status === 'frozen' ? 'freeze' : 'reject', reason: 'why' });
  const answer = await logIn(merchant.email);
  expect(answer).toMatchObject({ status: 200, body: { merchant: { status } } });
  const { token } = answer.body as { token: string };
  expect(await service.send('GET', `/v1/merchants/${merchant.id}`, { token })).toMatchObject({ status: 200 });
});

test('after five wrong passwords the right one has to wait a second too, and is told so', async () => {
  const merchant = await service.registerMerchant();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await logIn(merchant.email, `Wr0ng-password-${failure}`)).toMatchObject(REFUSED);
  }
  const refused = await logIn(merchant.email);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(refused.headers.get('retry-after')).toBe('1');
  service.clock.advanceReal(1000);
  expect(await logIn(merchant.email)).toMatchObject({ status: 200 });
  expect(await logIn(merchant.email, 'Wr0ng-password')).toMatchObject(REFUSED);
});

test.each([
  [{}, ['email', 'password']],
  [{ email: 'owner@example.com', password: '' }, ['password']],
  [{ email: 'owner', password: PASSWORD }, ['email']],
  [{ email: 'owner@example.com', password: PASSWORD, remember: true }, ['remember']],
])('%j is refused by the names of its fields', async (body, fields) => {
  expect(await service.send('POST', PATH, { body })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: fields.map((path) => ({ path })) } },
  });
});

test('a login and a refused one are in the audit log, without the password', async () => {
  const merchant = await service.registerMerchant();
  await logIn(merchant.email);
  service.clock.advanceReal(1000); // Refusals are written down once a second.
  await logIn(merchant.email, 'Wr0ng-password');
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
