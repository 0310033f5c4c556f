import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';

const HOUR_MS = 3_600_000;

const create = (merchant: TestMerchant, amount = 25) => merchant.client.payments.create({ amount, currency: 'USD' });
const read = (merchant: TestMerchant, id: string) => merchant.client.payments.get(id);
const pay = async (service: TestService, ...args: Parameters<TestService['chain']['transfer']>) => {
  const hash = await service.chain.transfer(...args);
  await service.runPaymentJobs();
  return hash;
};

test('shows what has arrived, what is missing and what to send for it', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const hash = await pay(service, payment, { amount: '10' });
  expect(await read(merchant, payment.id)).toMatchObject({
    status: 'pending',
    amountReceived: 10,
    amountDue: 15,
    tokenAmountDue: '15.000000',
    tokenAmount: '25.000000',
    txHash: hash,
    transactions: [{ hash, network: 'devnet', token: 'USDT', amount: '10.000000', confirmations: 2 }],
    paidAt: null,
  });
  expect((await read(merchant, payment.id)).paymentUri).toContain('&uint256=15000000');
});

test('counts confirmations while it waits for them, and is paid once there are enough', async ({
  service,
  merchant,
}) => {
  const payment = await create(merchant);
  const hash = await pay(service, payment, { confirmed: false });
  expect(await read(merchant, payment.id)).toMatchObject({
    status: 'confirming',
    confirmations: { seen: 1, required: 2 },
    amountDue: 0,
    paidAt: null,
  });
  await service.chain.mine(1);
  await service.runPaymentJobs();
  expect(await read(merchant, payment.id)).toMatchObject({
    status: 'paid',
    exception: null,
    confirmations: { seen: 2, required: 2 },
    amountReceived: 25,
    txHash: hash,
    paidAt: service.clock.now().toISOString(),
  });
});

test('adds up transfers in two tokens, newest first', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const first = await pay(service, payment, { amount: '10', token: 'USDC' });
  const second = await pay(service, payment, { amount: '15', token: 'USDT' });
  const paid = await read(merchant, payment.id);
  expect(paid).toMatchObject({ status: 'paid', amountReceived: 25, txHash: first });
  expect(paid.transactions.map(({ hash, token, amount }) => [hash, token, amount])).toEqual([
    [second, 'USDT', '15.000000'],
    [first, 'USDC', '10'],
  ]);
});

test('accepts an underpayment of half a percent, at most half a dollar, and not one unit more', async ({
  service,
  merchant,
}) => {
  const small = await create(merchant, 100);
  await pay(service, small, { amount: '99.499999' });
  expect(await read(merchant, small.id)).toMatchObject({ status: 'pending', exception: null });
  await pay(service, small, { amount: '0.000001' });
  expect(await read(merchant, small.id)).toMatchObject({ status: 'paid', exception: null, amountReceived: 99.5 });

  const large = await create(merchant, 1000);
  await pay(service, large, { amount: '999.499999' });
  expect(await read(merchant, large.id)).toMatchObject({ status: 'pending' });
  await pay(service, large, { amount: '0.000001' });
  expect(await read(merchant, large.id)).toMatchObject({ status: 'paid' });
});

test('shows an overpayment only above the tolerance', async ({ service, merchant }) => {
  const within = await create(merchant, 100);
  await pay(service, within, { amount: '100.5' });
  expect(await read(merchant, within.id)).toMatchObject({ status: 'paid', exception: null });
  const over = await create(merchant, 100);
  await pay(service, over, { amount: '100.500001' });
  expect(await read(merchant, over.id)).toMatchObject({ status: 'paid', exception: 'overpaid', amountReceived: 100.5 });
});

test('shows a token that the payment does not accept, and never counts it', async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await pay(service, payment, { amount: '25', token: 'USDC' });
  expect(await read(merchant, payment.id)).toMatchObject({
    status: 'initiated',
    exception: 'wrong_token',
    amountReceived: 0,
    amountDue: 25,
    transactions: [{ token: 'USDC', amount: '25', value: 25, astray: 'token' }],
  });
});

test('expires at its deadline, once the chain has been read past it', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const deadline = new Date(payment.expiresAt);
  service.clock.set(deadline);
  await service.runPaymentJobs();
  expect(await read(merchant, payment.id)).toMatchObject({ status: 'initiated' });
  await service.chain.mine(1, deadline);
  await service.runPaymentJobs();
  expect(await read(merchant, payment.id)).toMatchObject({ status: 'initiated' });
  await service.chain.mine(1, new Date(deadline.getTime() + 1));
  await service.runPaymentJobs();
  expect(await read(merchant, payment.id)).toMatchObject({ status: 'expired', reason: null, exception: null });
});

test('takes a transfer in the block of the deadline as in time, however late it is seen, and one after it as late', async ({
  service,
  merchant,
}) => {
  const [onTime, late] = [await create(merchant), await create(merchant)];
  const deadline = new Date(onTime.expiresAt);
  service.clock.set(new Date(deadline.getTime() + HOUR_MS));
  await pay(service, onTime, { time: deadline });
  expect(await read(merchant, onTime.id)).toMatchObject({ status: 'paid', exception: null });
  await pay(service, late, { time: new Date(deadline.getTime() + 1000) });
  expect(await read(merchant, late.id)).toMatchObject({ status: 'paid', exception: 'late' });
});

test('is still paid by money within a day of the deadline; later money awaits a decision', async ({
  service,
  merchant,
}) => {
  const [inTime, tooLate] = [await create(merchant), await create(merchant)];
  const lastMoment = new Date(new Date(inTime.expiresAt).getTime() + 24 * HOUR_MS);
  service.clock.set(lastMoment);
  await service.chain.mine(1);
  await service.runPaymentJobs();
  expect(await read(merchant, inTime.id)).toMatchObject({ status: 'expired' });
  await pay(service, inTime, { time: lastMoment });
  expect(await read(merchant, inTime.id)).toMatchObject({ status: 'paid', exception: 'late' });
  await pay(service, tooLate, { time: new Date(lastMoment.getTime() + 1) });
  expect(await read(merchant, tooLate.id)).toMatchObject({ status: 'expired', exception: 'late', amountReceived: 25 });
});

test('reverses what had arrived on a reorg, and gives the payer at least another hour', async ({
  service,
  merchant,
}) => {
  const payment = await create(merchant);
  await pay(service, payment, { confirmed: false });
  expect(await read(merchant, payment.id)).toMatchObject({ status: 'confirming' });
  const fiftyMinutes = new Date(service.clock.now().getTime() + 50 * 60_000);
  service.clock.set(fiftyMinutes);
  await service.chain.drop(1);
  await service.runPaymentJobs();
  expect(await read(merchant, payment.id)).toMatchObject({
    status: 'pending',
    amountReceived: 0,
    transactions: [],
    expiresAt: new Date(fiftyMinutes.getTime() + HOUR_MS).toISOString(),
  });
});

test('shows the newest twenty of many transfers, and counts all', async ({ service, merchant }) => {
  const payment = await create(merchant);
  for (let index = 0; index < 22; index += 1) await service.chain.transfer(payment, { amount: '1' });
  await service.runPaymentJobs();
  const shown = await read(merchant, payment.id);
  expect([shown.transactions.length, shown.amountReceived, shown.amountDue]).toEqual([20, 22, 3]);
});

test("answers 404 for an unknown payment and another merchant's, and 401 without a token", async ({
  service,
  merchant,
}) => {
  const { id, createdAt } = await create(merchant);
  expect(new Date(createdAt) > START).toBe(true);
  const other = await service.activeMerchant();
  await expect(other.client.payments.get(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(read(merchant, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await service.send('GET', `/v1/payments/${id}`)).status).toBe(401);
});
