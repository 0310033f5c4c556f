import { expect } from 'vitest';
import { recordAudit } from '../../src/audit/record.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

let linkId: string;
const list = (merchant: TestMerchant, query: object = {}) => merchant.client.auditLogs.list(query);

test.beforeAll(async ({ service, merchant }) => {
  // Each entry at a time of its own, so that there is one order.
  service.clock.advance(1000);
  linkId = (await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 })).id;
  // The last millisecond of its day.
  service.clock.set(new Date(Date.UTC(2026, 0, 2) - 1));
  await merchant.client.paymentLinks.update(linkId, { title: 'Another title' });
});

test('lists who did what, when and from where, newest first', async ({ merchant }) => {
  const { data, pagination } = await list(merchant);
  expect(data.map(({ action }) => action)).toEqual(['payment_link.update', 'payment_link.create', 'merchant.register']);
  expect(pagination).toEqual(onlyPage(3));
  expect(data[0]).toEqual({
    id: expect.stringMatching(/^log_/),
    actorType: 'merchant',
    actorId: merchant.id,
    action: 'payment_link.update',
    resourceType: 'payment_link',
    resourceId: linkId,
    ipAddress: '127.0.0.1',
    userAgent: 'node',
    timestamp: '2026-01-01T23:59:59.999Z',
    metadata: { title: 'Another title' },
    requestId: expect.stringMatching(/./),
    sequence: null,
    hash: null,
  });
});

test("shows an entry's position and hash as soon as it is sealed", async ({ service, merchant }) => {
  await service.runJob('audit.seal');
  const { data } = await list(merchant);
  expect(data.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
  for (const { hash } of data) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test('filters by action, by resource type and by time; a date means the whole UTC day', async ({ merchant }) => {
  const actions = async (query: object) => (await list(merchant, query)).data.map(({ action }) => action);
  expect(await actions({ action: 'payment_link.create' })).toEqual(['payment_link.create']);
  expect(await actions({ resourceType: 'payment_link' })).toEqual(['payment_link.update', 'payment_link.create']);
  expect(await actions({ resourceType: 'merchant', action: 'payment_link.create' })).toEqual([]);
  expect(await actions({ action: 'nonsense' })).toEqual([]);
  expect(await actions({ fromDate: '2026-01-01', toDate: '2026-01-01', resourceType: 'payment_link' })).toHaveLength(2);
  expect(await actions({ fromDate: '2026-01-01T23:59:59.999Z' })).toEqual(['payment_link.update']);
  expect(await actions({ toDate: START.toISOString() })).toEqual(['merchant.register']);
  expect(await actions({ fromDate: '2026-01-02' })).toEqual([]);
});

test('lists page by page, each entry once, and all in one iteration of the client', async ({ merchant }) => {
  const all = (await list(merchant)).data.map(({ id }) => id);
  const paged = [];
  for (const page of [1, 2, 3]) paged.push(...(await list(merchant, { page, limit: 2 })).data.map(({ id }) => id));
  expect(paged).toEqual(all);
  const iterated = [];
  for await (const { id } of merchant.client.auditLogs.iterate({ limit: 3 })) iterated.push(id);
  expect(iterated).toEqual(all);
});

test("hides administrators' addresses, and entries of no merchant or of another one", async ({ service }) => {
  const other = await service.activeMerchant();
  service.clock.advance(1000);
  const origin = { ip: '203.0.113.9', userAgent: 'browser', requestId: 'req-admin' };
  const admin = { actorType: 'admin', actorId: 'adm_1', action: 'merchant.freeze', origin, metadata: {} } as const;
  await inTransaction(service.db, async (trx) => {
    await recordAudit(trx, { ...admin, resourceId: other.id, merchantId: other.id }, service.clock.now());
    await recordAudit(trx, { ...admin, resourceId: 'rol_1', merchantId: null }, service.clock.now());
  });
  const { data } = await other.client.auditLogs.list();
  expect(data.map(({ action }) => action)).toEqual(['merchant.freeze', 'merchant.register']);
  expect(data[0]).toMatchObject({ actorType: 'admin', actorId: 'adm_1', ipAddress: '', userAgent: '' });
});

test("hides administrators' internal notes, and the addresses of unknown actors", async ({ service }) => {
  const other = await service.activeMerchant();
  const origin = { ip: '203.0.113.9', userAgent: 'browser', requestId: 'req-admin' };
  const about = { resourceId: other.id, merchantId: other.id, origin };
  const admin = { actorType: 'admin', actorId: 'adm_1', ...about } as const;
  const record = (entry: Parameters<typeof recordAudit>[1]) => {
    service.clock.advance(1000);
    return inTransaction(service.db, (trx) => recordAudit(trx, entry, service.clock.now()));
  };
  await record({ ...admin, action: 'withdrawal.approve', metadata: { notes: 'suspected', newStatus: 'approved' } });
  await record({ ...admin, action: 'merchant.freeze', metadata: { reason: 'Tell us who you are.' } });
  await record({ ...admin, action: 'merchant.unfreeze', metadata: { reason: 'They told the police.' } });
  const system = { actorType: 'system', actorId: '' } as const;
  await record({ ...system, ...about, action: 'session.revoke', metadata: { reason: 'reuse' } });
  const { data } = await other.client.auditLogs.list({ limit: 4 });
  expect(data.map(({ action, metadata, ipAddress, userAgent }) => [action, metadata, ipAddress, userAgent])).toEqual([
    ['session.revoke', { reason: 'reuse' }, '', ''],
    ['merchant.unfreeze', {}, '', ''],
    ['merchant.freeze', { reason: 'Tell us who you are.' }, '', ''],
    ['withdrawal.approve', { newStatus: 'approved' }, '', ''],
  ]);
  const seen = await (await service.admin()).client.auditLogs.list({ merchantId: other.id, limit: 4 });
  expect(seen.data[3]).toMatchObject({ metadata: { notes: 'suspected' }, ipAddress: '203.0.113.9' });
});

test('shows failed logins', async ({ service }) => {
  const other = await service.activeMerchant();
  const tried = service.client().auth.login({ email: other.email, password: 'Wr0ng-password' });
  await expect(tried).rejects.toMatchObject({ status: 401 });
  const { data } = await other.client.auditLogs.list({ action: 'session.refuse' });
  expect(data).toMatchObject([
    { actorId: other.id, ipAddress: '127.0.0.1', metadata: { reason: 'credentials_invalid' } },
  ]);
});

test.for(['fromDate=yesterday', 'toDate=2026-13-01', 'page=0', 'limit=101', `action=${'a'.repeat(101)}`])(
  'refuses %s',
  async (query, { service, merchant }) => {
    expect(await service.send('GET', `/v1/merchant/audit-logs?${query}`, { token: merchant.token })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
    });
  },
);

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/merchant/audit-logs')).status).toBe(401);
});
