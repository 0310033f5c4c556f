import { afterAll, beforeAll, expect, test } from 'vitest';
import { START, startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const create = (expiresAt: string | null = null) =>
  merchant.client.paymentLinks.create({ title: 'Tea', description: 'With cake', amount: 25, expiresAt });
const put = (id: string, body: unknown, token = merchant.token) =>
  service.send('PUT', `/v1/payment-links/${id}`, { body, token });
const eventsOf = async (id: string) => {
  const rows = await service.db
    .selectFrom('events')
    .select(['type', 'sequence'])
    .where('resource_id', '=', id)
    .orderBy('sequence')
    .execute();
  return rows.map(({ type, sequence }) => `${sequence} ${type}`);
};

test('what is sent changes, the rest stays, and the change is announced and written down', async () => {
  const link = await create();
  service.clock.advance(1000);
  const updatedAt = service.clock.now().toISOString();
  const changed = await merchant.client.paymentLinks.update(link.id, { title: 'Coffee', description: '' });
  expect(changed).toEqual({ ...link, title: 'Coffee', description: null, updatedAt });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(changed);
  expect(await eventsOf(link.id)).toEqual(['1 payment_link.created', '2 payment_link.updated']);
  const entry = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', link.id)
    .where('action', '=', 'payment_link.update')
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({ actor_id: merchant.id, metadata: { title: 'Coffee', description: '' } });
});

test('an empty object changes nothing and announces nothing', async () => {
  const link = await create();
  service.clock.advance(1000);
  expect(await merchant.client.paymentLinks.update(link.id, {})).toEqual(link);
  expect(await eventsOf(link.id)).toEqual(['1 payment_link.created']);
});

test('a link is switched off and on again', async () => {
  const { id, slug } = await create();
  expect(await merchant.client.paymentLinks.update(id, { status: 'disabled' })).toMatchObject({ status: 'disabled' });
  await expect(service.client().public.paymentLinks.get(slug)).rejects.toMatchObject({ status: 410, code: 'DISABLED' });
  expect(await merchant.client.paymentLinks.update(id, { status: 'active' })).toMatchObject({ status: 'active' });
  expect(await service.client().public.paymentLinks.get(slug)).toMatchObject({ id });
});

test('an expired link runs again with a new expiry, or with none', async () => {
  const soon = () => new Date(service.clock.now().getTime() + 1000).toISOString();
  const { id } = await create(soon());
  service.clock.advance(1000);
  await service.settle();
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ status: 'expired' });
  expect(await merchant.client.paymentLinks.update(id, { expiresAt: soon() })).toMatchObject({ status: 'active' });
  service.clock.advance(1000);
  expect(await merchant.client.paymentLinks.update(id, { expiresAt: '' })).toMatchObject({
    status: 'active',
    expiresAt: null,
  });
  expect(await eventsOf(id)).toEqual([
    '1 payment_link.created',
    '2 payment_link.expired',
    '3 payment_link.updated',
    '4 payment_link.expired',
    '5 payment_link.updated',
  ]);
});

test('a payment that was started keeps the terms under which it was started', async () => {
  const { id, slug } = await create();
  const payment = await service.client().public.paymentLinks.startPayment(slug, {});
  await merchant.client.paymentLinks.update(id, { title: 'Something else', status: 'disabled' });
  expect(await service.client().public.payments.get(payment.id)).toMatchObject({
    status: 'initiated',
    description: 'Tea',
  });
});

test.each([
  ['status', { status: 'expired' }],
  ['expiresAt', { expiresAt: START.toISOString() }],
  ['expiresAt', { expiresAt: '2027-01-01' }],
  ['title', { title: '' }],
  ['title', { title: null }],
  ['amount', { amount: 30 }],
  ['slug', { slug: 'another' }],
])('a wrong %s is named and changes nothing: %j', async (path, body) => {
  const link = await create();
  expect(await put(link.id, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await merchant.client.paymentLinks.get(link.id)).toEqual(link);
});

test("an unknown link and another merchant's are not found, and nobody changes one without a token", async () => {
  const { id } = await create();
  const other = await service.activeMerchant();
  expect((await put(id, { title: 'Mine' }, other.token)).status).toBe(404);
  expect((await put('plink_unknown', { title: 'Mine' })).status).toBe(404);
  expect((await service.send('PUT', `/v1/payment-links/${id}`, { body: { title: 'Mine' } })).status).toBe(401);
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ title: 'Tea' });
});
