import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { makeWebhooks, type TestWorker, type Webhooks } from './fixture.ts';

let hooks: Webhooks;
let worker: TestWorker;
let receiver: Receiver;
let headers: Record<string, string> = {};
let status = 200;

beforeAll(async () => {
  hooks = await makeWebhooks();
  worker = hooks.makeWorker();
  receiver = await startReceiver((_, response) => {
    response.writeHead(status, headers).end();
    return undefined;
  });
});
afterAll(async () => {
  await hooks.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  headers = {};
});
// Deliveries left by a test must not be due in the next one.
afterEach(() => hooks.db.deleteFrom('webhook_endpoints').execute());

const only = async (merchantId: string) => {
  const [delivery] = await hooks.deliveriesOf(merchantId);
  if (!delivery) throw new Error('there is no delivery');
  return delivery;
};

const auditOf = (merchantId: string) =>
  hooks.db.selectFrom('audit_log').selectAll().where('merchant_id', '=', merchantId).execute();

test('a delivery is attempted ten times, after its nine delays and not a millisecond before, and then fails', async () => {
  status = 500;
  const merchantId = await hooks.makeMerchant(receiver.url);
  await hooks.announce(merchantId);
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS);
  for (const [index, delay] of [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours].entries()) {
    await worker.deliver();
    const delivery = await only(merchantId);
    expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1, status_code: 500, failure: 'status' });
    expect(delivery.next_attempt_at).toEqual(new Date(hooks.clock.now().getTime() + delay));
    expect(await worker.nextDue()).toEqual(delivery.next_attempt_at);
    hooks.moveBy(delay - 1);
    await worker.deliver();
    expect(receiver.received).toHaveLength(index + 1);
    hooks.moveBy(1);
  }
  await worker.deliver();
  const delivery = await only(merchantId);
  expect(delivery).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
  expect(delivery.finished_at).toEqual(hooks.clock.now());
  expect(await worker.nextDue()).toBeNull();
  const attempts = await hooks.attemptsOf(delivery.id);
  expect(attempts.map(({ attempt, status_code }) => [attempt, status_code])).toEqual(
    Array.from({ length: 10 }, (_, index) => [index + 1, 500]),
  );
  expect(new Set(receiver.received.map((request: Received) => request.headers['webhook-id'])).size).toBe(1);
});

describe('the delay', () => {
  test.each([
    ['500 without a word', 500, {}, 5 * SECOND_MS],
    ['503 that asks for 7 s', 503, { 'retry-after': '7' }, 7 * SECOND_MS],
    ['503 that asks for an hour', 503, { 'retry-after': '3600' }, 10 * SECOND_MS],
    ['503 that asks for nothing', 503, { 'retry-after': '0' }, 5 * SECOND_MS],
    ['429', 429, {}, MINUTE_MS],
    ['429 that asks for 90 s', 429, { 'retry-after': '90' }, 90 * SECOND_MS],
    ['502', 502, {}, MINUTE_MS],
    ['504', 504, {}, MINUTE_MS],
    ['404', 404, {}, 5 * SECOND_MS],
    ['302, which is not followed', 302, { location: '/elsewhere' }, 5 * SECOND_MS],
  ])('after a %s', async (_, code, sent, delay) => {
    status = code;
    headers = sent;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await worker.deliver();
    expect((await only(merchantId)).next_attempt_at).toEqual(new Date(hooks.clock.now().getTime() + delay));
    expect(receiver.received).toHaveLength(1);
  });

  test('is jittered by up to 10 %', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await hooks.makeWorker({ random: () => 0 }).deliver();
    expect((await only(merchantId)).next_attempt_at).toEqual(new Date(hooks.clock.now().getTime() + 4500));
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled at once: the delivery fails, later events create none, waiting ones fail', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await worker.deliver();
    status = 410;
    await hooks.announce(merchantId);
    await worker.deliver();
    expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const [waiting, gone] = await hooks.deliveriesOf(merchantId);
    expect(gone).toMatchObject({ status: 'failed', attempts: 1, status_code: 410 });
    expect(await auditOf(merchantId)).toMatchObject([
      {
        actor_type: 'system',
        action: 'webhook_endpoint.disable',
        resource_id: merchantId,
        metadata: { reason: 'gone', deliveryId: gone?.id },
      },
    ]);
    await hooks.announce(merchantId);
    hooks.moveBy(HOUR_MS);
    await worker.deliver();
    expect(receiver.received).toHaveLength(2);
    expect(await worker.nextDue()).toBeNull();
    await worker.drop();
    const after = await hooks.deliveriesOf(merchantId);
    expect(after.map((delivery) => [delivery.id, delivery.status, delivery.failure])).toEqual([
      [waiting?.id, 'failed', 'endpoint_disabled'],
      [gone?.id, 'failed', 'status'],
    ]);
  });

  test('that answers 410 to many at once is disabled once, with one event, which appears only in the feed', async () => {
    status = 410;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId, 20);
    const other = hooks.makeWorker();
    await Promise.all([worker.deliver(), other.deliver()]);
    const events = hooks.db.selectFrom('events').selectAll().where('merchant_id', '=', merchantId);
    const [notice, ...more] = await events.where('type', '=', 'webhook.endpoint_disabled').execute();
    expect(more).toEqual([]);
    expect(await auditOf(merchantId)).toHaveLength(1);
    const { updated_at: updatedAt, ...endpoint } = await hooks.endpointOf(merchantId);
    expect(JSON.parse(notice?.body.toString() ?? '{}')).toEqual({
      ...{ id: notice?.id, type: 'webhook.endpoint_disabled', livemode: false, merchantId, sequence: 1 },
      timestamp: updatedAt.toISOString(),
      data: {
        ...{ url: receiver.url, eventTypes: null, status: 'disabled', disabledReason: 'gone' },
        ...{ failingSince: endpoint.failing_since?.toISOString() ?? null, updatedAt: updatedAt.toISOString() },
      },
    });
    const deliveries = await hooks.deliveriesOf(merchantId);
    expect(deliveries).toHaveLength(20);
    expect(deliveries.map((delivery) => delivery.event_id)).not.toContain(notice?.id);
  });

  test('that only fails for 120 h is disabled then, and not a millisecond before', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    const started = hooks.clock.now().getTime();
    for (const [hours, expected] of [
      [0, 'enabled'],
      [50, 'enabled'],
      [100, 'enabled'],
      [119.999, 'enabled'],
      [120, 'disabled'],
    ] as const) {
      hooks.moveTo(started + hours * HOUR_MS);
      await hooks.announce(merchantId);
      await worker.deliver();
      expect(await hooks.endpointOf(merchantId), `after ${hours} h`).toMatchObject({
        status: expected,
        failing_since: new Date(started),
      });
    }
    expect(await hooks.endpointOf(merchantId)).toMatchObject({ disabled_reason: 'failing' });
    expect(await auditOf(merchantId)).toMatchObject([
      { action: 'webhook_endpoint.disable', metadata: { reason: 'failing' } },
    ]);
  });

  test('that got nothing for two weeks after a failure has its next event tried again, and 120 h from there', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    for (let due = await worker.nextDue(); due !== null; due = await worker.nextDue()) {
      hooks.moveTo(due);
      await worker.deliver();
    }
    expect(await only(merchantId)).toMatchObject({ status: 'failed', attempts: 10 });
    hooks.moveBy(14 * 24 * HOUR_MS);
    const again = hooks.clock.now().getTime();
    await hooks.announce(merchantId, 5);
    await worker.deliver();
    expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'enabled', failing_since: new Date(again) });
    await worker.drop();
    const statuses = (await hooks.deliveriesOf(merchantId)).map((each) => each.status).sort();
    expect(statuses).toEqual(['failed', ...Array(5).fill('pending')]);

    for (const hours of [40, 80, 119.999]) {
      hooks.moveTo(again + hours * HOUR_MS);
      await worker.deliver();
      expect(await hooks.endpointOf(merchantId), `after ${hours} h`).toMatchObject({ status: 'enabled' });
    }
    hooks.moveTo(again + 120 * HOUR_MS);
    await hooks.announce(merchantId);
    await worker.deliver();
    expect(await hooks.endpointOf(merchantId)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });

  test('that succeeds once in between starts over', async () => {
    const merchantId = await hooks.makeMerchant(receiver.url);
    const started = hooks.clock.now().getTime();
    for (const [hours, code] of [
      [0, 500],
      [100, 200],
      [121, 500],
      [240, 500],
    ] as const) {
      status = code;
      hooks.moveTo(started + hours * HOUR_MS);
      await hooks.announce(merchantId);
      await worker.deliver();
      if (code === 200) expect((await hooks.endpointOf(merchantId)).failing_since).toBeNull();
    }
    const endpoint = await hooks.endpointOf(merchantId);
    expect(endpoint).toMatchObject({ status: 'enabled', failing_since: new Date(started + 121 * HOUR_MS) });
    expect(await auditOf(merchantId)).toEqual([]);
  });

  test('with a new URL gets the waiting deliveries there, and the old one can no longer disable it', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await worker.deliver();
    const other = await startReceiver();
    await hooks.setUrl(merchantId, other.url);
    hooks.moveBy(MINUTE_MS);
    await worker.deliver();
    expect(other.received).toHaveLength(1);
    const delivery = await only(merchantId);
    expect(delivery).toMatchObject({ status: 'success', attempts: 2, url: other.url });
    expect((await hooks.attemptsOf(delivery.id)).map(({ url }) => url)).toEqual([receiver.url, other.url]);
    await other.close();
  });

  test('that was removed fails its waiting deliveries', async () => {
    status = 500;
    const merchantId = await hooks.makeMerchant(receiver.url);
    await hooks.announce(merchantId);
    await hooks.db.deleteFrom('webhook_endpoints').where('merchant_id', '=', merchantId).execute();
    await worker.deliver();
    await worker.drop();
    expect(receiver.received).toHaveLength(0);
    expect(await only(merchantId)).toMatchObject({ status: 'failed', failure: 'endpoint_disabled', attempts: 0 });
  });
});
