import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';

const create = (merchant: TestMerchant, expiresAt: string | null = null) =>
  merchant.client.paymentLinks.create({ title: 'Tea', description: 'With cake', amount: 25, expiresAt });
const put = (service: TestService, merchant: TestMerchant, id: string, body: unknown, token = merchant.token) =>
  service.send('PUT', `/v1/payment-links/${id}`, { body, token });
const eventsOf = async (service: TestService, id: string) => {
  const rows = await service.db
    .selectFrom('events')
    .select(['type', 'sequence'])
    .where('resource_id', '=', id)
    .orderBy('sequence')
    .execute();
  return rows.map(({ type, sequence }) => `${sequence} ${type}`);
};

test('changes what is sent, keeps the rest, announces and audits the change', async ({ service, merchant }) => {
  const link = await create(merchant);
  service.clock.advance(1000);
  const updatedAt = service.clock.now().toISOString();
  const changed = await merchant.client.paymentLinks.update(link.id, { title: 'Coffee', description: '' });
  expect(changed).toEqual({ ...link, title: 'Coffee', description: null, updatedAt });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(changed);
  expect(await eventsOf(service, link.id)).toEqual(['1 payment_link.created', '2 payment_link.updated']);
  const entry = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', link.id)
    .where('action', '=', 'payment_link.update')
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ actor_id: merchant.id, metadata: { title: 'Coffee', description: '' } });
});

test('changes and announces nothing for an empty object', async ({ service, merchant }) => {
  const link = await create(merchant);
  service.clock.advance(1000);
  expect(await merchant.client.paymentLinks.update(link.id, {})).toEqual(link);
  expect(await eventsOf(service, link.id)).toEqual(['1 payment_link.created']);
});

test('disables and enables a link', async ({ service, merchant }) => {
  const { id, slug } = await create(merchant);
  expect(await merchant.client.paymentLinks.update(id, { status: 'disabled' })).toMatchObject({ status: 'disabled' });
  await expect(service.client().public.paymentLinks.get(slug)).rejects.toMatchObject({ status: 410, code: 'DISABLED' });
  expect(await merchant.client.paymentLinks.update(id, { status: 'active' })).toMatchObject({ status: 'active' });
  expect(await service.client().public.paymentLinks.get(slug)).toMatchObject({ id });
});

test('reactivates an expired link with a new expiry, or with none', async ({ service, merchant }) => {
  const soon = () => new Date(service.clock.now().getTime() + 1000).toISOString();
  const { id } = await create(merchant, soon());
  service.clock.advance(1000);
  await service.runPaymentJobs();
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ status: 'expired' });
  expect(await merchant.client.paymentLinks.update(id, { expiresAt: soon() })).toMatchObject({ status: 'active' });
  service.clock.advance(1000);
  expect(await merchant.client.paymentLinks.update(id, { expiresAt: '' })).toMatchObject({
    status: 'active',
    expiresAt: null,
  });
  expect(await eventsOf(service, id)).toEqual([
    '1 payment_link.created',
    '2 payment_link.expired',
    '3 payment_link.updated',
    '4 payment_link.expired',
    '5 payment_link.updated',
  ]);
});

test('keeps the terms of payments that were already started', async ({ service, merchant }) => {
  const { id, slug } = await create(merchant);
  const payment = await service.client().public.paymentLinks.startPayment(slug, {});
  await merchant.client.paymentLinks.update(id, { title: 'Something else', status: 'disabled' });
  expect(await service.client().public.payments.get(payment.id)).toMatchObject({
    status: 'initiated',
    description: 'Tea',
  });
});

test.for([
  ['status', { status: 'expired' }],
  ['expiresAt', { expiresAt: START.toISOString() }],
  ['expiresAt', { expiresAt: '2027-01-01' }],
  ['title', { title: '' }],
  ['title', { title: null }],
  ['amount', { amount: 30 }],
  ['slug', { slug: 'another' }],
] as const)('names a wrong %s and changes nothing: %j', async ([path, body], { service, merchant }) => {
  const link = await create(merchant);
  expect(await put(service, merchant, link.id, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});

test("answers 404 for an unknown link and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  const other = await service.activeMerchant();
  expect((await put(service, merchant, id, { title: 'Mine' }, other.token)).status).toBe(404);
  expect((await put(service, merchant, 'plink_unknown', { title: 'Mine' })).status).toBe(404);
  expect((await service.send('PUT', `/v1/payment-links/${id}`, { body: { title: 'Mine' } })).status).toBe(401);
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ title: 'Tea' });
});

test('changes how many it takes, what it asks, and how it thanks', async ({ service, merchant }) => {
  const link = await create(merchant);
  const fields = [{ key: 'note', label: 'Note', kind: 'text' as const }];
  const asked = {
    key: 'note',
    label: 'Note',
    kind: 'text',
    required: false,
    maxLength: 100,
    minimum: null,
    maximum: null,
    options: [],
  };
  const change = { maxPayments: 3, customFields: fields, thankYou: 'See you!', thankYouUrl: 'https://shop.example/' };
  const sells = await merchant.client.paymentLinks.update(link.id, change);
  expect(sells).toMatchObject({ ...change, customFields: [asked] });
  expect(await merchant.client.paymentLinks.update(link.id, change)).toEqual(sells);
  expect(await eventsOf(service, link.id)).toEqual(['1 payment_link.created', '2 payment_link.updated']);
  const { data } = await merchant.client.paymentLinks.list();
  expect(data.find(({ id }) => id === link.id)).toMatchObject({ maxPayments: 3 });
  const none = { maxPayments: null, customFields: [], thankYou: '', thankYouUrl: null };
  expect(await merchant.client.paymentLinks.update(link.id, none)).toMatchObject({ ...none, thankYou: null });
});

test.for([
  ['maxPayments', { maxPayments: 0 }],
  ['customFields.0.options', { customFields: [{ key: 'a', label: 'A', kind: 'choice' }] }],
  ['thankYou', { thankYou: 'x'.repeat(1001) }],
  ['thankYouUrl', { thankYouUrl: 'http://shop.example' }],
] as const)('names a wrong %s and changes nothing: %j', async ([path, body], { service, merchant }) => {
  const link = await create(merchant);
  const refused = await put(service, merchant, link.id, body);
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});
