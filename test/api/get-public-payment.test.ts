import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const test = base.extend('merchant', { scope: 'file' }, ({ service }) =>
  service.activeMerchant({ businessName: 'Ceylon Tea House' }),
);

const read = (service: TestService, id: string) => service.client().public.payments.get(id);

test('shows a payer what to pay, to whom and how, but nothing that is only for the merchant', async ({
  service,
  merchant,
}) => {
  const payment = await merchant.client.payments.create({
    amount: 25,
    currency: 'USD',
    description: 'Invoice 7',
    customerEmail: 'nimal@example.org',
    metadata: { orderId: 'A-7' },
  });
  const seen = await read(service, payment.id);
  const { txHash, rate, checkoutUrl, customerEmail, customFields, metadata, paymentLinkId, createdAt, ...rest } =
    payment;
  const { subscriptionId, chargeId, ...common } = rest;
  expect(seen).toEqual({
    ...common,
    merchantName: 'Ceylon Tea House',
    merchantContact: { email: null, url: null, website: null },
    merchantBrand: { color: null, logoUrl: null },
    merchantCollects: true,
    embedOrigins: [],
    items: [],
    ...{ thankYou: null, thankYouUrl: null },
    rate: { value: '1', source: 'definition', quotedAt: '2026-01-01T10:00:00.000Z' },
    refundOffer: null,
    successUrl: null,
    cancelUrl: null,
    replaced: [],
    linkSlug: null,
    livemode: false,
  });
  const text = JSON.stringify(seen);
  for (const secret of ['nimal@example.org', 'A-7', merchant.id, merchant.email]) expect(text).not.toContain(secret);
});

test('shows a payer what has arrived', async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const hash = await service.chain.transfer(payment, { amount: '25', confirmed: false });
  await service.runPaymentJobs();
  expect(await read(service, payment.id)).toMatchObject({
    status: 'confirming',
    amountDue: 0,
    confirmations: { seen: 1, required: 2 },
    transactions: [{ hash, confirmations: 1 }],
  });
});

test('names transactions that waited for a block and are gone, once each, newest first, at most 5', async ({
  service,
  merchant,
}) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.chain.transfer(payment, { amount: '25', confirmed: false });
  await service.runPaymentJobs();
  const { db } = service;
  const { id: _id, ...row } = await db
    .selectFrom('credits')
    .selectAll()
    .where('payment_id', '=', payment.id)
    .executeTakeFirstOrThrow();
  const gone = [7, 6, 5, 4, 3, 2].flatMap((minute) =>
    [0, 1].map((place) => ({
      ...{ ...row, canonical: false, block_hash: 'pool', transfer_index: place, tx_hash: `tx-${minute}` },
      ...{ id: `crd_${minute}_${place}`, gone_because: minute === 7 ? 'replaced' : 'dropped' },
      ...{ replaced_by: minute === 7 ? 'tx-8' : null, arrived_at: new Date(Date.UTC(2026, 0, 2, 3, minute)) },
    })),
  );
  await db.insertInto('credits').values(gone).execute();
  const { replaced, transactions } = await read(service, payment.id);
  expect(replaced.map(({ hash }) => hash)).toEqual(['tx-7', 'tx-6', 'tx-5', 'tx-4', 'tx-3']);
  expect(replaced.slice(0, 2)).toEqual([
    { hash: 'tx-7', network: 'devnet', by: 'tx-8', undone: false, at: '2026-01-02T03:07:00.000Z' },
    { hash: 'tx-6', network: 'devnet', by: null, undone: false, at: '2026-01-02T03:06:00.000Z' },
  ]);
  expect(transactions, 'what is gone is no transfer').toHaveLength(1);
});

test("leads back to the merchant's shop for the payment of a checkout session", async ({ service, merchant }) => {
  const urls = { successUrl: 'https://shop.example/thanks?order=7', cancelUrl: 'https://shop.example/cart' };
  const { sessionId } = await merchant.client.checkout.sessions.create({ amount: 25, currency: 'USD', ...urls });
  const { paymentId } = await merchant.client.checkout.sessions.get(sessionId);
  expect(await read(service, paymentId)).toMatchObject({ sessionId, ...urls });
});

test('answers 404 for an unknown payment', async ({ service }) => {
  await expect(read(service, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
