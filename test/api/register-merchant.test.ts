import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, START, startService, type TestService } from '../harness.ts';

const PATH = '/v1/auth/register';
const BODY = {
  businessName: 'Ceylon Tea House',
  email: 'owner@teahouse.example',
  password: PASSWORD,
  phone: '+94 77 123 4567',
  businessType: 'company',
};

const register = (service: TestService, changes: object, headers = {}) =>
  service.send('POST', PATH, { body: { ...BODY, ...changes }, headers });

test('registers a merchant as pending verification, with a session that works at once', async ({ service }) => {
  const client = service.client();
  const answer = await client.auth.register({ ...BODY, businessType: 'company', email: 'First@TeaHouse.example' });
  expect(answer).toEqual({
    merchant: {
      id: expect.stringMatching(/^mer_[0-9a-hjkmnp-tv-z]{26}$/),
      businessName: 'Ceylon Tea House',
      email: 'first@teahouse.example',
      phone: '+94771234567',
      businessType: 'company',
      status: 'pending_verification',
      sendReceipts: true,
      statusReason: null,
      walletAddress: null,
      webhookUrl: null,
      twoFactorEnabled: false,
      paymentToleranceBps: null,
      refundOffers: [],
      refundOfferMinimum: 1,
      supportEmail: null,
      supportUrl: null,
      website: null,
      brandColor: null,
      logoUrl: null,
      embedOrigins: [],
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
    },
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
    expiresIn: 900,
    deviceToken: expect.stringMatching(/^dv_/),
  });
  expect(await client.merchants.get(answer.merchant.id)).toEqual(answer.merchant);
});

test('answers 409 for a registered e-mail address, whatever its case', async ({ service }) => {
  expect(await register(service, { email: 'taken@example.com' })).toMatchObject({ status: 201 });
  expect(await register(service, { email: 'TAKEN@example.com' })).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: expect.stringContaining('already registered') } },
  });
});

test.for([
  ['businessName', ''],
  ['businessName', '   '],
  ['businessName', 'x'.repeat(121)],
  ['businessName', 'Tea\u0000House'],
  ['businessName', undefined],
  ['email', 'no-at-sign'],
  ['email', `${'x'.repeat(250)}@example.com`],
  ['email', undefined],
  ['password', 'Sh0rt-7'],
  ['password', 'no-upper-case-1'],
  ['password', 'NO-LOWER-CASE-1'],
  ['password', 'No-digit-here'],
  ['password', `Aa1${'x'.repeat(126)}`],
  ['password', undefined],
  ['phone', '0771234567'],
  ['phone', '+9477'],
  ['phone', '+999 123 456 789'],
  ['phone', undefined],
  ['businessType', 'cooperative'],
  ['businessType', undefined],
  ['businessType', null],
  ['email', 5],
  ['status', 'active'],
] as const)('refuses %s %j by name, and registers nobody', async ([field, value], { service }) => {
  const email = 'never@example.com';
  expect(await register(service, { email, [field]: value })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: field }] } },
  });
  expect(await service.db.selectFrom('merchants').where('email', '=', email).selectAll().execute()).toEqual([]);
});

test('stores the password nowhere, and audits the registration with the merchant', async ({ service }) => {
  const answer = await register(service, { email: 'quiet@example.com' }, { 'user-agent': 'shop/1' });
  const { merchant } = answer.body as { merchant: { id: string } };
  const row = await service.db
    .selectFrom('merchants')
    .selectAll()
    .where('id', '=', merchant.id)
    .executeTakeFirstOrThrow();
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$/);
  const entries = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', merchant.id).execute();
  expect(entries).toEqual([
    expect.objectContaining({
      action: 'merchant.register',
      resource_type: 'merchant',
      actor_type: 'merchant',
      actor_id: merchant.id,
      merchant_id: merchant.id,
      user_agent: 'shop/1',
      request_id: answer.headers.get('x-request-id'),
    }),
  ]);
  expect(JSON.stringify(entries)).not.toContain(PASSWORD);
});

test('limits registrations per address and hour, and says how long to wait', async () => {
  const live = await startService();
  try {
    // 100 in the sandbox. Invalid requests count too.
    await live.db
      .insertInto('limit_counters')
      .values({ name: 'registration', key: '127.0.0.1', window_start: hourOf(live.clock.real()), count: 99 })
      .execute();
    expect(await live.send('POST', PATH, { body: BODY })).toMatchObject({ status: 201 });
    const refused = await live.send('POST', PATH, { body: { ...BODY, email: 'more@example.com' } });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3600);
  } finally {
    await live.close();
  }
});

const hourOf = (real: Date): Date => new Date(Math.floor(real.getTime() / 3_600_000) * 3_600_000);
