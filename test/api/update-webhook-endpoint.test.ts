import { describe, expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Receiver, Respond } from '../support/receiver.ts';

const HOUR_MS = 3_600_000;

const test = base.extend('respond', { scope: 'file' }, (): Respond => () => status);
let status = 200;

async function withEndpoint(service: TestService, receiver: Receiver): Promise<TestMerchant> {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  status = 200;
  return merchant;
}

/** Creates an event of the merchant and attempts every due delivery. */
async function announce(service: TestService, { client }: TestMerchant): Promise<void> {
  await client.payments.create({ amount: 25, currency: 'USD' });
  await service.runJob('webhooks.deliver');
}

/** How many requests with an event of the merchant arrived; other tests' merchants use the same endpoint. */
const receivedBy = (receiver: Receiver, { id }: TestMerchant): number =>
  receiver.received.filter(({ body }) => JSON.parse(body.toString()).merchantId === id).length;

const eventsOf = (service: TestService, merchantId: string, type: string) =>
  service.db.selectFrom('events').selectAll().where('merchant_id', '=', merchantId).where('type', '=', type).execute();

const auditOf = (service: TestService, merchantId: string, action: string) =>
  service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('action', '=', action)
    .orderBy('id')
    .execute();

test('sets the URL of the profile, audits it without its secrets, and sends events there', async ({
  service,
  receiver,
}) => {
  const { id, client } = await service.activeMerchant();
  service.clock.advance(1000);
  const url = `${receiver.url}?secret=s3cret`;
  const updatedAt = service.clock.now().toISOString();
  expect(await client.webhooks.endpoint.update({ url })).toEqual({
    ...{ url, eventTypes: null, status: 'enabled', disabledReason: null, failingSince: null, updatedAt },
  });
  expect(await client.merchants.get(id)).toMatchObject({ webhookUrl: url, updatedAt });
  const [entry] = await auditOf(service, id, 'webhook_endpoint.update');
  expect(entry).toMatchObject({
    resource_id: id,
    metadata: { changed: { webhookUrl: { from: null, to: `http://127.0.0.1:${receiver.port}/…` } } },
  });
  expect(JSON.stringify(entry)).not.toContain('s3cret');
});

test('sends only the chosen types, until all are chosen again', async ({ service, receiver }) => {
  const merchant = await withEndpoint(service, receiver);
  const types = ['payment_link.created', 'payment.completed'] as const;
  const { endpoint, deliveries } = merchant.client.webhooks;
  expect(await endpoint.update({ eventTypes: [...types] })).toMatchObject({ eventTypes: types, status: 'enabled' });
  await announce(service, merchant);
  await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  expect((await deliveries.list({})).deliveries.map(({ event }) => event)).toEqual(['payment_link.created']);
  expect(await endpoint.update({ eventTypes: null })).toMatchObject({ eventTypes: null });
  await announce(service, merchant);
  expect((await deliveries.list({})).pagination.total).toBe(2);
});

test('keeps what is left out, and updatedAt when nothing changes', async ({ service, receiver }) => {
  const { client } = await withEndpoint(service, receiver);
  const set = await client.webhooks.endpoint.update({ eventTypes: ['payment.completed'] });
  service.clock.advance(1000);
  const { url } = set;
  for (const body of [{}, { url }, { status: 'enabled' }, { eventTypes: ['payment.completed'] }] as const) {
    expect(await client.webhooks.endpoint.update(body as object)).toEqual(set);
  }
  expect(await client.webhooks.endpoint.update({ url: `${url}/2` })).toMatchObject({
    eventTypes: ['payment.completed'],
    updatedAt: service.clock.now().toISOString(),
  });
});

test('puts a rejected merchant up for review, as any change of its profile does', async ({ service, receiver }) => {
  const { id, client } = await service.registerMerchant();
  await service.decide(id, { kind: 'reject', reason: 'no such address' });
  await client.webhooks.endpoint.update({ url: receiver.url });
  expect(await client.merchants.get(id)).toMatchObject({ status: 'pending_verification', webhookUrl: receiver.url });
  expect(await auditOf(service, id, 'webhook_endpoint.update')).toMatchObject([
    { metadata: { previousStatus: 'rejected', newStatus: 'pending_verification' } },
  ]);
});

describe('an endpoint that its merchant disables', () => {
  test('gets nothing, and its pending deliveries fail, until it is enabled', async ({ service, receiver }) => {
    const merchant = await withEndpoint(service, receiver);
    status = 500;
    await announce(service, merchant);
    const { endpoint, deliveries } = merchant.client.webhooks;
    expect(await endpoint.update({ status: 'disabled' })).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'merchant', url: receiver.url },
    });
    status = 200;
    service.clock.advance(HOUR_MS);
    await announce(service, merchant);
    expect(receivedBy(receiver, merchant)).toBe(1);
    await service.runJob('webhooks.drop');
    expect((await deliveries.list({})).deliveries).toMatchObject([
      { status: 'failed', failure: 'endpoint_disabled', attempts: 1 },
    ]);
    expect(await endpoint.update({ status: 'enabled' })).toMatchObject({ status: 'enabled', disabledReason: null });
    await announce(service, merchant);
    expect(receivedBy(receiver, merchant)).toBe(2);
    expect(await eventsOf(service, merchant.id, 'webhook.endpoint_disabled')).toEqual([]);
    expect(
      (await auditOf(service, merchant.id, 'webhook_endpoint.update')).map(({ metadata }) => metadata),
    ).toMatchObject([
      {},
      { changed: { status: { from: 'enabled', to: 'disabled' }, disabledReason: { from: null, to: 'merchant' } } },
      { changed: { status: { from: 'disabled', to: 'enabled' }, disabledReason: { from: 'merchant', to: null } } },
    ]);
  });

  test('stays disabled after a successful test; another URL enables it', async ({ service, receiver }) => {
    const { client } = await withEndpoint(service, receiver);
    await client.webhooks.endpoint.update({ status: 'disabled' });
    expect((await client.webhooks.test()).success).toBe(true);
    expect((await client.webhooks.endpoint.get()).disabledReason).toBe('merchant');
    const url = `${receiver.url}/2`;
    expect(await client.webhooks.endpoint.update({ url })).toMatchObject({ url, status: 'enabled' });
    const both = { url: `${receiver.url}/3`, status: 'disabled' } as const;
    expect(await client.webhooks.endpoint.update(both)).toMatchObject({ ...both, disabledReason: 'merchant' });
  });
});

describe('an endpoint that the platform disabled', () => {
  /** Expects one event in the feed that says that the endpoint was disabled, and no delivery of it. */
  async function expectNotice(
    service: TestService,
    { id, client }: TestMerchant,
    disabledReason: string,
    failingSince: Date | null,
  ) {
    const endpoint = await client.webhooks.endpoint.get();
    const [notice, ...others] = await eventsOf(service, id, 'webhook.endpoint_disabled');
    expect(others).toEqual([]);
    expect(JSON.parse(notice?.body.toString() ?? '{}')).toEqual({
      id: notice?.id,
      type: 'webhook.endpoint_disabled',
      timestamp: endpoint.updatedAt,
      livemode: false,
      merchantId: id,
      sequence: 1,
      data: { ...endpoint, status: 'disabled', disabledReason, failingSince: failingSince?.toISOString() ?? null },
    });
    const { deliveries } = await client.webhooks.deliveries.list({});
    expect(deliveries.map(({ eventId }) => eventId)).not.toContain(notice?.id);
    expect(await auditOf(service, id, 'webhook_endpoint.disable')).toMatchObject([
      { metadata: { reason: disabledReason } },
    ]);
  }

  test('gets nothing after 410, until its merchant enables it', async ({ service, receiver }) => {
    const merchant = await withEndpoint(service, receiver);
    status = 410;
    await announce(service, merchant);
    const { endpoint } = merchant.client.webhooks;
    expect(await endpoint.get()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    await expectNotice(service, merchant, 'gone', service.clock.now());
    status = 200;
    await announce(service, merchant);
    expect(receivedBy(receiver, merchant)).toBe(1);
    expect(await endpoint.update({ status: 'enabled' })).toMatchObject({ disabledReason: null, failingSince: null });
    await announce(service, merchant);
    expect(receivedBy(receiver, merchant)).toBe(2);

    status = 410;
    await announce(service, merchant);
    const notices = await eventsOf(service, merchant.id, 'webhook.endpoint_disabled');
    expect(notices.map(({ sequence }) => sequence).sort()).toEqual([1, 2]);
  });

  test('is enabled again by a successful test after 120 h of failures, and the count starts afresh', async ({
    service,
    receiver,
  }) => {
    const merchant = await withEndpoint(service, receiver);
    const { endpoint, test: callTest } = merchant.client.webhooks;
    status = 500;
    const started = service.clock.now();
    await announce(service, merchant);
    expect(await endpoint.get()).toMatchObject({ status: 'enabled', failingSince: started.toISOString() });
    for (const waitMs of [50 * HOUR_MS, 50 * HOUR_MS, 20 * HOUR_MS - 1]) {
      service.clock.advance(waitMs);
      await announce(service, merchant);
      expect((await endpoint.get()).status).toBe('enabled');
    }
    service.clock.advance(1);
    await announce(service, merchant);
    expect(await endpoint.get()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    await expectNotice(service, merchant, 'failing', started);
    await callTest();
    expect((await endpoint.get()).status).toBe('disabled');
    status = 200;
    service.clock.advance(1000);
    await callTest();
    const updatedAt = service.clock.now().toISOString();
    const enabled = { status: 'enabled', disabledReason: null, failingSince: null, updatedAt };
    expect(await endpoint.get()).toMatchObject(enabled);
    service.clock.advance(1000);
    await callTest(); // Nothing is left to enable.
    expect(await endpoint.get()).toMatchObject(enabled);
    status = 500;
    await announce(service, merchant);
    expect(await endpoint.get()).toMatchObject({
      ...{ status: 'enabled', failingSince: service.clock.now().toISOString() },
    });
  });

  test('is no longer enabled by a test once its merchant disables it too', async ({ service, receiver }) => {
    const merchant = await withEndpoint(service, receiver);
    status = 410;
    await announce(service, merchant);
    status = 200;
    const { endpoint } = merchant.client.webhooks;
    expect(await endpoint.update({ status: 'disabled' })).toMatchObject({ disabledReason: 'merchant' });
    await merchant.client.webhooks.test();
    expect((await endpoint.get()).status).toBe('disabled');
  });
});

test.for([
  [{ url: 'teahouse.example' }, 'url'],
  [{ url: 'https://user:secret@teahouse.example/hooks' }, 'url'],
  [{ url: 'https://10.0.0.1/hooks' }, 'url'],
  [{ url: 5 }, 'url'],
  [{ eventTypes: [] }, 'eventTypes'],
  [{ eventTypes: ['payment.completed', 'payment.completed'] }, 'eventTypes'],
  [{ eventTypes: ['payment.lost'] }, 'eventTypes.0'],
  [{ eventTypes: ['webhook.endpoint_disabled'] }, 'eventTypes'],
  [{ status: 'off' }, 'status'],
  [{ enabled: true }, 'enabled'],
] as const)('refuses %j and changes nothing', async ([body, path], { service, receiver }) => {
  const { client, token } = await withEndpoint(service, receiver);
  const before = await client.webhooks.endpoint.get();
  const answer = await service.send('PUT', '/v1/webhooks/endpoint', { token, body });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } } });
  expect(await client.webhooks.endpoint.get()).toEqual(before);
});

test('refuses status and types without a URL', async ({ service, receiver }) => {
  const { client } = await service.activeMerchant();
  const missing = { status: 400, code: 'VALIDATION_ERROR', reason: 'webhook_url_missing' };
  await expect(client.webhooks.endpoint.update({ status: 'enabled' })).rejects.toMatchObject(missing);
  const types = { eventTypes: ['payment.completed' as const] };
  await expect(client.webhooks.endpoint.update(types)).rejects.toMatchObject(missing);
  await client.webhooks.endpoint.update({ url: receiver.url });
  await expect(client.webhooks.endpoint.update({ url: null, ...types })).rejects.toMatchObject(missing);
  expect((await client.webhooks.endpoint.get()).url).toBe(receiver.url);
  const gone = await client.webhooks.endpoint.update({ url: '', eventTypes: null, status: 'disabled' });
  expect(gone).toMatchObject({ url: null, status: 'disabled', disabledReason: null, updatedAt: null });
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('PUT', '/v1/webhooks/endpoint', { body: {} })).status).toBe(401);
});
