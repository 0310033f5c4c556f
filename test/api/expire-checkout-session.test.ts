import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const create = async () => {
  const { sessionId } = await merchant.client.checkout.sessions.create({
    amount: 25,
    currency: 'USD',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  });
  return merchant.client.checkout.sessions.get(sessionId);
};
const expire = (id: string) => merchant.client.checkout.sessions.expire(id);
const conflict = (message: string) => ({ status: 409, code: 'CONFLICT', message });

test('an open session ends with its payment, and both are announced and written down', async () => {
  const session = await create();
  const expired = await expire(session.id);
  expect(expired).toEqual({ ...session, status: 'expired' });
  expect(await merchant.client.checkout.sessions.get(session.id)).toEqual(expired);
  expect(await merchant.client.payments.get(session.paymentId)).toMatchObject({
    status: 'expired',
    reason: 'cancelled',
  });
  const events = await service.db
    .selectFrom('events')
    .select('type')
    .where('resource_id', 'in', [session.id, session.paymentId])
    .orderBy('type')
    .execute();
  expect(events.map(({ type }) => type)).toEqual(['checkout.session.expired', 'payment.created', 'payment.expired']);
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', session.id)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action, metadata }) => [action, metadata])).toEqual([
    ['checkout_session.create', {}],
    ['checkout_session.expire', { paymentId: session.paymentId }],
  ]);
});

test('a session whose payer has only chosen a token is ended too', async () => {
  const session = await create();
  await service.client().public.payments.select(session.paymentId, { token: 'USDC', network: 'devnet' });
  expect(await expire(session.id)).toMatchObject({ status: 'expired' });
});

test('it is ended once', async () => {
  const { id } = await create();
  await expire(id);
  await expect(expire(id)).rejects.toMatchObject(
    conflict('The session is expired. Only an open session can be expired.'),
  );
});

test('a session that is being paid or was paid is not ended', async () => {
  const session = await create();
  const payment = await merchant.client.payments.get(session.paymentId);
  await service.chain.transfer(payment, { confirmed: false });
  // What arrived counts although no job has looked at it yet.
  await expect(expire(session.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await service.chain.mine(1);
  await service.settle();
  await expect(expire(session.id)).rejects.toMatchObject(
    conflict('The session is completed. Only an open session can be expired.'),
  );
  expect(await merchant.client.checkout.sessions.get(session.id)).toMatchObject({ status: 'completed' });
});

test("an unknown session and another merchant's are not found, and nobody ends one without a token", async () => {
  const { id } = await create();
  const other = await service.activeMerchant();
  await expect(other.client.checkout.sessions.expire(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(expire('cs_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('POST', `/v1/checkout/sessions/${id}/expire`)).status).toBe(401);
  expect(await merchant.client.checkout.sessions.get(id)).toMatchObject({ status: 'open' });
});
