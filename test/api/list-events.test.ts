import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';

const seal = (service: TestService) => service.runJob('events.seal');

test.beforeAll(async ({ merchant }) => {
  for (const title of ['First', 'Second', 'Third']) await merchant.client.paymentLinks.create({ title, amount: 25 });
});

test('lists every event once it is sealed, oldest first, each chained to the one before', async ({
  service,
  merchant,
}) => {
  expect(await merchant.client.events.list()).toEqual({ data: [], hasMore: false });
  await seal(service);
  const { data, hasMore } = await merchant.client.events.list();
  expect(hasMore).toBe(false);
  expect(data.map(({ position, type }) => [position, type])).toEqual([
    [1, 'merchant.status_changed'],
    [2, 'payment_link.created'],
    [3, 'payment_link.created'],
    [4, 'payment_link.created'],
  ]);
  expect(data[0]?.previousHash).toBe('0'.repeat(64));
  for (const [index, entry] of data.entries()) {
    expect(entry.previousHash).toBe(data[index - 1]?.hash ?? '0'.repeat(64));
    expect(entry.hash).toMatch(/^[0-9a-f]{64}$/);
    const body = JSON.parse(entry.body);
    expect(body).toMatchObject({ id: entry.id, type: entry.type, timestamp: entry.createdAt, merchantId: merchant.id });
  }
});

test('shows the body of the webhook byte for byte, whatever it holds', async ({ service }) => {
  const buyer = await service.activeMerchant();
  const title = 'සිංහල ☕ "quoted" \\ </script> \u2028';
  const { id } = await buyer.client.paymentLinks.create({ title, amount: 25 });
  await seal(service);
  const { data } = await buyer.client.events.list({ after: 1 });
  const stored = await service.db
    .selectFrom('events')
    .select('body')
    .where('resource_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(data[0]?.body ?? '')).toEqual(stored.body);
  expect(JSON.parse(data[0]?.body ?? '')).toMatchObject({ data: { id, title } });
});

test('reads on from a position up to a limit, and is empty after the last event', async ({ merchant }) => {
  const positions = async (query: { after?: number; limit?: number }) => {
    const { data, hasMore } = await merchant.client.events.list(query);
    return [data.map(({ position }) => position), hasMore];
  };
  expect(await positions({ limit: 3 })).toEqual([[1, 2, 3], true]);
  expect(await positions({ after: 3, limit: 1 })).toEqual([[4], false]);
  expect(await positions({ after: 2 })).toEqual([[3, 4], false]);
  expect(await positions({ after: 4 })).toEqual([[], false]);
  expect(await positions({ after: Number.MAX_SAFE_INTEGER })).toEqual([[], false]);
});

test('gives each merchant a feed with positions of its own', async ({ service }) => {
  const other = await service.activeMerchant();
  await seal(service);
  const { data } = await other.client.events.list();
  expect(data.map(({ position, type }) => [position, type])).toEqual([[1, 'merchant.status_changed']]);
  expect(data[0]?.body).toContain(other.id);
});

test('lets a key with the webhook scope read and verify the feed, and refuses other keys', async ({
  service,
  merchant,
}) => {
  const { apiKey, apiSecret } = await createKey(service, merchant, { permissions: ['webhooks:manage'] });
  await seal(service);
  const client = service.client({ apiKey, apiSecret });
  const seen: string[] = [];
  const { position } = await client.events.sync(0, (event, at) => seen.push(`${at.position} ${event.type}`));
  expect(seen.slice(-2)).toEqual(['4 payment_link.created', '5 api_key.created']);
  expect(position).toBe(5);
  const others = await createKey(service, merchant, { permissions: ['payments:read'] });
  expect(await sendSigned(service, others, { method: 'GET', target: '/v1/events' })).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', reason: 'scope_missing' } },
  });
});

test.for(['after=-1', 'after=1.5', 'after=evt_1', 'limit=0', 'limit=101'])(
  'refuses %s',
  async (query, { service, merchant }) => {
    expect(await service.send('GET', `/v1/events?${query}`, { token: merchant.token })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
    });
  },
);

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/events')).status).toBe(401);
});
