import { expect } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';

type Draft = Parameters<Client['payments']['create']>[0];

const create = (merchant: TestMerchant, draft: Partial<Draft> = {}) =>
  merchant.client.payments.create({ amount: 25, currency: 'USD', ...draft });
const invalid = (path: string) => ({ status: 400, code: 'VALIDATION_ERROR', fields: [{ path }] });
const notActive = { status: 403, code: 'FORBIDDEN', reason: 'merchant_not_active' };

test('quotes a payment in dollars in every enabled token, payable for an hour', async ({ merchant }) => {
  const payment = await create(merchant);
  expect(payment).toMatchObject({
    status: 'initiated',
    reason: null,
    exception: null,
    amount: 25,
    currency: 'USD',
    cryptoAmount: '25.000000',
    amountReceived: 0,
    amountDue: 25,
    tokenAmountDue: '25.000000',
    description: null,
    customerEmail: null,
    metadata: {},
    token: 'USDT',
    network: 'devnet',
    tokenAmount: '25.000000',
    transactions: [],
    txHash: null,
    paymentLinkId: null,
    sessionId: null,
    paidAt: null,
    createdAt: START.toISOString(),
    expiresAt: '2026-01-01T11:00:00.000Z',
  });
  expect(payment.id).toMatch(/^pay_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(payment.checkoutUrl).toBe(`http://localhost:3000/checkout/payment/${payment.id}`);
  expect(payment.qrCodeUrl).toBe(`http://localhost:3000/v1/public/payments/${payment.id}/qr.png`);
  const at = { network: 'devnet', chainId: 31337, address: payment.cryptoAddress };
  expect(payment.options).toMatchObject([
    { ...at, token: 'USDT', amount: '25.000000', decimals: 6 },
    { ...at, token: 'USDC', amount: '25', decimals: 18 },
  ]);
  expect(await merchant.client.payments.get(payment.id)).toEqual({ ...payment, refunds: [] });
});

test('quotes a payment in rupees at a rate that it keeps, rounded up to the smallest unit', async ({
  service,
  merchant,
}) => {
  const payment = await create(merchant, { amount: 100, currency: 'LKR' });
  expect(payment).toMatchObject({
    amount: 100,
    currency: 'LKR',
    // 100 / 300 = 0.3333…
    cryptoAmount: '0.333334',
    tokenAmount: '0.333334',
    amountDue: 100,
    rate: { value: '300', source: expect.any(String), quotedAt: expect.any(String) },
  });
  await service.set({ manualRates: { 'USD/LKR': '320' } });
  expect((await create(merchant, { amount: 100, currency: 'LKR' })).cryptoAmount).toBe('0.312500');
  expect((await merchant.client.payments.get(payment.id)).cryptoAmount).toBe('0.333334');
  await service.set({ manualRates: {} });
});

test('returns what the caller attached as it was sent', async ({ merchant }) => {
  const draft = {
    description: 'Invoice 2026-014 🍵',
    customerEmail: 'nimal@example.org',
    metadata: { orderId: 'A-1001', count: 3, gift: true, note: 'නමස්තේ', ratio: 0.1 },
  };
  const payment = await create(merchant, draft);
  expect(payment).toMatchObject(draft);
  expect(payment.metadata).toEqual(draft.metadata);
});

test.for([0.01, 0.29, 1.1, 19.99, 1_000_000])('asks %d dollars to the cent', async (amount, { merchant }) => {
  const payment = await create(merchant, { amount });
  expect([payment.amount, payment.amountDue, payment.cryptoAmount]).toEqual([
    amount,
    amount,
    `${amount.toFixed(2)}0000`,
  ]);
});

test('limits a payment to a million dollars or 300 million rupees', async ({ merchant }) => {
  await expect(create(merchant, { amount: 1_000_000.01 })).rejects.toMatchObject(invalid('amount'));
  expect((await create(merchant, { amount: 300_000_000, currency: 'LKR' })).cryptoAmount).toBe('1000000.000000');
  await expect(create(merchant, { amount: 300_000_000.01, currency: 'LKR' })).rejects.toMatchObject(invalid('amount'));
});

test.for([0, -1, 0.001, 25.555])('refuses an amount of %d', async (amount, { merchant }) => {
  await expect(create(merchant, { amount })).rejects.toMatchObject(invalid('amount'));
});

test('limits the lifetime to between ten minutes and a day', async ({ merchant }) => {
  expect((await create(merchant, { expiresInMinutes: 10 })).expiresAt).toBe('2026-01-01T10:10:00.000Z');
  expect((await create(merchant, { expiresInMinutes: 1440 })).expiresAt).toBe('2026-01-02T10:00:00.000Z');
  for (const expiresInMinutes of [9, 1441]) {
    await expect(create(merchant, { expiresInMinutes })).rejects.toMatchObject(invalid('expiresInMinutes'));
  }
});

test('offers only tokens that are accepted and enabled, USDT first', async ({ merchant }) => {
  const offered = async (acceptedTokens: Draft['acceptedTokens']) =>
    (await create(merchant, { ...(acceptedTokens && { acceptedTokens }) })).options.map(({ token }) => token);
  expect(await offered(['USDC'])).toEqual(['USDC']);
  expect(await offered(['USDC', 'USDT'])).toEqual(['USDT', 'USDC']);
  expect(await offered(['ETH', 'USDC'])).toEqual(['USDC']);
  await expect(offered(['ETH', 'BTC'])).rejects.toMatchObject({
    ...invalid('acceptedTokens'),
    message: expect.stringContaining('USDT, USDC'),
  });
});

const TEA = { name: 'නුවරඑළිය තේ, 250 g', quantity: 2, unitAmount: 9.99 };
const SHIPPING = { name: 'Shipping', unitAmount: 6.02 };

test('shows payers the lines that add up to the amount, a discount among them', async ({ merchant }) => {
  const voucher = { name: 'Voucher', unitAmount: -1 };
  const payment = await create(merchant, { items: [TEA, SHIPPING, voucher] });
  const items = [TEA, { ...SHIPPING, quantity: 1 }, { ...voucher, quantity: 1 }];
  expect(payment.items).toEqual(items);
  expect((await merchant.client.public.payments.get(payment.id)).items).toEqual(items);
  expect((await create(merchant, { items: [] })).items).toEqual([]);
  expect((await create(merchant)).items).toEqual([]);
});

test('refuses lines that add up to something else, and stores nothing', async ({ merchant }) => {
  const before = await merchant.client.payments.list({ limit: 1 });
  await expect(create(merchant, { items: [TEA] })).rejects.toMatchObject({
    ...invalid('items'),
    fields: [{ path: 'items', message: 'add up to USD 19.98, but amount is USD 25.00' }],
  });
  const lines = { items: [{ name: 'Tea', quantity: 3, unitAmount: 8.333 }] };
  await expect(create(merchant, lines)).rejects.toMatchObject(invalid('items.0.unitAmount'));
  expect((await merchant.client.payments.list({ limit: 1 })).pagination).toEqual(before.pagination);
});

test('limits lines to fifty, and with metadata to 8 KiB', async ({ merchant }) => {
  const free = Array.from({ length: 49 }, () => ({ name: 'x'.repeat(120), unitAmount: 0 }));
  const items = [...free, { name: 'Tea', unitAmount: 25 }];
  await expect(create(merchant, { items: [...items, SHIPPING] })).rejects.toMatchObject(invalid('items'));
  expect((await create(merchant, { items })).items).toHaveLength(50);
  await expect(create(merchant, { items, metadata: { note: 'x'.repeat(500) } })).rejects.toMatchObject(
    invalid('items'),
  );
});

test('limits metadata to fifty keys and 8 KiB', async ({ merchant }) => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
  expect(Object.keys((await create(merchant, { metadata: keys(50) })).metadata)).toHaveLength(50);
  await expect(create(merchant, { metadata: keys(51) })).rejects.toMatchObject(invalid('metadata'));
  // `{"00":"…", …}`: 8 characters a pair besides its value, one comma less than pairs, two braces.
  const filled = (bytes: number) => {
    const lengths = Array.from({ length: 20 }, (_, index) => (index < 19 ? 400 : bytes - 19 * 400 - 20 * 8 - 1));
    return Object.fromEntries(lengths.map((length, index) => [String(index).padStart(2, '0'), 'v'.repeat(length)]));
  };
  expect(JSON.stringify(filled(8192))).toHaveLength(8192);
  await create(merchant, { metadata: filled(8192) });
  await expect(create(merchant, { metadata: filled(8193) })).rejects.toMatchObject(invalid('metadata'));
});

test('gives every payment an address of its own', async ({ merchant }) => {
  const addresses = [
    (await create(merchant)).cryptoAddress,
    (await create(merchant)).cryptoAddress,
    (await create(merchant)).cryptoAddress,
  ];
  expect(new Set(addresses).size).toBe(3);
  for (const address of addresses) expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
});

test('announces and audits the payment with what created it', async ({ service, merchant }) => {
  const payment = await create(merchant, { metadata: { orderId: 'A-7' } });
  const events = await service.db.selectFrom('events').selectAll().where('resource_id', '=', payment.id).execute();
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([['payment.created', 1]]);
  const event = JSON.parse(events[0]?.body.toString('utf8') ?? '') as object;
  expect(event).toMatchObject({ type: 'payment.created', livemode: false, merchantId: merchant.id, data: payment });
  const entries = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', payment.id).execute();
  expect(entries).toMatchObject([{ action: 'payment.create', actor_id: merchant.id, merchant_id: merchant.id }]);
});

test('refuses a merchant that is frozen or rejected', async ({ service }) => {
  const frozen = await service.activeMerchant();
  await service.decide(frozen.id, { kind: 'freeze', reason: 'A question' });
  const rejected = await service.registerMerchant();
  await service.decide(rejected.id, { kind: 'reject', reason: 'No papers' });
  for (const { client } of [frozen, rejected]) {
    await expect(client.payments.create({ amount: 25, currency: 'USD' })).rejects.toMatchObject(notActive);
  }
});

test('lets an unverified merchant collect where the platform allows it', async ({ service }) => {
  const { client } = await service.registerMerchant();
  await client.payments.create({ amount: 25, currency: 'USD' });
  await service.set({ allowPendingMerchantsToCollect: false });
  await expect(client.payments.create({ amount: 25, currency: 'USD' })).rejects.toMatchObject(notActive);
  await service.set({ allowPendingMerchantsToCollect: true });
});

test('answers 401 without a token', async ({ service }) => {
  const answer = await service.send('POST', '/v1/payments', { body: { amount: 25, currency: 'USD' } });
  expect(answer.status).toBe(401);
});

test('says how a field is called that is spelled as in another language, and that a number has no quotation marks', async ({
  service,
  merchant,
}) => {
  const body = { amount: '25', currency: 'USD', customer_email: 'nimal@example.org', surprise: 1 };
  const answer = await service.send('POST', '/v1/payments', { token: merchant.token, body });
  expect(answer.body).toMatchObject({
    error: {
      fields: expect.arrayContaining([
        { path: 'amount', message: 'must be a number, without quotation marks' },
        { path: 'customer_email', message: 'is not a known field; it is called customerEmail' },
        { path: 'surprise', message: 'is not a known field; remove it' },
      ]),
    },
  });
});
