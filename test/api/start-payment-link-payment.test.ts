import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const makeLink = (merchant: TestMerchant, more: object = {}, owner = merchant) =>
  owner.client.paymentLinks.create({ title: 'Spring tea workshop', amount: 25, acceptedTokens: ['USDC'], ...more });
const start = (service: TestService, slug: string, body?: unknown) =>
  service.send('POST', `/v1/public/payment-links/by-slug/${slug}/payments`, body === undefined ? {} : { body });

test('gives each payer a payment of their own, visible to payer and merchant', async ({ service, merchant }) => {
  const { id, slug } = await makeLink(merchant);
  const payment = await service.client().public.paymentLinks.startPayment(slug, { customerEmail: 'nimal@example.org' });
  const another = await service.client().public.paymentLinks.startPayment(slug, {});
  expect(payment).toMatchObject({
    status: 'initiated',
    merchantName: 'Ceylon Tea House',
    amount: 25,
    currency: 'USD',
    description: 'Spring tea workshop',
    token: 'USDC',
    successUrl: null,
    cancelUrl: null,
    sessionId: null,
    linkSlug: slug,
    livemode: false,
    expiresAt: '2026-01-01T11:00:00.000Z',
  });
  expect(payment.options).toHaveLength(1);
  expect(JSON.stringify(payment)).not.toContain('nimal@example.org');
  expect(another.id).not.toBe(payment.id);
  expect(another.cryptoAddress).not.toBe(payment.cryptoAddress);
  expect(await service.client().public.payments.get(payment.id)).toEqual(payment);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({
    paymentLinkId: id,
    customerEmail: 'nimal@example.org',
    metadata: {},
    checkoutUrl: `http://localhost:3000/checkout/payment/${payment.id}`,
  });
});

test("announces the payment to the merchant, and audits it as the payer's", async ({ service, merchant }) => {
  const { id, slug } = await makeLink(merchant);
  const payment = await service.client().public.paymentLinks.startPayment(slug, {});
  const events = await service.db.selectFrom('events').select('type').where('resource_id', '=', payment.id).execute();
  expect(events).toEqual([{ type: 'payment.created' }]);
  const entries = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', payment.id).execute();
  expect(entries).toMatchObject([
    {
      action: 'payment.start',
      resource_type: 'payment',
      actor_type: 'system',
      actor_id: 'payer',
      merchant_id: merchant.id,
      metadata: { paymentLinkId: id },
    },
  ]);
});

test('takes no body', async ({ service, merchant }) => {
  const { slug } = await makeLink(merchant);
  expect(await start(service, slug)).toMatchObject({ status: 201, body: { status: 'initiated' } });
});

test.for([
  ['customerEmail', { customerEmail: 'nobody' }],
  ['customerEmail', { customerEmail: `${'x'.repeat(250)}@example.org` }],
  ['amount', { amount: 1 }],
] as const)('names a wrong %s and starts nothing: %j', async ([path, body], { service, merchant }) => {
  const { slug } = await makeLink(merchant);
  const stored = () => service.db.selectFrom('payments').select('id').execute();
  const before = await stored();
  expect(await start(service, slug, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await stored()).toEqual(before);
});

test('refuses a link whose tokens are no longer enabled, and names those that are', async ({ service, merchant }) => {
  const { id, slug } = await makeLink(merchant);
  await service.db
    .updateTable('payment_links')
    .set({ accepted_tokens: ['ETH', 'BTC'] })
    .where('id', '=', id)
    .execute();
  expect(await start(service, slug, {})).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('USDT, USDC') } },
  });
});

test('refuses an unknown, an expired and a disabled link', async ({ service, merchant }) => {
  expect((await start(service, 'no-such-link', {})).status).toBe(404);
  const expiresAt = new Date(service.clock.now().getTime() + 1000).toISOString();
  const { id, slug } = await makeLink(merchant, { expiresAt });
  service.clock.advance(1000);
  expect(await start(service, slug, {})).toMatchObject({ status: 410, body: { error: { code: 'EXPIRED' } } });
  await merchant.client.paymentLinks.update(id, { status: 'disabled' });
  expect(await start(service, slug, {})).toMatchObject({ status: 410, body: { error: { code: 'DISABLED' } } });
});

test("refuses a merchant that may not collect, whatever the link's status", async ({ service, merchant }) => {
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', reason: 'merchant_not_active' } } };
  const pending = await service.registerMerchant();
  const { slug } = await makeLink(merchant, {}, pending);
  expect((await start(service, slug, {})).status).toBe(201);
  await service.set({ allowPendingMerchantsToCollect: false });
  expect(await start(service, slug, {})).toMatchObject(refused);
  await service.decide(pending.id, { kind: 'approve' });
  expect((await start(service, slug, {})).status).toBe(201);
  await service.decide(pending.id, { kind: 'freeze', reason: 'odd payments' });
  expect(await start(service, slug, {})).toMatchObject(refused);
});

test('a payer chooses between the bounds of the link, to the cent', async ({ service, merchant }) => {
  const { slug, id } = await makeLink(merchant, { payerAmount: { min: 5, max: 500 } });
  for (const [amount, asked] of [
    [undefined, 25],
    [5, 5],
    [500, 500],
    [12.34, 12.34],
  ] as const) {
    const started = await start(service, slug, { ...(amount !== undefined && { amount }) });
    expect(started).toMatchObject({ status: 201, body: { amount: asked, items: [] } });
  }
  for (const amount of [4.99, 500.01, 0, -5, 12.345, '12', 1e9]) {
    const refused = await start(service, slug, { amount });
    expect(refused, String(amount)).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'amount' }] } } });
  }
  const { payments } = await merchant.client.payments.list({ linkId: id });
  expect(payments.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([5, 12.34, 25, 500]);
});

test('a link with one amount takes no other, and its payments have its lines', async ({ service, merchant }) => {
  const items = [{ name: 'Workshop', quantity: 1, unitAmount: 25 }];
  const { slug } = await makeLink(merchant, { items });
  expect((await start(service, slug, { amount: 25 })).body).toMatchObject({ amount: 25, items });
  const refused = await start(service, slug, { amount: 0.01 });
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'amount' }] } } });
});

const FIELDS = [
  { key: 'size', label: 'Size', kind: 'choice', options: ['Small', 'Large'], required: true },
  { key: 'seats', label: 'Seats', kind: 'number', minimum: 1, maximum: 6 },
  { key: 'note', label: 'Note', kind: 'text', maxLength: 5 },
];

test('keeps what a payer answers beside what the merchant attaches', async ({ service, merchant }) => {
  const { slug } = await makeLink(merchant, { customFields: FIELDS });
  const answers = { note: 'තේ 🍵', size: 'Small', seats: 2 };
  const started = await start(service, slug, { customFields: answers });
  expect(started.status).toBe(201);
  expect(JSON.stringify(started.body)).not.toContain('Small');
  const { id } = started.body as { id: string };
  const customFields = [
    { key: 'size', label: 'Size', answer: 'Small' },
    { key: 'seats', label: 'Seats', answer: 2 },
    { key: 'note', label: 'Note', answer: 'තේ 🍵' },
  ];
  expect(await merchant.client.payments.get(id)).toMatchObject({ customFields, metadata: {} });
  const { body } = await service.db
    .selectFrom('events')
    .select('body')
    .where('resource_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(body.toString('utf8')).data).toMatchObject({ customFields, metadata: {} });
  const short = await start(service, slug, { customFields: { size: 'Large' } });
  const left = await merchant.client.payments.get((short.body as { id: string }).id);
  expect(left.customFields).toEqual([{ key: 'size', label: 'Size', answer: 'Large' }]);
  const turned = await start(service, slug, { customFields: { size: 'Large', note: 'T\u202eea' } });
  const kept = await merchant.client.payments.get((turned.body as { id: string }).id);
  expect(kept.customFields).toMatchObject([{ key: 'size' }, { key: 'note', answer: 'Tea' }]);
});

test.for([
  ['size', undefined],
  ['size', {}],
  ['size', { size: 'small' }],
  ['size', { size: '' }],
  ['size', { size: 1 }],
  ['seats', { size: 'Small', seats: 0 }],
  ['seats', { size: 'Small', seats: 7 }],
  ['seats', { size: 'Small', seats: '2' }],
  ['seats', { size: 'Small', seats: 1.5 }],
  ['seats', { size: 'Small', seats: 1e300 }],
  ['note', { size: 'Small', note: 'longer' }],
  ['note', { size: 'Small', note: '   ' }],
  ['note', { size: 'Small', note: 'a\nb' }],
  ['note', { size: 'Small', note: 'a\u0000' }],
  ['note', { size: 'Small', note: null }],
  ['colour', { size: 'Small', colour: 'red' }],
  ['toString', { size: 'Small', toString: 'x' }],
] as const)('names a wrong answer to %s and starts nothing: %j', async ([key, customFields], { service, merchant }) => {
  const { slug } = await makeLink(merchant, { customFields: FIELDS, maxPayments: 1 });
  const refused = await start(service, slug, customFields && { customFields });
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path: `customFields.${key}` }] } } });
  expect((await start(service, slug, { customFields: { size: 'Small' } })).status).toBe(201);
});

test('a link without questions takes no answers, and says so', async ({ service, merchant }) => {
  const { slug } = await makeLink(merchant);
  const refused = await start(service, slug, { customFields: { size: 'Small' } });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { fields: [{ message: expect.stringContaining('no fields') }] } },
  });
});

test('of twenty payers at once three get a place, and the others are told', async ({ service, merchant }) => {
  const { slug, id } = await makeLink(merchant, { maxPayments: 3 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => start(service, slug)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(17).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: {
      code: 'CONFLICT',
      reason: 'sold_out',
      message:
        'This payment link takes 3 payments, and none is left. 3 of them are still open and may give a place back.',
    },
  });
  const { payments } = await merchant.client.payments.list({ linkId: id });
  expect(payments).toHaveLength(3);
});

test('a limit that is set while payers come holds for all of them', async ({ service, merchant }) => {
  const { slug, id } = await makeLink(merchant);
  const limit = merchant.client.paymentLinks.update(id, { maxPayments: 3 });
  await Promise.all([limit, ...Array.from({ length: 8 }, () => start(service, slug))]);
  const before = (await merchant.client.payments.list({ linkId: id })).payments.length;
  const more = await Promise.all(Array.from({ length: 8 }, () => start(service, slug)));
  const after = (await merchant.client.payments.list({ linkId: id })).payments.length;
  expect(after).toBe(Math.max(before, 3));
  expect(more.filter(({ status }) => status === 201)).toHaveLength(Math.max(0, 3 - before));
});

test('what expires or is cancelled gives its place back, and what is paid keeps it', async ({ service, merchant }) => {
  const { slug, id } = await makeLink(merchant, { maxPayments: 1 });
  const first = (await start(service, slug)).body as { id: string };
  const soldOut = { status: 409, body: { error: { reason: 'sold_out' } } };
  expect(await start(service, slug)).toMatchObject(soldOut);
  await merchant.client.payments.cancel(first.id);
  expect((await start(service, slug)).status).toBe(201);
  expect(await start(service, slug)).toMatchObject(soldOut);
  await merchant.client.paymentLinks.update(id, { maxPayments: 2 });
  expect((await start(service, slug)).status).toBe(201);
  expect(await start(service, slug)).toMatchObject(soldOut);
});
