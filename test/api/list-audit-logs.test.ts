import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { onlyPage } from '../support/pages.ts';

let viewer: TestAdmin;
let other: TestMerchant;
const list = (query: object = {}) => viewer.client.auditLogs.list(query);
const actions = async (query: object) => (await list(query)).data.map(({ action }) => action);

test.beforeAll(async ({ service, merchant }) => {
  // Each entry at a time of its own, so that there is one order.
  service.clock.advance(1000);
  other = await service.activeMerchant();
  service.clock.advance(1000);
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  service.clock.advance(1000);
  await service.client().public.payments.select(id, { token: 'USDC', network: 'devnet' });
  // The last millisecond of its day.
  service.clock.set(new Date(Date.UTC(2026, 0, 2) - 1));
  viewer = await service.admin(['audit_logs.view']);
});

test('lists what all actors did, newest first, with addresses and merchants', async ({ service, merchant }) => {
  await service.runJob('audit.seal');
  const { data, pagination } = await list();
  expect(data.map(({ action, actorType, merchantId }) => [action, actorType, merchantId])).toEqual([
    ['session.create', 'admin', null],
    ['payment.select', 'system', merchant.id],
    ['payment.create', 'merchant', merchant.id],
    ['merchant.register', 'merchant', other.id],
    ['merchant.register', 'merchant', merchant.id],
  ]);
  expect(pagination).toEqual(onlyPage(5));
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^log_/),
    actorType: 'admin',
    actorId: viewer.id,
    action: 'session.create',
    resourceType: 'session',
    resourceId: expect.stringMatching(/^ses_/),
    merchantId: null,
    ipAddress: '127.0.0.1',
    userAgent: 'node',
    timestamp: '2026-01-01T23:59:59.999Z',
    metadata: {},
    requestId: expect.stringMatching(/./),
    sequence: 5,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('filters by actor, action, resource, merchant and time, and by any of these together', async ({ merchant }) => {
  expect(await actions({ actorType: 'system' })).toEqual(['payment.select']);
  expect(await actions({ actorType: 'admin' })).toEqual(['session.create']);
  expect(await actions({ actorId: other.id })).toEqual(['merchant.register']);
  expect(await actions({ action: 'payment.create' })).toEqual(['payment.create']);
  expect(await actions({ resourceType: 'payment' })).toEqual(['payment.select', 'payment.create']);
  expect(await actions({ merchantId: merchant.id })).toEqual(['payment.select', 'payment.create', 'merchant.register']);
  expect(await actions({ resourceType: 'payment', actorType: 'merchant', actorId: other.id })).toEqual([]);
  expect(await actions({ resourceType: 'payment', actorType: 'merchant', merchantId: merchant.id })).toEqual([
    'payment.create',
  ]);
  expect(await actions({ fromDate: '2026-01-01T23:59:59.999Z' })).toEqual(['session.create']);
  expect(await actions({ toDate: START.toISOString() })).toEqual(['merchant.register']);
  expect(await actions({ fromDate: '2026-01-01', toDate: '2026-01-01' })).toHaveLength(5);
  expect(await actions({ fromDate: '2026-01-02' })).toEqual([]);
});

test('lists page by page, each entry once, and all in one iteration of the client', async () => {
  const all = (await list()).data.map(({ id }) => id);
  const paged = [];
  for (const page of [1, 2, 3]) paged.push(...(await list({ page, limit: 2 })).data.map(({ id }) => id));
  expect(paged).toEqual(all);
  expect((await list({ page: 4, limit: 2 })).pagination).toEqual({
    page: 4,
    limit: 2,
    total: 5,
    totalPages: 3,
    totalIsMinimum: false,
    next: null,
    previous: null,
  });
  const iterated = [];
  for await (const { id } of viewer.client.auditLogs.iterate({ limit: 2 })) iterated.push(id);
  expect(iterated).toEqual(all);
});

test.for(['actorType=nobody', 'fromDate=yesterday', 'page=0', 'limit=101', 'actorId='])(
  'refuses %s',
  async (query, { service }) => {
    expect(await service.send('GET', `/v1/audit-logs?${query}`, { token: viewer.token })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
    });
  },
);

test('refuses callers without a token, merchants, and administrators without the permission', async ({
  service,
  merchant,
}) => {
  const without = await service.admin(['users.view']);
  for (const [token, status] of [
    [undefined, 401],
    [merchant.token, 401],
    [without.token, 403],
  ] as const) {
    expect((await service.send('GET', '/v1/audit-logs', token === undefined ? {} : { token })).status).toBe(status);
  }
});
