import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

const MINUTE_MS = 60_000;
const slugsOf = (page: { data: readonly { slug: string }[] }): string => page.data.map(({ slug }) => slug).join(' ');

test.beforeAll(async ({ service, merchant }) => {
  const { paymentLinks } = merchant.client;
  const at = (minutes: number): string => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  for (const [slug, expiresAt] of [['first'], ['ending', at(10)], ['ended', at(5)], ['off', at(5)], ['gone']]) {
    const link = await paymentLinks.create({
      title: `The ${slug}`,
      amount: 25,
      slug: slug ?? '',
      expiresAt: expiresAt ?? null,
    });
    if (slug === 'off') await paymentLinks.update(link.id, { status: 'disabled' });
    if (slug === 'gone') await paymentLinks.delete(link.id);
    service.clock.advance(1);
  }
  service.clock.set(new Date(START.getTime() + 5 * MINUTE_MS));
});

test('lists links newest first', async ({ merchant }) => {
  const page = await merchant.client.paymentLinks.list();
  expect(slugsOf(page)).toBe('off ended ending first');
  expect(page.pagination).toEqual(onlyPage(4));
  expect(page.data.at(-1)).toEqual({
    id: expect.stringMatching(/^plink_/),
    title: 'The first',
    amount: 25,
    currency: 'USD',
    slug: 'first',
    url: 'http://localhost:3000/checkout/pay/first',
    status: 'active',
    totalPaid: 0,
    paymentCount: 0,
    maxPayments: null,
    expiresAt: null,
    createdAt: START.toISOString(),
  });
});

test.for([
  ['active', 'ending first'],
  ['expired', 'ended'],
  ['disabled', 'off'],
] as const)('filters by the current status %s, even before any job has run', async ([status, slugs], { merchant }) => {
  const page = await merchant.client.paymentLinks.list({ status });
  expect(slugsOf(page)).toBe(slugs);
  expect(new Set(page.data.map((link) => link.status))).toEqual(new Set([status]));
  expect(page.pagination.total).toBe(page.data.length);
});

test('lists page by page; a page past the end is empty and knows the total', async ({ merchant }) => {
  expect(await merchant.client.paymentLinks.list({ page: 2, limit: 3 })).toMatchObject({
    data: [{ slug: 'first' }],
    pagination: {
      page: 2,
      limit: 3,
      total: 4,
      totalPages: 2,
      totalIsMinimum: false,
      next: null,
      previous: expect.any(String),
    },
  });
  expect(await merchant.client.paymentLinks.list({ page: 1_000_000, limit: 100 })).toEqual({
    data: [],
    pagination: {
      page: 1_000_000,
      limit: 100,
      total: 4,
      totalPages: 1,
      totalIsMinimum: false,
      next: null,
      previous: null,
    },
  });
});

test("hides another merchant's links", async ({ service }) => {
  const other = await service.activeMerchant();
  expect(await other.client.paymentLinks.list()).toEqual({
    data: [],
    pagination: { page: 1, limit: 20, total: 0, totalPages: 0, totalIsMinimum: false, next: null, previous: null },
  });
});

test.for(['page=0', 'page=1000001', 'page=x', 'limit=0', 'limit=101', 'status=paid'])(
  'refuses %s',
  async (query, { service, merchant }) => {
    expect(await service.send('GET', `/v1/payment-links?${query}`, { token: merchant.token })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
    });
  },
);

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/payment-links')).status).toBe(401);
});
