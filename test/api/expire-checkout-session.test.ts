import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant } from '../harness.ts';

const create = async (merchant: TestMerchant) => {
  const { sessionId } = await merchant.client.checkout.sessions.create({
    amount: 25,
    currency: 'USD',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  });
  return merchant.client.checkout.sessions.get(sessionId);
};
const expire = (merchant: TestMerchant, id: string) => merchant.client.checkout.sessions.expire(id);
const conflict = (message: string) => ({ status: 409, code: 'CONFLICT', message });

test('ends an open session with its payment, and announces and audits both', async ({ service, merchant }) => {
  const session = await create(merchant);
  const expired = await expire(merchant, session.id);
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

test('ends a session whose payer has only chosen a token', async ({ service, merchant }) => {
  const session = await create(merchant);
  await service.client().public.payments.select(session.paymentId, { token: 'USDC', network: 'devnet' });
  expect(await expire(merchant, session.id)).toMatchObject({ status: 'expired' });
});

test('ends once', async ({ merchant }) => {
  const { id } = await create(merchant);
  await expire(merchant, id);
  await expect(expire(merchant, id)).rejects.toMatchObject(
    conflict('The session is expired. Only an open session can be expired.'),
  );
});

test('refuses a session that is being paid or was paid', async ({ service, merchant }) => {
  const session = await create(merchant);
  const payment = await merchant.client.payments.get(session.paymentId);
  await service.chain.transfer(payment, { confirmed: false });
  // Money that arrived counts even before a job has processed it.
  await expect(expire(merchant, session.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await service.chain.mine(1);
  await service.runPaymentJobs();
  await expect(expire(merchant, session.id)).rejects.toMatchObject(
    conflict('The session is completed. Only an open session can be expired.'),
  );
  expect(await merchant.client.checkout.sessions.get(session.id)).toMatchObject({ status: 'completed' });
});

test("answers 404 for an unknown session and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  const other = await service.activeMerchant();
  await expect(other.client.checkout.sessions.expire(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(expire(merchant, 'cs_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('POST', `/v1/checkout/sessions/${id}/expire`)).status).toBe(401);
  expect(await merchant.client.checkout.sessions.get(id)).toMatchObject({ status: 'open' });
});
