import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';

const create = (service: TestService, merchant: TestMerchant, body: unknown, token = merchant.token) =>
  service.send('POST', '/v1/payment-links', { body, token });

test('makes an active link with a slug of its own that accepts every token by default', async ({ merchant }) => {
  const link = await merchant.client.paymentLinks.create({ title: 'Donation', amount: 5 });
  expect(link).toEqual({
    id: expect.stringMatching(/^plink_[0-9a-hjkmnp-tv-z]{26}$/),
    merchantId: merchant.id,
    title: 'Donation',
    description: null,
    amount: 5,
    currency: 'USD',
    payerAmount: null,
    items: [],
    acceptedTokens: ['USDT', 'USDC', 'ETH', 'BTC'],
    slug: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{10}$/),
    url: `http://localhost:3000/checkout/pay/${link.slug}`,
    status: 'active',
    totalPaid: 0,
    paymentCount: 0,
    ...{ maxPayments: null, customFields: [], thankYou: null, thankYouUrl: null },
    expiresAt: null,
    createdAt: START.toISOString(),
    updatedAt: START.toISOString(),
  });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});

test('keeps every field as it was written, and the time in UTC', async ({ merchant }) => {
  const link = await merchant.client.paymentLinks.create({
    title: 'වසන්ත තේ ☕',
    description: 'Three hours,\ntea and cake "included".',
    amount: 1_000_000,
    currency: 'USD',
    acceptedTokens: ['USDC'],
    slug: 'spring-workshop',
    expiresAt: '2026-01-01T15:30:00.001+05:30',
  });
  expect(link).toMatchObject({
    title: 'වසන්ත තේ ☕',
    description: 'Three hours,\ntea and cake "included".',
    amount: 1_000_000,
    acceptedTokens: ['USDC'],
    slug: 'spring-workshop',
    url: 'http://localhost:3000/checkout/pay/spring-workshop',
    expiresAt: '2026-01-01T10:00:00.001Z',
  });
});

test.for(['', null])('treats an expiry of %j as none', async (expiresAt, { service, merchant }) => {
  expect(
    (await create(service, merchant, { title: 'T', amount: 1, expiresAt, description: expiresAt })).body,
  ).toMatchObject({
    expiresAt: null,
    description: null,
  });
});

test('announces the link and audits who made it', async ({ service, merchant }) => {
  const link = await merchant.client.paymentLinks.create({ title: 'Announced', amount: 7.5 });
  const event = await service.db
    .selectFrom('events')
    .selectAll()
    .where('resource_id', '=', link.id)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(event.body.toString('utf8'))).toEqual({
    id: event.id,
    type: 'payment_link.created',
    timestamp: START.toISOString(),
    livemode: false,
    merchantId: merchant.id,
    sequence: 1,
    data: link,
  });
  const entries = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', link.id).execute();
  expect(entries).toMatchObject([
    { action: 'payment_link.create', actor_type: 'merchant', actor_id: merchant.id, merchant_id: merchant.id },
  ]);
});

describe('slugs', () => {
  test('are unique on the platform, and free again after their link is deleted', async ({ service, merchant }) => {
    const other = await service.activeMerchant();
    const link = await merchant.client.paymentLinks.create({ title: 'First', amount: 1, slug: 'once' });
    await expect(other.client.paymentLinks.create({ title: 'Second', amount: 1, slug: 'once' })).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'The slug "once" is taken. Choose another or leave it out.',
    });
    await merchant.client.paymentLinks.delete(link.id);
    expect(await other.client.paymentLinks.create({ title: 'Second', amount: 1, slug: 'once' })).toMatchObject({
      slug: 'once',
    });
  });

  test.for(['a-b', 'abc', '0-0', `a${'-'.repeat(62)}z`])('%s is valid', async (slug, { service, merchant }) => {
    expect((await create(service, merchant, { title: 'T', amount: 1, slug })).status).toBe(201);
  });

  test.for(['ab', 'Abc', 'a_b', '-ab', 'ab-', 'a b', 'aé', 'abc\n', `a${'b'.repeat(64)}`, ''])(
    '%j is invalid',
    async (slug, { service, merchant }) => {
      expect(await create(service, merchant, { title: 'T', amount: 1, slug })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'slug' }] } },
      });
    },
  );
});

test.for([
  ['title', { amount: 5 }],
  ['title', { title: '', amount: 5 }],
  ['title', { title: 'x'.repeat(121), amount: 5 }],
  ['title', { title: 'a\u0000b', amount: 5 }],
  ['title', { title: 7, amount: 5 }],
  ['amount', { title: 'T' }],
  ['amount', { title: 'T', amount: 0 }],
  ['amount', { title: 'T', amount: -5 }],
  ['amount', { title: 'T', amount: '5' }],
  ['amount', { title: 'T', amount: 1.005 }],
  ['amount', { title: 'T', amount: 1_000_000.01 }],
  ['currency', { title: 'T', amount: 5, currency: 'LKR' }],
  ['acceptedTokens', { title: 'T', amount: 5, acceptedTokens: [] }],
  ['acceptedTokens', { title: 'T', amount: 5, acceptedTokens: ['USDT', 'USDT'] }],
  ['acceptedTokens.0', { title: 'T', amount: 5, acceptedTokens: ['DOGE'] }],
  ['acceptedTokens', { title: 'T', amount: 5, acceptedTokens: ['BTC'] }],
  ['description', { title: 'T', amount: 5, description: 'x'.repeat(2001) }],
  ['expiresAt', { title: 'T', amount: 5, expiresAt: START.toISOString() }],
  ['expiresAt', { title: 'T', amount: 5, expiresAt: '2027-02-30T10:00:00Z' }],
  ['expiresAt', { title: 'T', amount: 5, expiresAt: '2027-02-01' }],
  ['expiresAt', { title: 'T', amount: 5, expiresAt: 'tomorrow' }],
  ['color', { title: 'T', amount: 5, color: 'red' }],
] as const)('names a wrong %s and stores nothing: %j', async ([path, body], { service, merchant }) => {
  const stored = () => service.db.selectFrom('payment_links').select('id').execute();
  const before = await stored();
  expect(await create(service, merchant, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await stored()).toEqual(before);
});

test.for([undefined, null, [], 'tea', 5])('refuses a body of %j', async (body, { service, merchant }) => {
  expect(await create(service, merchant, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR' } },
  });
});

test('answers 401 without a login before it looks at the body', async ({ service }) => {
  expect(await service.send('POST', '/v1/payment-links', { body: { amount: 'x' } })).toMatchObject({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED', reason: 'token_missing' } },
  });
});

test('takes links from a pending merchant but not from a frozen one', async ({ service, merchant }) => {
  const pending = await service.registerMerchant();
  expect((await create(service, merchant, { title: 'T', amount: 1 }, pending.token)).status).toBe(201);
  await service.decide(pending.id, { kind: 'approve' });
  await service.decide(pending.id, { kind: 'freeze', reason: 'odd payments' });
  expect(await create(service, merchant, { title: 'T', amount: 1 }, pending.token)).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', reason: 'merchant_not_active' } },
  });
});

test('keeps lines that add up, and bounds around the amount', async ({ merchant }) => {
  const items = [
    { name: 'Workshop', quantity: 1, unitAmount: 30 },
    { name: 'Early booking', quantity: 1, unitAmount: -5 },
  ];
  const sold = await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25, items });
  expect(sold).toMatchObject({ amount: 25, items, payerAmount: null });
  const open = await merchant.client.paymentLinks.create({
    ...{ title: 'Donation', amount: 25, payerAmount: { min: 0.5, max: 500 } },
  });
  expect(open).toMatchObject({ amount: 25, items: [], payerAmount: { min: 0.5, max: 500 } });
  for (const link of [sold, open]) expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});

test.for([
  [{ items: [{ name: 'Tea', unitAmount: 24 }] }, 'items'],
  [{ items: Array.from({ length: 50 }, () => ({ name: '"'.repeat(120), unitAmount: 0.5 })) }, 'items'],
  [{ items: [{ name: 'Tea', unitAmount: 25 }], payerAmount: { min: 5, max: 50 } }, 'items'],
  [{ payerAmount: { min: 26, max: 50 } }, 'amount'],
  [{ payerAmount: { min: 5, max: 24.99 } }, 'amount'],
  [{ payerAmount: { min: 50, max: 5 } }, 'payerAmount.min'],
  [{ payerAmount: { min: 0, max: 50 } }, 'payerAmount.min'],
  [{ payerAmount: { min: 5, max: 1_000_000.01 } }, 'payerAmount.max'],
  [{ payerAmount: { min: 5.001, max: 50 } }, 'payerAmount.min'],
  [{ payerAmount: { min: 5 } }, 'payerAmount.max'],
] as const)('refuses terms that contradict each other: %j', async ([terms, path], { service, merchant }) => {
  const refused = await create(service, merchant, { title: 'T', amount: 25, ...terms });
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
});

test('keeps how many it takes, what it asks, and how it thanks', async ({ merchant }) => {
  const link = await merchant.client.paymentLinks.create({
    title: 'Spring tea workshop',
    amount: 25,
    maxPayments: 12,
    customFields: [
      { key: 'size', label: 'Size of your apron', kind: 'choice', options: ['Small', 'Large'], required: true },
      { key: 'seats', label: 'How many of you come', kind: 'number', minimum: 1, maximum: 6 },
      { key: 'allergies', label: 'What you can not eat', kind: 'text', maxLength: 60 },
      { key: 'note', label: 'ඔබේ පණිවිඩය', kind: 'text' },
    ],
    thankYou: 'See you on Saturday at 3 pm.\nBring an apron.',
    thankYouUrl: 'https://shop.example/workshop?from=kasi',
  });
  const unset = { required: false, maxLength: null, minimum: null, maximum: null, options: [] };
  expect(link).toMatchObject({
    maxPayments: 12,
    customFields: [
      {
        ...unset,
        key: 'size',
        label: 'Size of your apron',
        kind: 'choice',
        options: ['Small', 'Large'],
        required: true,
      },
      { ...unset, key: 'seats', label: 'How many of you come', kind: 'number', minimum: 1, maximum: 6 },
      { ...unset, key: 'allergies', label: 'What you can not eat', kind: 'text', maxLength: 60 },
      { ...unset, key: 'note', label: 'ඔබේ පණිවිඩය', kind: 'text', maxLength: 100 },
    ],
    thankYou: 'See you on Saturday at 3 pm.\nBring an apron.',
    thankYouUrl: 'https://shop.example/workshop?from=kasi',
  });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});

const text = { key: 'note', label: 'Note', kind: 'text' };
test.for([
  [{ maxPayments: 0 }, 'maxPayments'],
  [{ maxPayments: 1_000_001 }, 'maxPayments'],
  [{ maxPayments: 1.5 }, 'maxPayments'],
  [{ maxPayments: '3' }, 'maxPayments'],
  [{ customFields: [1, 2, 3, 4, 5, 6].map((n) => ({ ...text, key: `note${n}` })) }, 'customFields'],
  [{ customFields: [text, { ...text, label: 'Another' }] }, 'customFields.1.key'],
  [{ customFields: [{ ...text, key: '__proto__' }] }, 'customFields.0.key'],
  [{ customFields: [{ ...text, key: 'Note' }] }, 'customFields.0.key'],
  [{ customFields: [{ ...text, label: ' Note' }] }, 'customFields.0.label'],
  [{ customFields: [{ ...text, label: 'two\nlines' }] }, 'customFields.0.label'],
  [{ customFields: [{ ...text, label: '\u200b' }] }, 'customFields.0.label'],
  [{ customFields: [{ ...text, kind: 'choice', options: ['a', 'b\u202e'] }] }, 'customFields.0.options.1'],
  [{ items: [{ name: 'T\u2067ea', unitAmount: 25 }] }, 'items.0.name'],
  [{ customFields: [{ ...text, maxLength: 201 }] }, 'customFields.0.maxLength'],
  [{ customFields: [{ ...text, minimum: 1 }] }, 'customFields.0.minimum'],
  [{ customFields: [{ ...text, options: ['a', 'b'] }] }, 'customFields.0.options'],
  [{ customFields: [{ ...text, kind: 'date' }] }, 'customFields.0.kind'],
  [{ customFields: [{ ...text, kind: 'number', minimum: 2, maximum: 1 }] }, 'customFields.0.minimum'],
  [{ customFields: [{ ...text, kind: 'number', maximum: 1.5 }] }, 'customFields.0.maximum'],
  [{ customFields: [{ ...text, kind: 'number', maxLength: 5 }] }, 'customFields.0.maxLength'],
  [{ customFields: [{ ...text, kind: 'choice' }] }, 'customFields.0.options'],
  [{ customFields: [{ ...text, kind: 'choice', options: ['one'] }] }, 'customFields.0.options'],
  [{ customFields: [{ ...text, kind: 'choice', options: ['same', 'same'] }] }, 'customFields.0.options'],
  [{ customFields: [{ ...text, kind: 'choice', options: ['a', 'b '] }] }, 'customFields.0.options.1'],
  [{ customFields: [{ ...text, hint: 'x' }] }, 'customFields.0.hint'],
  [{ thankYou: 'x'.repeat(1001) }, 'thankYou'],
  [{ thankYou: 'a\u0000b' }, 'thankYou'],
  [{ thankYouUrl: 'http://shop.example' }, 'thankYouUrl'],
  [{ thankYouUrl: 'https://me:secret@shop.example' }, 'thankYouUrl'],
  [{ thankYouUrl: 'javascript:alert(1)' }, 'thankYouUrl'],
  [{ thankYouUrl: 'https://' }, 'thankYouUrl'],
] as const)('refuses what can not be sold, asked or said: %j', async ([terms, path], { service, merchant }) => {
  const refused = await create(service, merchant, { title: 'T', amount: 25, ...terms });
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
});

test('keeps no more questions, lines and thanks than fit into an event', async ({ service, merchant }) => {
  const options = Array.from({ length: 20 }, (_, n) => `${n} ${'ය'.repeat(70)}`);
  const customFields = [1, 2].map((n) => ({ key: `k${n}`, label: 'Which', kind: 'choice', options }));
  const refused = await create(service, merchant, { title: 'T', amount: 25, customFields });
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'customFields' }] } } });
  const items = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(100), unitAmount: 0.5 }));
  const full = await create(service, merchant, { title: 'T', amount: 25, items, thankYou: 'ශ'.repeat(1000) });
  expect(full).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'thankYou' }] } } });
  const fits = await create(service, merchant, { title: 'T', amount: 25, items });
  const { id } = fits.body as { id: string };
  expect(fits.status).toBe(201);
  await expect(merchant.client.paymentLinks.update(id, { thankYou: 'ශ'.repeat(1000) })).rejects.toMatchObject({
    status: 400,
    fields: [{ path: 'thankYou' }],
  });
});
