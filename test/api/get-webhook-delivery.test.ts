import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import type { Receiver, Respond } from '../support/receiver.ts';

const test = base.extend(
  'respond',
  { scope: 'file' },
  (): Respond => (_, response) => {
    response.writeHead(answer.status).end(answer.body);
    return undefined;
  },
);
let answer: { status: number; body: string | Buffer } = { status: 200, body: '' };

async function announced(service: TestService, receiver: Receiver) {
  const merchant = await service.activeMerchant();
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', description: 'සිංහල ☕' });
  const { deliveries } = await merchant.client.webhooks.deliveries.list({});
  const [{ id } = { id: '' }] = deliveries;
  return { ...merchant, payment, deliveryId: id, read: () => merchant.client.webhooks.deliveries.get(id) };
}

test("shows what the list does, with every attempt, the endpoint's answer to each, and the bytes sent", async ({
  service,
  receiver,
}) => {
  const { client, payment, read } = await announced(service, receiver);
  const [listed] = (await client.webhooks.deliveries.list({})).deliveries;
  const { attemptLog, payload, ...before } = await read();
  expect(before).toEqual(listed);
  expect(attemptLog).toEqual([]);
  expect(JSON.parse(payload)).toMatchObject({ id: listed?.eventId, type: 'payment.created', data: payment });

  const startedAt = [service.clock.now().toISOString()];
  answer = { status: 500, body: '{"error":"no such order"}' };
  await service.runJob('webhooks.deliver');
  const failed = await read();
  const other = `${receiver.url}/2`;
  await client.webhooks.endpoint.update({ url: other });
  service.clock.set(new Date(failed.nextAttemptAt ?? 0));
  startedAt.push(service.clock.now().toISOString());
  answer = { status: 200, body: 'thanks' };
  await service.runJob('webhooks.deliver');
  const done = await read();
  expect(done).toMatchObject({ status: 'success', statusCode: 200, attempts: 2, url: other, payload });
  const ended = { responseTime: expect.any(Number) };
  expect(done.attemptLog).toEqual([
    {
      ...{ attempt: 1, url: receiver.url, statusCode: 500, failure: 'status', startedAt: startedAt[0], ...ended },
      responseBody: '{"error":"no such order"}',
    },
    {
      attempt: 2,
      url: other,
      statusCode: 200,
      failure: null,
      startedAt: startedAt[1],
      ...ended,
      responseBody: 'thanks',
    },
  ]);
  expect(receiver.received.slice(-2).map(({ body }) => body.toString())).toEqual([payload, payload]);
});

test('keeps the first 2 kB of a long answer, and shows answers that are not text', async ({ service, receiver }) => {
  const { read } = await announced(service, receiver);
  answer = { status: 200, body: Buffer.concat([Buffer.from([0, 0xff]), Buffer.alloc(10_000, 'a')]) };
  await service.runJob('webhooks.deliver');
  const [attempt] = (await read()).attemptLog;
  expect(attempt?.responseBody).toBe(`\uFFFD\uFFFD${'a'.repeat(2046)}`);
});

test('shows no status and no answer where no server answers', async ({ service, receiver }) => {
  const { client, read } = await announced(service, receiver);
  await client.webhooks.endpoint.update({ url: 'http://127.0.0.1:1/hooks' });
  await service.runJob('webhooks.deliver');
  const expected = { statusCode: null, failure: 'connection_failed' };
  expect(await read()).toMatchObject({ ...expected, attemptLog: [{ ...expected, responseBody: null }] });
});

test("answers 404 for an unknown delivery and another merchant's, and 401 without a token", async ({
  service,
  receiver,
}) => {
  const { deliveryId } = await announced(service, receiver);
  const stranger = await service.activeMerchant();
  for (const id of [deliveryId, 'whd_00000000000000000000000000']) {
    const error = { status: 404, code: 'NOT_FOUND' };
    await expect(stranger.client.webhooks.deliveries.get(id)).rejects.toMatchObject(error);
  }
  expect((await service.send('GET', `/v1/webhooks/deliveries/${deliveryId}`)).status).toBe(401);
});
