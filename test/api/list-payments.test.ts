import { describe, expect } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

const MINUTE_MS = 60_000;
/** Five payments, a minute apart, the first paid and the second cancelled. */
const ids: string[] = [];

test.beforeAll(async ({ service, merchant }) => {
  const other = await service.activeMerchant();
  await other.client.payments.create({ amount: 1, currency: 'USD' });
  for (let index = 0; index < 5; index += 1) {
    const draft = { amount: 10 + index, currency: 'USD', description: `Order ${index}` } as const;
    ids.push((await merchant.client.payments.create(draft)).id);
    service.clock.advance(MINUTE_MS);
  }
  await service.chain.transfer(await merchant.client.payments.get(ids[0] as string));
  await service.runPaymentJobs();
  await merchant.client.payments.cancel(ids[1] as string);
});

type Query = Parameters<Client['payments']['list']>[0];
const list = (merchant: TestMerchant, query: Query = {}) => merchant.client.payments.list(query);
const numbers = async (merchant: TestMerchant, query: Query = {}) =>
  (await list(merchant, query)).payments.map(({ id }) => ids.indexOf(id));

test("lists the merchant's own payments, newest first, in short form", async ({ merchant }) => {
  const { payments, pagination } = await list(merchant);
  expect(payments.map(({ id }) => ids.indexOf(id))).toEqual([4, 3, 2, 1, 0]);
  expect(pagination).toEqual(onlyPage(5));
  expect(payments[2]).toEqual({
    id: ids[2],
    status: 'initiated',
    reason: null,
    exception: null,
    amount: 12,
    currency: 'USD',
    cryptoAmount: '12.000000',
    description: 'Order 2',
    customerEmail: null,
    paidAt: null,
    createdAt: new Date(START.getTime() + 2 * MINUTE_MS).toISOString(),
  });
});

test('lists page by page; a page past the end is empty and knows the total', async ({ merchant }) => {
  expect(await numbers(merchant, { limit: 2 })).toEqual([4, 3]);
  expect(await numbers(merchant, { limit: 2, page: 3 })).toEqual([0]);
  expect(await list(merchant, { limit: 2, page: 4 })).toEqual({
    payments: [],
    pagination: { page: 4, limit: 2, total: 5, totalPages: 3, totalIsMinimum: false, next: null, previous: null },
  });
  expect((await list(merchant, { page: 1_000_000, limit: 100 })).pagination.total).toBe(5);
});

test("the client's iterator reads all pages", async ({ merchant }) => {
  const seen: string[] = [];
  for await (const payment of merchant.client.payments.iterate({ limit: 2 })) seen.push(payment.id);
  expect(seen).toEqual(ids.toReversed());
});

test('keeps a stable order for payments of the same millisecond', async ({ service }) => {
  const { client } = await service.activeMerchant();
  for (let index = 0; index < 4; index += 1) await client.payments.create({ amount: 5, currency: 'USD' });
  const all = (await client.payments.list({})).payments.map(({ id }) => id);
  const paged = [];
  for (const page of [1, 2, 3, 4]) paged.push(...(await client.payments.list({ limit: 1, page })).payments);
  expect(paged.map(({ id }) => id)).toEqual(all);
});

test('filters by status', async ({ merchant }) => {
  expect(await numbers(merchant, { status: 'paid' })).toEqual([0]);
  expect(await numbers(merchant, { status: 'expired' })).toEqual([1]);
  expect(await numbers(merchant, { status: 'initiated' })).toEqual([4, 3, 2]);
  expect((await list(merchant, { status: 'failed' })).pagination).toMatchObject({ total: 0, totalPages: 0 });
});

test('filters by exception', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const surplus = await client.payments.create({ amount: 10, currency: 'USD' });
  await client.payments.create({ amount: 10, currency: 'USD' });
  await service.chain.transfer(surplus, { amount: '12' });
  await service.runPaymentJobs();
  const found = await client.payments.list({ exception: 'overpaid' });
  expect(found.payments.map(({ id }) => id)).toEqual([surplus.id]);
  expect(found.pagination.total).toBe(1);
  expect((await client.payments.list({ exception: 'late' })).pagination.total).toBe(0);
});

test('filters by source and by link', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const direct = await client.payments.create({ amount: 3, currency: 'USD' });
  const make = async (title: string) => {
    const link = await client.paymentLinks.create({ title, amount: 5, currency: 'USD' });
    return { link, payment: await client.public.paymentLinks.startPayment(link.slug, {}) };
  };
  const first = await make('First');
  const second = await make('Second');
  const idsOf = async (query: Query) => (await client.payments.list(query)).payments.map(({ id }) => id);
  expect(await idsOf({ source: 'direct' })).toEqual([direct.id]);
  expect((await idsOf({ source: 'link' })).toSorted()).toEqual([first.payment.id, second.payment.id].toSorted());
  expect(await idsOf({ linkId: first.link.id })).toEqual([first.payment.id]);
  expect(await idsOf({ linkId: first.link.id, source: 'direct' })).toEqual([]);
});

test('filters by the whole e-mail address of the customer, whatever its case', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const draft = { amount: 3, currency: 'USD', customerEmail: 'Nimal@example.org' } as const;
  const { id } = await client.payments.create(draft);
  await client.payments.create({ ...draft, customerEmail: 'kamal.nimal@example.org' });
  const found = await client.payments.list({ customerEmail: 'nIMAL@Example.org' });
  expect(found.payments.map((payment) => payment.id)).toEqual([id]);
  expect(found.pagination.total).toBe(1);
});

test('tells what waits for a decision from what is decided and from what may still be paid', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const create = () => client.payments.create({ amount: 10, currency: 'USD' });
  const [decided, surplus, part, plain] = [await create(), await create(), await create(), await create()];
  for (const payment of [decided, surplus]) await service.chain.transfer(payment, { amount: '12' });
  await service.chain.transfer(part, { amount: '4' });
  await service.chain.transfer(plain);
  await service.runPaymentJobs();
  await client.payments.resolve(decided.id, { action: 'accept' });
  const idsOf = async (query: Query) => (await client.payments.list(query)).payments.map(({ id }) => id).toSorted();
  expect(await idsOf({ waiting: true })).toEqual([surplus.id]);
  expect(await idsOf({ waiting: false })).toEqual([decided.id, part.id, plain.id].toSorted());
  await client.payments.cancel(part.id);
  expect(await idsOf({ waiting: true })).toEqual([surplus.id, part.id].toSorted());
  expect(await idsOf({ waiting: true, exception: 'overpaid' })).toEqual([surplus.id]);
});

test('filters by amount, in the currency of each payment and in one', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const create = async (amount: number, currency: 'USD' | 'LKR') =>
    (await client.payments.create({ amount, currency })).id;
  const [small, exact, rupees] = [await create(299.99, 'USD'), await create(300, 'USD'), await create(300.01, 'LKR')];
  const idsOf = async (query: Query) => (await client.payments.list(query)).payments.map(({ id }) => id);
  expect(await idsOf({ minAmount: 300 })).toEqual([rupees, exact]);
  expect(await idsOf({ minAmount: 300, currency: 'USD' })).toEqual([exact]);
  expect(await idsOf({ minAmount: 299.99, maxAmount: 300 })).toEqual([exact, small]);
  expect(await idsOf({ currency: 'LKR' })).toEqual([rupees]);
  expect(await idsOf({ minAmount: 301, maxAmount: 299 })).toEqual([]);
});

describe('from and to', () => {
  const at = (minutes: number, ms = 0) => new Date(START.getTime() + minutes * MINUTE_MS + ms).toISOString();

  test('include that very millisecond', async ({ merchant }) => {
    expect(await numbers(merchant, { fromDate: at(3) })).toEqual([4, 3]);
    expect(await numbers(merchant, { fromDate: at(3, 1) })).toEqual([4]);
    expect(await numbers(merchant, { toDate: at(1) })).toEqual([1, 0]);
    expect(await numbers(merchant, { toDate: at(1, -1) })).toEqual([0]);
    expect(await numbers(merchant, { fromDate: at(2), toDate: at(2) })).toEqual([2]);
  });

  test('mean whole UTC days when they name a day', async ({ merchant }) => {
    expect(await numbers(merchant, { fromDate: '2026-01-01', toDate: '2026-01-01' })).toHaveLength(5);
    expect(await numbers(merchant, { fromDate: '2026-01-02' })).toEqual([]);
    expect(await numbers(merchant, { toDate: '2025-12-31' })).toEqual([]);
  });

  test('understand other time zones', async ({ merchant }) => {
    expect(await numbers(merchant, { fromDate: '2026-01-01T15:33:00+05:30' })).toEqual([4, 3]);
  });

  test('give an empty list for a range that ends before it begins', async ({ merchant }) => {
    expect(await numbers(merchant, { fromDate: at(4), toDate: at(1) })).toEqual([]);
  });
});

test('refuses an unknown status, a wrong page and an impossible day', async ({ merchant }) => {
  const wrong = { status: 400, code: 'VALIDATION_ERROR' };
  await expect(list(merchant, { status: 'nonsense' as 'paid' })).rejects.toMatchObject({
    ...wrong,
    fields: [{ path: 'status' }],
  });
  await expect(list(merchant, { page: 0 })).rejects.toMatchObject({ ...wrong, fields: [{ path: 'page' }] });
  await expect(list(merchant, { toDate: '2026-02-30' })).rejects.toMatchObject({
    ...wrong,
    fields: [{ path: 'toDate' }],
  });
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/payments')).status).toBe(401);
});
