import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';

const MINUTE_MS = 60_000;

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const read = async (merchant: TestMerchant, id: string) => (await merchant.client.payments.timeline(id)).data;

test('tells the story of a payment in two transfers, oldest first, in plain words', async ({ service, merchant }) => {
  service.clock.set(START);
  const payment = await create(merchant);
  service.clock.advance(MINUTE_MS);
  const first = await service.chain.transfer(payment, { amount: '10' });
  await service.runPaymentJobs();
  service.clock.advance(MINUTE_MS);
  const second = await service.chain.transfer(payment, { amount: '15', token: 'USDC', confirmed: false });
  await service.runPaymentJobs();
  service.clock.advance(MINUTE_MS);
  await service.chain.mine(1);
  await service.runPaymentJobs();

  const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS).toISOString();
  expect((await read(merchant, payment.id)).map(({ at, type, status, txHash }) => [at, type, status, txHash])).toEqual([
    [at(0), 'payment.created', 'initiated', null],
    [at(1), 'transfer.seen', null, first],
    [at(1), 'transfer.confirmed', null, first],
    [at(1), 'payment.pending', 'pending', first],
    [at(2), 'transfer.seen', null, second],
    [at(2), 'payment.confirming', 'confirming', first],
    [at(3), 'transfer.confirmed', null, second],
    [at(3), 'payment.completed', 'paid', first],
  ]);
  expect((await read(merchant, payment.id)).map(({ text }) => text)).toEqual([
    '25 USD was asked.',
    '10 USDT was seen on devnet.',
    'The transfer of 10 USDT is confirmed.',
    'A part has arrived: 10 USD. 15 USD is missing.',
    '15 USDC was seen on devnet.',
    'Enough has arrived; 2 confirmations are awaited.',
    'The transfer of 15 USDC is confirmed.',
    'The payment is confirmed and credited to your balance.',
  ]);
});

test('has its own words for a token choice, a cancellation and late money', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.client().public.payments.select(payment.id, { token: 'USDC', network: 'devnet' });
  await merchant.client.payments.cancel(payment.id);
  service.clock.advance(MINUTE_MS);
  await service.chain.transfer(payment, { amount: '25' });
  await service.runPaymentJobs();
  expect((await read(merchant, payment.id)).map(({ type, text }) => [type, text])).toEqual([
    ['payment.created', '25 USD was asked.'],
    ['payment.pending', 'The payer chose USDC on devnet.'],
    ['payment.expired', 'You cancelled the payment.'],
    ['transfer.seen', '25 USDT was seen on devnet.'],
    ['transfer.confirmed', 'The transfer of 25 USDT is confirmed.'],
    ['payment.exception', '25 USDT arrived on devnet for this payment, which is over. It waits for your decision.'],
  ]);
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  const other = await service.activeMerchant();
  await expect(other.client.payments.timeline(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(read(merchant, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('GET', `/v1/payments/${id}/timeline`)).status).toBe(401);
});
