import { afterAll, beforeAll, expect, test } from 'vitest';
import { START, startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const create = () =>
  merchant.client.checkout.sessions.create({
    amount: 25,
    currency: 'USD',
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    metadata: { orderId: 'A-1001' },
    expiresInMinutes: 30,
  });
const read = (id: string) => merchant.client.checkout.sessions.get(id);
const payment = async (id: string) => merchant.client.payments.get((await read(id)).paymentId);

test('a merchant reads all of a session', async () => {
  const { sessionId, checkoutUrl, expiresAt } = await create();
  expect(await read(sessionId)).toEqual({
    id: sessionId,
    status: 'open',
    amount: 25,
    currency: 'USD',
    paymentId: expect.stringMatching(/^pay_/),
    checkoutUrl,
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    metadata: { orderId: 'A-1001' },
    expiresAt,
    createdAt: START.toISOString(),
  });
});

test('it is completed when its payment is paid, and the merchant is told', async () => {
  const { sessionId } = await create();
  await service.chain.transfer(await payment(sessionId), { confirmed: false });
  await service.settle();
  expect(await read(sessionId)).toMatchObject({ status: 'open' });
  await service.chain.mine(1);
  await service.runJob('payments.apply');
  const completed = await read(sessionId);
  expect(completed).toMatchObject({ status: 'completed' });
  await service.settle();
  const events = await service.db.selectFrom('events').selectAll().where('resource_id', '=', sessionId).execute();
  expect(events.map(({ body }) => JSON.parse(body.toString('utf8')))).toMatchObject([
    { type: 'checkout.session.completed', sequence: 1, merchantId: merchant.id, data: completed },
  ]);
});

test('it is expired when its time is over, before its payment is', async () => {
  const { sessionId, expiresAt } = await create();
  service.clock.set(new Date(expiresAt));
  expect(await read(sessionId)).toMatchObject({ status: 'expired' });
  expect(await payment(sessionId)).toMatchObject({ status: 'initiated' });
  await service.chain.mine(1, new Date(service.clock.now().getTime() + 1000));
  service.clock.advance(2000);
  await service.settle();
  expect(await payment(sessionId)).toMatchObject({ status: 'expired' });
  const events = await service.db.selectFrom('events').select('type').where('resource_id', '=', sessionId).execute();
  expect(events).toEqual([{ type: 'checkout.session.expired' }]);
});

test("an unknown session and another merchant's look the same, and nobody reads one without a token", async () => {
  const { sessionId } = await create();
  const other = await service.activeMerchant();
  const missing = { status: 404, code: 'NOT_FOUND', message: 'There is no such checkout session.' };
  await expect(other.client.checkout.sessions.get(sessionId)).rejects.toMatchObject(missing);
  await expect(read('cs_unknown')).rejects.toMatchObject(missing);
  expect((await service.send('GET', `/v1/checkout/sessions/${sessionId}`)).status).toBe(401);
});
