import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import type { Trader } from '../support/sandbox-service.ts';

const create = (trader: Trader) => trader.client.payments.create({ amount: 25, currency: 'USD' });
const pay = (trader: Trader, id: string, body?: Parameters<typeof trader.client.sandbox.payments.pay>[1]) =>
  trader.client.sandbox.payments.pay(id, body);

test('by default sends the whole amount with confirmations; the payment is paid when the answer comes', async ({
  trader,
}) => {
  const payment = await create(trader);
  const sent = await pay(trader, payment.id);
  expect(sent).toMatchObject({
    paymentId: payment.id,
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'devnet',
    token: 'USDT',
    amount: '25.000000',
    block: expect.any(Number),
  });
  expect(sent.to.toLowerCase()).toBe(payment.cryptoAddress.toLowerCase());
  expect(await trader.client.payments.get(payment.id)).toMatchObject({ status: 'paid', txHash: sent.txHash });
});

test('sends a part, another token, and no further blocks, as asked', async ({ trader }) => {
  const { id } = await create(trader);
  expect(await pay(trader, id, { amount: '10', token: 'USDC', network: 'devnet' })).toMatchObject({ token: 'USDC' });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'pending', amountReceived: 10 });
  await pay(trader, id, { confirm: false });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'confirming', amountDue: 0 });
});

test('sends the ether that is due, and refuses it where no payment waits for it', async ({ trader }) => {
  const { id, options } = await create(trader);
  const ether = options.find(({ token }) => token === 'ETH');
  const sent = await pay(trader, id, { token: 'ETH' });
  expect(sent).toMatchObject({ network: 'devnet', token: 'ETH', amount: ether?.amount, to: ether?.address });
  expect(await trader.client.payments.get(id)).toMatchObject({
    ...{ status: 'paid', exception: null, txHash: sent.txHash },
    transactions: [{ hash: sent.txHash, token: 'ETH', worth: { amount: '25.000000' } }],
  });
  const dollars = await trader.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await expect(pay(trader, dollars.id, { token: 'ETH' })).rejects.toMatchObject({
    status: 400,
    fields: [{ path: 'token' }],
  });
});

test('needs an amount for a payment of which nothing is due', async ({ trader }) => {
  const { id } = await create(trader);
  await pay(trader, id);
  await expect(pay(trader, id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await pay(trader, id, { amount: '5' });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'paid', exception: 'overpaid' });
});

test.for([
  ['token', { token: 'BTC' as const }],
  ['network', { network: 'ethereum' }],
  ['amount', { amount: '0' }],
  ['amount', { amount: '1.0000001' }],
  ['amount', { amount: '1000000001' }],
] as const)('refuses a wrong %s: %o', async ([path, body], { trader }) => {
  const { id } = await create(trader);
  await expect(pay(trader, id, body)).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path }],
  });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'initiated', transactions: [] });
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({
  sandbox,
  trader,
}) => {
  const { id } = await create(trader);
  const other = await sandbox.openTrader();
  await expect(other.client.sandbox.payments.pay(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(pay(trader, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(sandbox.client().sandbox.payments.pay(id)).rejects.toMatchObject({
    status: 401,
    reason: 'token_missing',
  });
});

test('pays once per idempotency key', async ({ sandbox, trader }) => {
  const { id } = await create(trader);
  await expectKeysKept({
    operationId: 'paySandboxPayment',
    merchantId: trader.id,
    db: sandbox.service().platform.db,
    path: `/v1/sandbox/payments/${id}/pay`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"amount":"25"}'),
  });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'paid', amountReceived: 25, exception: null });
});
