import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';

const create = (merchant: TestMerchant) =>
  merchant.client.checkout.sessions.create({
    amount: 25,
    currency: 'USD',
    successUrl: 'https://shop.example/thanks?order=7',
    cancelUrl: 'https://shop.example/cart',
    metadata: { orderId: 'A-1001' },
    expiresInMinutes: 30,
  });
const read = (merchant: TestMerchant, id: string) => merchant.client.checkout.sessions.get(id);
const payment = async (merchant: TestMerchant, id: string) =>
  merchant.client.payments.get((await read(merchant, id)).paymentId);

test('shows a merchant every field of its session', async ({ merchant }) => {
  const { sessionId, checkoutUrl, expiresAt } = await create(merchant);
  expect(await read(merchant, sessionId)).toEqual({
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

test('is completed when its payment is paid, which is announced', async ({ service, merchant }) => {
  const { sessionId } = await create(merchant);
  await service.chain.transfer(await payment(merchant, sessionId), { confirmed: false });
  await service.runPaymentJobs();
  expect(await read(merchant, sessionId)).toMatchObject({ status: 'open' });
  await service.chain.mine(1);
  await service.runJob('payments.apply');
  const completed = await read(merchant, sessionId);
  expect(completed).toMatchObject({ status: 'completed' });
  await service.runPaymentJobs();
  const events = await service.db.selectFrom('events').selectAll().where('resource_id', '=', sessionId).execute();
  expect(events.map(({ body }) => JSON.parse(body.toString('utf8')))).toMatchObject([
    { type: 'checkout.session.completed', sequence: 1, merchantId: merchant.id, data: completed },
  ]);
});

test('expires at its time, before its payment does', async ({ service, merchant }) => {
  const { sessionId, expiresAt } = await create(merchant);
  service.clock.set(new Date(expiresAt));
  expect(await read(merchant, sessionId)).toMatchObject({ status: 'expired' });
  expect(await payment(merchant, sessionId)).toMatchObject({ status: 'initiated' });
  await service.chain.mine(1, new Date(service.clock.now().getTime() + 1000));
  service.clock.advance(2000);
  await service.runPaymentJobs();
  expect(await payment(merchant, sessionId)).toMatchObject({ status: 'expired' });
  const events = await service.db.selectFrom('events').select('type').where('resource_id', '=', sessionId).execute();
  expect(events).toEqual([{ type: 'checkout.session.expired' }]);
});

test("answers the same 404 for an unknown session and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { sessionId } = await create(merchant);
  const other = await service.activeMerchant();
  const missing = { status: 404, code: 'NOT_FOUND', message: 'There is no such checkout session.' };
  await expect(other.client.checkout.sessions.get(sessionId)).rejects.toMatchObject(missing);
  await expect(read(merchant, 'cs_unknown')).rejects.toMatchObject(missing);
  expect((await service.send('GET', `/v1/checkout/sessions/${sessionId}`)).status).toBe(401);
});
