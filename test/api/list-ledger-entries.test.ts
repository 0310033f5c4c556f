import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

const DAY_MS = 86_400_000;
let paymentId: string;
const list = (merchant: TestMerchant, query: object = {}) => merchant.client.settlements.entries.list(query);

test.beforeAll(async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', expiresInMinutes: 1440 });
  paymentId = payment.id;
  await service.chain.transfer(payment, { confirmed: false });
  await service.runPaymentJobs();
  // The last millisecond of its day.
  service.clock.set(new Date(Date.UTC(2026, 0, 2) - 1));
  await service.chain.mine(1);
  await service.runPaymentJobs();
});

test('lists every movement, newest first, to the millionth of a dollar', async ({ merchant }) => {
  const page = await list(merchant);
  expect(page.data[0]?.createdAt).toBe('2026-01-01T23:59:59.999Z');
  expect(page.data.map(({ account, kind, amount }) => `${account} ${amount} by ${kind}`).sort()).toEqual(
    [
      'suspense 25.000000 by credit',
      'suspense -25.000000 by payment.moved',
      'pending 25.000000 by payment.moved',
      'pending -25.000000 by payment.moved',
      'available 25.000000 by payment.moved',
    ].sort(),
  );
  expect(page.pagination).toEqual(onlyPage(5));
  for (const entry of page.data) {
    expect(entry).toMatchObject({ paymentId, currency: 'USD', journalId: expect.stringMatching(/^je_/) });
    expect(entry.id).toBe(`${entry.journalId}-${entry.account}`);
  }
});

test('filters by account and by time; a date means the whole UTC day', async ({ merchant }) => {
  const total = async (query: object) => (await list(merchant, query)).pagination.total;
  expect((await list(merchant, { account: 'available' })).data).toMatchObject([
    { account: 'available', amount: '25.000000' },
  ]);
  expect(await total({ account: 'debt' })).toBe(0);
  expect(await total({ fromDate: '2026-01-01', toDate: '2026-01-01' })).toBe(5);
  expect(await total({ fromDate: '2026-01-01T23:59:59.999Z' })).toBe(2);
  expect(await total({ toDate: START.toISOString() })).toBe(3);
  expect(await total({ fromDate: '2026-01-02' })).toBe(0);
  expect(await total({ toDate: new Date(START.getTime() - DAY_MS).toISOString() })).toBe(0);
});

test('lists page by page, each entry once', async ({ merchant }) => {
  const all = (await list(merchant)).data.map(({ id }) => id);
  const paged = [];
  for (const page of [1, 2, 3]) paged.push(...(await list(merchant, { page, limit: 2 })).data.map(({ id }) => id));
  expect(paged).toEqual(all);
  expect(await list(merchant, { page: 4, limit: 2 })).toEqual({
    data: [],
    pagination: { page: 4, limit: 2, total: 5, totalPages: 3, totalIsMinimum: false, next: null, previous: null },
  });
});

test("hides another merchant's entries", async ({ service }) => {
  const other = await service.activeMerchant();
  expect((await other.client.settlements.entries.list()).data).toEqual([]);
});

test.for(['account=fees', 'fromDate=yesterday', 'fromDate=2026-02-30', 'toDate=2026-13-01', 'page=0', 'limit=101'])(
  'refuses %s',
  async (query, { service, merchant }) => {
    expect(await service.send('GET', `/v1/settlements/transactions?${query}`, { token: merchant.token })).toMatchObject(
      {
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
      },
    );
  },
);

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/settlements/transactions')).status).toBe(401);
});
