import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { SECOND_MS } from '../../src/lib/clock.ts';
import type { Id } from '../../src/lib/ids.ts';
import { endLeases, SOON, useWebhooks } from './fixture.ts';
import { makeHandlers } from './handler-fixture.ts';

const { hooks, receive } = useWebhooks();
let ask: ReturnType<typeof makeHandlers>;
beforeAll(() => {
  ask = makeHandlers(hooks);
});

const testWebhook = async (merchantId: Id<'merchant'>) => (await ask('testWebhook', merchantId)).body;

/** The sessions idle in a transaction, of all on this database. */
const openTransactions = () =>
  sql`select query from pg_stat_activity
       where datname = current_database() and state like 'idle in transaction%'`.execute(hooks.db);

test('a test sends one signed, simulated payment.completed and returns the outcome', async () => {
  const receiver = await receive((_, response) => {
    response.writeHead(202).end('noted');
    return undefined;
  });
  const merchantId = await hooks.makeMerchant(receiver.url);
  const body = await testWebhook(merchantId);
  expect(body).toEqual({
    success: true,
    statusCode: 202,
    failure: null,
    responseTime: expect.any(Number),
    deliveryId: expect.stringMatching(/^whd_/),
  });
  expect(receiver.received).toHaveLength(1);
  const event = JSON.parse(receiver.received[0]?.body.toString() ?? '');
  expect(event).toMatchObject({
    type: 'payment.completed',
    livemode: false,
    merchantId,
    sequence: 1,
    data: { status: 'paid', metadata: { simulated: true } },
  });
  expect(receiver.received[0]?.headers).toMatchObject({
    'webhook-id': event.id,
    'webhook-signature': expect.stringMatching(/^v1a,/),
  });
  const { body: list } = await ask('listWebhookDeliveries', merchantId);
  expect(list.deliveries).toMatchObject([
    {
      id: body.deliveryId,
      eventId: event.id,
      event: 'payment.completed',
      status: 'success',
      statusCode: 202,
      attempts: 1,
    },
  ]);
  expect(await hooks.attemptsOf(body.deliveryId)).toMatchObject([{ attempt: 1, response_excerpt: 'noted' }]);
  const audit = await hooks.db.selectFrom('audit_log').selectAll().where('merchant_id', '=', merchantId).execute();
  expect(audit).toMatchObject([{ action: 'webhook.test', resource_id: body.deliveryId }]);
});

test('a failing test is reported, is not retried, and does not count against the endpoint', async () => {
  const receiver = await receive(() => 503);
  const merchantId = await hooks.makeMerchant(receiver.url);
  const body = await testWebhook(merchantId);
  expect(body).toMatchObject({ success: false, statusCode: 503, failure: 'status' });
  hooks.moveBy(3600 * SECOND_MS);
  const worker = hooks.makeWorker();
  await worker.deliver();
  await worker.drop();
  expect(receiver.received).toHaveLength(1);
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ id: body.deliveryId, status: 'failed', attempts: 1 }]);
  expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'enabled', failing_since: null });
});

test('a test without a response has no status', async () => {
  const receiver = await receive();
  await receiver.close();
  const merchantId = await hooks.makeMerchant(receiver.url);
  expect(await testWebhook(merchantId)).toMatchObject({
    success: false,
    statusCode: null,
    failure: 'connection_failed',
  });
});

test('a successful test enables a disabled endpoint', async () => {
  let status = 410;
  const receiver = await receive(() => status);
  const merchantId = await hooks.makeMerchant(receiver.url);
  await hooks.announce(merchantId);
  await hooks.makeWorker().deliver();
  expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });

  expect(await testWebhook(merchantId)).toMatchObject({ success: false, statusCode: 410 });
  expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'disabled' });
  status = 204;
  expect(await testWebhook(merchantId)).toMatchObject({ success: true, statusCode: 204 });
  expect(await hooks.endpointOf(merchantId)).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
});

test('a test holds no transaction open while the endpoint responds', async () => {
  let busy: unknown[] = [];
  const receiver = await receive(async () => {
    busy = (await openTransactions()).rows;
    return 200;
  });
  const merchantId = await hooks.makeMerchant(receiver.url);
  await testWebhook(merchantId);
  expect(receiver.received).toHaveLength(1);
  expect(busy).toEqual([]);
});

test('a test without a URL is a VALIDATION_ERROR, and nothing is stored', async () => {
  const merchantId = await hooks.makeMerchant();
  await expect(testWebhook(merchantId)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: 'webhook_url_missing',
  });
  expect(await hooks.deliveriesOf(merchantId)).toEqual([]);
});

test('a test whose process died fails when its lease ends, and is not sent again', async () => {
  const stuck = await receive(() => undefined);
  const merchantId = await hooks.makeMerchant(stuck.url);
  const call = testWebhook(merchantId);
  await expect.poll(() => stuck.received.length, SOON).toBe(1);
  const worker = hooks.makeWorker();
  await worker.drop();
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'pending', attempts: 1 }]);
  await endLeases(hooks.db, merchantId);
  await worker.deliver();
  await worker.drop();
  expect(stuck.received).toHaveLength(1);
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'failed', failure: 'interrupted' }]);
  await stuck.close();
  await call;
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'failed', failure: 'interrupted' }]);
});
