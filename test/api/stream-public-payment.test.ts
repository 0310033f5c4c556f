import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import { problemsOf } from '../support/contract.ts';

const test = serviceTest({ env: { RATE_LIMITS: 'off' } });

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const open = (service: TestService, id: string) => service.client().public.payments.events(id);

/** The next state from the stream, checked against the contract. */
async function next(events: ReturnType<typeof open>) {
  const { value, done } = await events.next();
  if (done) throw new Error('the stream has ended');
  expect(problemsOf({ $ref: '#/components/schemas/PublicPayment' }, value)).toEqual([]);
  return value;
}

test('starts with the current state and streams every change until the client leaves', async ({
  service,
  merchant,
}) => {
  const payment = await create(merchant);
  const events = open(service, payment.id);
  expect(await next(events)).toEqual(await service.client().public.payments.get(payment.id));

  await service.client().public.payments.select(payment.id, { token: 'USDC', network: 'devnet' });
  expect(await next(events)).toMatchObject({ status: 'pending', token: 'USDC', amountReceived: 0 });

  await service.chain.transfer(payment, { amount: '10' });
  await service.runPaymentJobs();
  expect(await next(events)).toMatchObject({ status: 'pending', amountReceived: 10, amountDue: 15 });
  await events.return();
});

test('streams growing confirmations although nothing else changes', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { confirmed: false });
  await service.runPaymentJobs();
  const events = open(service, payment.id);
  expect(await next(events)).toMatchObject({ status: 'confirming', confirmations: { seen: 1 } });
  await service.chain.mine(1);
  expect(await next(events)).toMatchObject({ status: 'confirming', confirmations: { seen: 2 } });
  await events.return();
});

test("streams to every page of a payment and to no other payment's", async ({ service, merchant }) => {
  const [payment, other] = [await create(merchant), await create(merchant)];
  const streams = [open(service, payment.id), open(service, payment.id), open(service, other.id)] as const;
  for (const stream of streams) await next(stream);
  await merchant.client.payments.cancel(payment.id);
  for (const stream of streams.slice(0, 2)) expect(await next(stream)).toMatchObject({ status: 'expired' });
  await merchant.client.payments.cancel(other.id);
  expect(await next(streams[2])).toMatchObject({ id: other.id, status: 'expired' });
  for (const stream of streams) await stream.return();
});

test('forbids proxies to buffer or cache the stream', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const { headers } = await service.send('GET', `/v1/public/payments/${id}/events`);
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
});

test('lets one address follow 32 times at once, whatever the limits of requests are', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const path = `${service.url}/v1/public/payments/${id}/events`;
  const leaving = new AbortController();
  const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(path, { signal: leaving.signal })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
  expect(refused).toHaveLength(28);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '10'));
  expect(await refused[0]?.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
  leaving.abort();
  await expect.poll(() => service.send('GET', `/v1/public/payments/${id}/events`)).toMatchObject({ status: 200 });
});

test('ends its streams when the service stops, instead of waiting for them', async () => {
  const own = await startService();
  const { client } = await own.activeMerchant();
  const { id } = await client.payments.create({ amount: 25, currency: 'USD' });
  const events = own.client().public.payments.events(id);
  await events.next();
  const end = events.next();
  await own.close();
  expect(await end).toMatchObject({ done: true });
});

test('answers 404 for an unknown payment', async ({ service }) => {
  await expect(open(service, 'pay_unknown').next()).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
