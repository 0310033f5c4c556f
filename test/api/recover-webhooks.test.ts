import { sql } from 'kysely';
import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { Receiver, Respond } from '../support/receiver.ts';

const MINUTE_MS = 60_000;

const test = base.extend('respond', { scope: 'file' }, (): Respond => () => status);
let status = 200;

/** A time before anything happened. */
const start = (service: TestService): string => {
  service.clock.advance(MINUTE_MS);
  return service.clock.now().toISOString();
};
const enable = (receiver: Receiver, { client }: TestMerchant) =>
  client.webhooks.endpoint.update({ url: receiver.url, status: 'enabled' });

/** Creates a payment per minute, the newest now; returns the ids of their events, oldest first. */
async function sell(service: TestService, { id, client }: TestMerchant, count: number): Promise<string[]> {
  for (let index = 0; index < count; index += 1) {
    service.clock.advance(MINUTE_MS);
    await client.payments.create({ amount: 25, currency: 'USD' });
  }
  const events = service.db.selectFrom('events').select('id').where('merchant_id', '=', id);
  const rows = await events.where('type', '=', 'payment.created').orderBy('created_at').execute();
  return rows.slice(-count).map((row) => row.id);
}

const sentTo = (receiver: Receiver, { id }: TestMerchant): string[] =>
  receiver.received
    .filter(({ body }) => JSON.parse(body.toString()).merchantId === id)
    .map(({ headers }) => String(headers['webhook-id']));

test('sends what happened before there was an endpoint and what failed for good, oldest first, each once', async ({
  service,
  receiver,
}) => {
  const merchant = await service.activeMerchant();
  const since = start(service);
  status = 200;
  const missed = await sell(service, merchant, 3);
  await enable(receiver, merchant);
  const reached = await sell(service, merchant, 1);
  await service.runJob('webhooks.deliver');
  status = 410;
  const failed = await sell(service, merchant, 1);
  await service.runJob('webhooks.deliver');
  const { recover, deliveries } = merchant.client.webhooks;
  const [gone] = (await deliveries.list({ status: 'failed' })).deliveries;
  status = 200;
  await enable(receiver, merchant);
  const waiting = await sell(service, merchant, 1);
  expect(sentTo(receiver, merchant)).toEqual([...reached, ...failed]);

  // merchant.status_changed happened before `since`; webhook.endpoint_disabled is never sent.
  expect(await recover({ since })).toEqual({ recovered: 4, more: false, next: null });
  expect(await recover({ since })).toEqual({ recovered: 0, more: false, next: null });
  receiver.received.length = 0;
  await service.runJob('webhooks.deliver');
  expect(sentTo(receiver, merchant).sort()).toEqual([...missed, ...failed, ...waiting].sort());
  expect(await recover({ since })).toMatchObject({ recovered: 0 });
  const repeats = (await deliveries.list({})).deliveries.filter(({ redeliveryOf }) => redeliveryOf !== null);
  expect(repeats).toMatchObject([{ eventId: failed[0], redeliveryOf: gone?.id, status: 'success' }]);
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'webhook_delivery.recover');
  expect(await entries.where('merchant_id', '=', merchant.id).orderBy('id').limit(1).execute()).toMatchObject([
    { resource_id: merchant.id, metadata: { since, recovered: 4 } },
  ]);
});

test('sends only events from `since` on, inclusive, of types that the endpoint wants', async ({
  service,
  receiver,
}) => {
  const merchant = await service.activeMerchant();
  status = 200;
  const since = start(service);
  await sell(service, merchant, 2);
  const { createdAt } = await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  await merchant.client.webhooks.endpoint.update({ url: receiver.url, eventTypes: ['payment_link.created'] });
  const { recover, deliveries } = merchant.client.webhooks;
  expect(await recover({ since: new Date(Date.parse(createdAt) + 1).toISOString() })).toMatchObject({ recovered: 0 });
  // The same time in Colombo's zone, and to the microsecond.
  const there = new Date(Date.parse(createdAt) + 330 * MINUTE_MS).toISOString().replace('Z', '999+05:30');
  expect(await recover({ since: there })).toMatchObject({ recovered: 1 });
  expect((await deliveries.list({})).deliveries.map(({ event }) => event)).toEqual(['payment_link.created']);
  await merchant.client.webhooks.endpoint.update({ eventTypes: null });
  expect(await recover({ since })).toMatchObject({ recovered: 2 });
});

test('recovers a batch of 1,000 per call, in order, however many happened at the same time', async ({
  service,
  receiver,
}) => {
  const merchant = await service.activeMerchant();
  const since = start(service);
  // 2,400 events: 1,200 of one millisecond, and one in each of the 1,200 milliseconds after.
  await sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    select 'evt_' || lpad(n::text, 26, '0'), ${merchant.id}, 'payment.created', 'pay_many', n, '{}',
           ${since}::timestamptz + greatest(0, n - 1200) * interval '1 millisecond'
      from generate_series(1, 2400) n`.execute(service.db);
  service.clock.advance(MINUTE_MS);
  await enable(receiver, merchant);
  const { recover } = merchant.client.webhooks;
  const answers = [];
  for (let next: string | null = since; next !== null; ) {
    const answer: Awaited<ReturnType<typeof recover>> = await recover({ since: next });
    answers.push(answer);
    service.clock.advance(1000);
    next = answer.next;
  }
  expect(answers).toEqual([
    { recovered: 1000, more: true, next: since },
    { recovered: 1000, more: true, next: new Date(Date.parse(since) + 801).toISOString() },
    { recovered: 400, more: false, next: null },
  ]);
  const { rows } = await sql<{ event_id: string }>`
    select event_id from webhook_deliveries where merchant_id = ${merchant.id} order by next_attempt_at`.execute(
    service.db,
  );
  const inOrder = rows.map(({ event_id }) => Number(event_id.slice(4)));
  expect(inOrder).toEqual(Array.from({ length: 2400 }, (_, index) => index + 1));
  await merchant.client.webhooks.endpoint.update({ url: null });
  await service.runJob('webhooks.drop');
});

test('scans a history without losses in steps', async ({ service, receiver }) => {
  const merchant = await service.activeMerchant();
  const since = start(service);
  await enable(receiver, merchant);
  // 10,500 events that all arrived, followed by a lost one.
  await sql`
    with event as (
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select 'evt_old' || lpad(n::text, 23, '0'), ${merchant.id}, 'payment.created', 'pay_old', n, '{}',
             ${since}::timestamptz + n * interval '1 millisecond' from generate_series(1, 10500) n
      returning id, created_at
    )
    insert into webhook_deliveries
      (id, event_id, merchant_id, event_type, url, status, attempts, created_at, finished_at)
    select 'whd_old' || substr(id, 8), id, ${merchant.id}, 'payment.created', ${receiver.url}, 'success', 1,
           created_at, created_at
      from event`.execute(service.db);
  await merchant.client.webhooks.endpoint.update({ status: 'disabled' });
  service.clock.advance(MINUTE_MS);
  await sell(service, merchant, 1);
  await enable(receiver, merchant);
  const { recover } = merchant.client.webhooks;
  const first = await recover({ since });
  expect(first).toEqual({
    ...{ recovered: 0, more: true },
    next: new Date(Date.parse(since) + 10_001).toISOString(),
  });
  expect(await recover({ since: first.next ?? '' })).toEqual({ recovered: 1, more: false, next: null });
});

test('ignores test calls, and recovers each event once under concurrent calls', async ({ service, receiver }) => {
  const merchant = await service.activeMerchant();
  const since = start(service);
  status = 500;
  await enable(receiver, merchant);
  await merchant.client.webhooks.test();
  await merchant.client.webhooks.endpoint.update({ status: 'disabled' });
  await sell(service, merchant, 3);
  await enable(receiver, merchant);
  const { recover } = merchant.client.webhooks;
  const both = await Promise.all([recover({ since }), recover({ since })]);
  expect(both.map(({ recovered }) => recovered).sort()).toEqual([0, 3]);
});

test('refuses a merchant that nothing can be sent to, and an invalid time', async ({ service, receiver }) => {
  const { id, client, token } = await service.activeMerchant();
  const since = start(service);
  const refusal = { status: 409, code: 'CONFLICT' };
  await expect(client.webhooks.recover({ since })).rejects.toMatchObject({ ...refusal, reason: 'webhook_url_missing' });
  await client.merchants.update(id, { webhookUrl: receiver.url });
  await client.webhooks.endpoint.update({ status: 'disabled' });
  const disabled = { ...refusal, reason: 'webhook_endpoint_disabled' };
  await expect(client.webhooks.recover({ since })).rejects.toMatchObject(disabled);
  await client.webhooks.endpoint.update({ status: 'enabled' });
  for (const wrong of ['yesterday', '2026-02-30T00:00:00Z', '2026-01-01', 5]) {
    const answer = await service.send('POST', '/v1/webhooks/recover', { token, body: { since: wrong } });
    expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'since' }] } } });
  }
  expect((await service.send('POST', '/v1/webhooks/recover', { body: { since } })).status).toBe(401);
});
