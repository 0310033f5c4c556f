import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';

const REQUEST = {
  amount: 49.99,
  currency: 'USD' as const,
  successUrl: 'https://shop.example/thanks?order=7',
  cancelUrl: 'http://localhost:8080/cart#top',
};
const create = (service: TestService, merchant: TestMerchant, body: unknown, token = merchant.token) =>
  service.send('POST', '/v1/checkout/sessions', { body, token });

test('opens a session with a page to redirect to and a payment that ends with it', async ({ merchant }) => {
  const metadata = { orderId: 'A-1001', note: 'සිංහල ☕', paid: false, weight: 1.5, __proto: 'x' };
  const created = await merchant.client.checkout.sessions.create({ ...REQUEST, metadata });
  expect(created).toEqual({
    id: created.sessionId,
    paymentId: expect.stringMatching(/^pay_/),
    sessionId: expect.stringMatching(/^cs_[0-9a-hjkmnp-tv-z]{26}$/),
    checkoutUrl: `http://localhost:3000/checkout/session/${created.sessionId}`,
    expiresAt: '2026-01-01T12:00:00.000Z',
  });
  const session = await merchant.client.checkout.sessions.get(created.sessionId);
  expect(session).toMatchObject({ id: created.id, paymentId: created.paymentId });
  expect(await merchant.client.payments.get(session.paymentId)).toMatchObject({
    status: 'initiated',
    amount: 49.99,
    currency: 'USD',
    metadata,
    sessionId: created.sessionId,
    paymentLinkId: null,
    description: null,
    customerEmail: null,
    checkoutUrl: created.checkoutUrl,
    expiresAt: created.expiresAt,
  });
});

test('its payment says what it is for, to whom, and line by line', async ({ merchant }) => {
  const said = {
    description: 'Order A-1001',
    customerEmail: 'nimal@example.org',
    items: [
      { name: 'Tea', quantity: 2, unitAmount: 20 },
      { name: 'Shipping', quantity: 1, unitAmount: 9.99 },
    ],
  };
  const { sessionId } = await merchant.client.checkout.sessions.create({ ...REQUEST, ...said });
  const { paymentId } = await merchant.client.checkout.sessions.get(sessionId);
  expect(await merchant.client.payments.get(paymentId)).toMatchObject(said);
  await expect(
    merchant.client.checkout.sessions.create({ ...REQUEST, items: [{ name: 'Tea', unitAmount: 49.98 }] }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', fields: [{ path: 'items' }] });
});

test('quotes rupees in dollars, rounded up to the millionth', async ({ merchant }) => {
  const { sessionId } = await merchant.client.checkout.sessions.create({ ...REQUEST, amount: 1000, currency: 'LKR' });
  const { paymentId } = await merchant.client.checkout.sessions.get(sessionId);
  expect(await merchant.client.payments.get(paymentId)).toMatchObject({
    amount: 1000,
    currency: 'LKR',
    cryptoAmount: '3.333334',
    rate: { value: '300', source: 'fixed' },
  });
});

test.for([30, 1440])('lasts %i minutes when asked for', async (expiresInMinutes, { merchant }) => {
  const { expiresAt } = await merchant.client.checkout.sessions.create({ ...REQUEST, expiresInMinutes });
  expect(new Date(expiresAt).getTime() - START.getTime()).toBe(expiresInMinutes * 60_000);
});

test('announces the payment but not the session, which it audits', async ({ service, merchant }) => {
  const { sessionId } = await merchant.client.checkout.sessions.create(REQUEST);
  const { paymentId } = await merchant.client.checkout.sessions.get(sessionId);
  const events = await service.db
    .selectFrom('events')
    .select('type')
    .where('resource_id', 'in', [sessionId, paymentId])
    .execute();
  expect(events).toEqual([{ type: 'payment.created' }]);
  const entries = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', sessionId).execute();
  expect(entries).toMatchObject([
    { action: 'checkout_session.create', actor_id: merchant.id, resource_type: 'checkout_session' },
  ]);
});

const without = (field: keyof typeof REQUEST) => ({ ...REQUEST, [field]: undefined });

test.for([
  ['amount', without('amount')],
  ['amount', { ...REQUEST, amount: 0 }],
  ['amount', { ...REQUEST, amount: 0.001 }],
  ['amount', { ...REQUEST, amount: '49.99' }],
  ['amount', { ...REQUEST, amount: 1_000_000.01 }],
  ['amount', { ...REQUEST, amount: 300_000_000.01, currency: 'LKR' }],
  ['currency', without('currency')],
  ['currency', { ...REQUEST, currency: 'EUR' }],
  ['successUrl', without('successUrl')],
  ['successUrl', { ...REQUEST, successUrl: '' }],
  ['successUrl', { ...REQUEST, successUrl: '/thanks' }],
  ['successUrl', { ...REQUEST, successUrl: 'javascript:alert(1)' }],
  ['successUrl', { ...REQUEST, successUrl: 'https://owner:secret@shop.example/' }],
  ['successUrl', { ...REQUEST, successUrl: 'https://owner@shop.example/' }],
  ['successUrl', { ...REQUEST, successUrl: 'https://shop.example:99999/' }],
  ['successUrl', { ...REQUEST, successUrl: `https://shop.example/${'x'.repeat(2048)}` }],
  ['cancelUrl', without('cancelUrl')],
  ['cancelUrl', { ...REQUEST, cancelUrl: 'ftp://shop.example/' }],
  ['metadata', { ...REQUEST, metadata: 'A-1001' }],
  ['metadata', { ...REQUEST, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, 1])) }],
  [
    'metadata',
    { ...REQUEST, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, key) => [`k${key}`, 'x'.repeat(500)])) },
  ],
  ['metadata.orderId', { ...REQUEST, metadata: { orderId: 'x'.repeat(501) } }],
  ['metadata.orderId', { ...REQUEST, metadata: { orderId: { deep: 1 } } }],
  ['expiresInMinutes', { ...REQUEST, expiresInMinutes: 29 }],
  ['expiresInMinutes', { ...REQUEST, expiresInMinutes: 1441 }],
  ['expiresInMinutes', { ...REQUEST, expiresInMinutes: 60.5 }],
  ['customer', { ...REQUEST, customer: 'nimal' }],
] as const)('names a wrong %s and stores nothing', async ([path, body], { service, merchant }) => {
  const stored = async () => [
    await service.db.selectFrom('checkout_sessions').select('id').execute(),
    await service.db.selectFrom('payments').select('id').execute(),
  ];
  const before = await stored();
  expect(await create(service, merchant, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await stored()).toEqual(before);
});

test('takes the largest amounts', async ({ service, merchant }) => {
  expect((await create(service, merchant, { ...REQUEST, amount: 1_000_000 })).status).toBe(200);
  expect((await create(service, merchant, { ...REQUEST, amount: 300_000_000, currency: 'LKR' })).status).toBe(200);
});

test('answers 401 without a login before it looks at the body', async ({ service }) => {
  expect((await service.send('POST', '/v1/checkout/sessions', { body: {} })).status).toBe(401);
});

test('refuses a merchant that may not collect', async ({ service, merchant }) => {
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', reason: 'merchant_not_active' } } };
  const pending = await service.registerMerchant();
  expect((await create(service, merchant, REQUEST, pending.token)).status).toBe(200);
  await service.set({ allowPendingMerchantsToCollect: false });
  expect(await create(service, merchant, REQUEST, pending.token)).toMatchObject(refused);
  await service.decide(pending.id, { kind: 'approve' });
  expect((await create(service, merchant, REQUEST, pending.token)).status).toBe(200);
  await service.decide(pending.id, { kind: 'freeze', reason: 'odd payments' });
  expect(await create(service, merchant, REQUEST, pending.token)).toMatchObject(refused);
});

test('limits metadata to 8 KiB of JSON, counted in bytes', async ({ service, merchant }) => {
  const filled = (last: string) =>
    Object.fromEntries([...Array.from({ length: 16 }, (_, key) => [`k${10 + key}`, 'x'.repeat(500)]), ['last', last]]);
  const room = 8192 - Buffer.byteLength(JSON.stringify(filled('')));
  expect((await create(service, merchant, { ...REQUEST, metadata: filled('x'.repeat(room)) })).status).toBe(200);
  const tooMuch = await create(service, merchant, { ...REQUEST, metadata: filled(`${'x'.repeat(room - 1)}ස`) });
  expect([tooMuch.status, tooMuch.body]).toMatchObject([400, { error: { fields: [{ path: 'metadata' }] } }]);
});
