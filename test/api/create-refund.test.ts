import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestMerchant } from '../harness.ts';
import { arrived, arrivedInParts, DESTINATION, secretOf } from '../support/refunds.ts';
import { createKey, sendSigned } from '../support/signing.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const balance = ({ client }: TestMerchant) => client.settlements.balance();
const REASON = { reason: 'Sold out.' };
const conflict = (reason: string | undefined, message: RegExp) => ({
  ...{ status: 409, code: 'CONFLICT', message: expect.stringMatching(message) },
  ...(reason === undefined ? {} : { reason }),
});

test('gives back all of a paid payment out of the balance, which is held at once', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant);
  expect(await balance(merchant)).toMatchObject({ availableBalance: 25 });
  const refund = await merchant.client.refunds.create(id, { amount: 'all', ...REASON });
  expect(refund).toMatchObject({
    ...{ paymentId: id, status: 'awaiting_claim', amount: 25, currency: 'USD', token: 'USDT', network: 'devnet' },
    ...{ tokenAmount: '25.000000', reason: 'Sold out.', destinationAddress: null, txHash: null, finishedAt: null },
  });
  expect(secretOf(refund)).toMatch(/^[\w-]{43}$/);
  expect(await balance(merchant)).toMatchObject({ availableBalance: 0 });
  expect(await merchant.client.payments.get(id)).toMatchObject({ status: 'paid', amountRefunded: 25 });
  await expect(merchant.client.refunds.create(id, { amount: 'all', ...REASON })).rejects.toMatchObject(
    conflict('refund_exceeds', /given back already/),
  );
});

test('gives back a surplus out of what waits, and nothing waits any more', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '30');
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: 'overpaid' });
  const refund = await merchant.client.refunds.create(id, {
    amount: 'surplus',
    ...REASON,
    destinationAddress: DESTINATION,
  });
  expect(refund).toMatchObject({ status: 'pending', amount: 5, destinationAddress: DESTINATION, claimUrl: null });
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: null, amountRefunded: 5 });
  expect(await balance(merchant)).toMatchObject({ availableBalance: 25 });
  await expect(merchant.client.refunds.create(id, { amount: 'surplus', ...REASON })).rejects.toMatchObject(
    conflict('refund_exceeds', /Nothing came beyond/),
  );
});

test('gives back of a surplus in parts what its sum leaves deep enough', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id, ordinary } = await arrivedInParts(service, merchant);
  const { client } = merchant;
  expect(await client.refunds.create(id, { amount: 'surplus', ...REASON })).toMatchObject({ amount: 15 });
  await expect(client.refunds.create(id, { amount: 26, ...REASON })).rejects.toMatchObject(
    conflict('refund_exceeds', /25\.00 USD in USDT on devnet/),
  );
  await service.chain.mine(4);
  expect(await client.refunds.create(id, { amount: 'surplus', ...REASON })).toMatchObject({ amount: 40 });
  await ordinary();
});

test('gives back what came short, and an acceptance afterwards takes only the rest', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '10');
  await expect(merchant.client.refunds.create(id, { amount: 'all', ...REASON })).rejects.toMatchObject(
    conflict(undefined, /This payment is pending/),
  );
  await merchant.client.payments.cancel(id);
  await merchant.client.refunds.create(id, { amount: 4, ...REASON });
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: 'underpaid' });
  await merchant.client.payments.resolve(id, { action: 'accept' });
  expect(await balance(merchant)).toMatchObject({ availableBalance: 6 });
  await expect(merchant.client.refunds.create(id, { amount: 7, ...REASON })).rejects.toMatchObject(
    conflict('refund_exceeds', /6\.00 USD in USDT on devnet/),
  );
  await merchant.client.refunds.create(id, { amount: 6, ...REASON });
  expect(await balance(merchant)).toMatchObject({ availableBalance: 0 });
});

test('gives back a token that was not asked for, in that token', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '7', 'USDC');
  await merchant.client.payments.cancel(id);
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: 'wrong_token' });
  expect(await merchant.client.refunds.create(id, { amount: 'surplus', ...REASON })).toMatchObject({
    ...{ token: 'USDC', amount: 7 },
  });
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: null });
});

test('goes in one token, and asks which where several were paid', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '25');
  await service.chain.transfer(await merchant.client.payments.get(id), { amount: '9', token: 'USDC' });
  await service.runPaymentJobs();
  await expect(merchant.client.refunds.create(id, { amount: 'all', ...REASON })).rejects.toMatchObject(
    conflict('refund_needs_token', /25\.00 USD in USDT on devnet, 9\.00 USD in USDC on devnet/),
  );
  expect(await merchant.client.refunds.create(id, { amount: 'all', token: 'USDC', ...REASON })).toMatchObject({
    amount: 9,
  });
  await expect(merchant.client.refunds.create(id, { amount: 1, token: 'USDC', ...REASON })).rejects.toMatchObject(
    conflict('refund_exceeds', /left in USDC.*25\.00 USD in USDT/),
  );
});

test('refuses what the balance has no money for, and holds nothing', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '25');
  await merchant.client.withdrawals.create({ amount: 20, method: 'crypto', destinationAddress: DESTINATION });
  await expect(merchant.client.refunds.create(id, { amount: 10, ...REASON })).rejects.toMatchObject({
    ...{ status: 409, code: 'INSUFFICIENT_BALANCE', message: expect.stringContaining('You have 5.00 USD') },
  });
  expect(await merchant.client.refunds.create(id, { amount: 5, ...REASON })).toMatchObject({ amount: 5 });
  expect(await balance(merchant)).toMatchObject({ availableBalance: 0 });
});

test('two at once give back no more than arrived', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '25');
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, () => merchant.client.refunds.create(id, { amount: 10, ...REASON })),
  );
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await merchant.client.payments.get(id)).toMatchObject({ amountRefunded: 20 });
});

test('keeps the fee of what it gives back', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '25');
  const before = await balance(merchant);
  const { id: refundId } = await merchant.client.refunds.create(id, { amount: 5, ...REASON });
  expect((await balance(merchant)).availableBalance).toBe(before.availableBalance - 5);
  await merchant.client.refunds.cancel(refundId);
  expect(await balance(merchant)).toMatchObject(before);
});

test('refuses an address of ours, of nobody, and of another kind of chain', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const payment = await arrived(service, merchant, '25');
  const to = (destinationAddress: string) =>
    merchant.client.refunds.create(payment.id, { amount: 5, ...REASON, destinationAddress });
  const invalid = (message: RegExp) => ({
    ...{ status: 400, code: 'VALIDATION_ERROR' },
    fields: [expect.objectContaining({ path: 'destinationAddress', message: expect.stringMatching(message) })],
  });
  await expect(to(payment.cryptoAddress)).rejects.toMatchObject(invalid(/belongs to the platform/));
  await expect(to(`0x${'0'.repeat(40)}`)).rejects.toMatchObject(invalid(/to nobody/));
  await expect(to('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).rejects.toMatchObject(invalid(/typing mistakes/));
});

test('is told in the timeline of its payment, and shown with it', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant);
  const made = await merchant.client.refunds.create(id, { amount: 5, ...REASON });
  await service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
  expect((await merchant.client.payments.get(id)).refunds).toMatchObject([{ id: made.id, status: 'pending' }]);
  const { data } = await merchant.client.payments.timeline(id);
  expect(data.slice(-2)).toMatchObject([
    { type: 'refund.created', text: 'You give 5 USD back, as 5.000000 USDT: Sold out.', status: null },
    { type: 'refund.pending', text: `The refund goes to ${DESTINATION}.` },
  ]);
});

test('refuses more than a hundred of one payment, cancelled ones too, and its page offers none', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, { refundOffers: ['overpaid'] });
  const { id } = await arrived(service, merchant, '27');
  for (let i = 0; i < 100; i += 1) {
    const { id: refundId } = await merchant.client.refunds.create(id, { amount: 1, ...REASON });
    await merchant.client.refunds.cancel(refundId);
  }
  await expect(merchant.client.refunds.create(id, { amount: 1, ...REASON })).rejects.toMatchObject(
    conflict(undefined, /100 refunds/),
  );
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: 'overpaid', amountRefunded: 0 });
  expect(await service.client().public.payments.get(id)).toMatchObject({ refundOffer: null });
  await expect(service.client().public.payments.takeRefund(id)).rejects.toMatchObject(conflict('no_offer', /offered/));
});

test('a part of a payment in rupees is told as it was asked, and the parts come to what was paid', async ({
  service,
}) => {
  const { client } = await service.activeMerchant();
  const give = async (...amounts: number[]) => {
    const payment = await client.payments.create({ amount: 1500, currency: 'LKR', acceptedTokens: ['USDT'] });
    await service.chain.transfer(payment, { amount: '5' });
    await service.runPaymentJobs();
    const made = [];
    for (const amount of amounts) made.push(await client.refunds.create(payment.id, { amount, ...REASON }));
    expect(made.map(({ amount }) => amount)).toEqual(amounts);
    const { amountRefunded } = await client.payments.get(payment.id);
    return { amountRefunded, sent: made.map(({ tokenAmount }) => tokenAmount) };
  };
  // No part is sent less than a micro-dollar short.
  expect(await give(1, 0.01, 33.34)).toEqual({ amountRefunded: 34.35, sent: ['0.003334', '0.000033', '0.111133'] });
  expect(await give(500, 500, 500)).toEqual({ amountRefunded: 1500, sent: ['1.666667', '1.666667', '1.666666'] });
  expect(await give(0.01)).toEqual({ amountRefunded: 0.01, sent: ['0.000034'] });
});

test('the amounts of all refunds of a payment add up to what was paid, to the last hundredth', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const paid = async () => {
    const payment = await client.payments.create({ amount: 100, currency: 'LKR', acceptedTokens: ['USDT'] });
    await service.chain.transfer(payment, { amount: payment.cryptoAmount });
    await service.runPaymentJobs();
    return payment.id;
  };
  const give = async (id: string, amount: number | 'all') => client.refunds.create(id, { amount, ...REASON });
  const id = await paid();
  await give(id, 33.33);
  await expect(give(id, 66.68)).rejects.toMatchObject(conflict('refund_exceeds', /66\.67 LKR in USDT on devnet/));
  const rest = await give(id, 'all');
  expect(rest).toMatchObject({ amount: 66.67, tokenAmount: '0.222233' });
  expect(await client.payments.get(id)).toMatchObject({ amountRefunded: 100 });
  const other = await paid();
  await give(other, 99.99);
  expect(await give(other, 'all')).toMatchObject({ amount: 0.01, tokenAmount: '0.000033' });
  // What was told stays, whichever of them ends.
  const third = await paid();
  const first = await give(third, 33.33);
  expect(await give(third, 'all')).toMatchObject({ amount: 66.67 });
  await client.refunds.cancel(first.id);
  expect(await give(third, 33.33)).toMatchObject({ tokenAmount: '0.111101' });
  expect(await client.payments.get(third)).toMatchObject({ amountRefunded: 100 });
});

test('what came in two tokens goes back as what it came to together', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const { id, ...payment } = await client.payments.create({ amount: 10, currency: 'USD' });
  await service.chain.transfer(payment, { amount: '3.335' });
  await service.chain.transfer(payment, { amount: '6.665', token: 'USDC' });
  await service.runPaymentJobs();
  const give = (token: 'USDT' | 'USDC', amount: number | 'all') =>
    client.refunds.create(id, { amount, token, ...REASON });
  expect(await give('USDT', 'all')).toMatchObject({ amount: 3.33, tokenAmount: '3.335000' });
  expect(await give('USDC', 1)).toMatchObject({ amount: 1, tokenAmount: '1' });
  expect(await give('USDC', 5.67)).toMatchObject({ amount: 5.67, tokenAmount: '5.665' });
  expect(await client.payments.get(id)).toMatchObject({ amountRefunded: 10 });
});

test('shows the claim link that a key has made to no session without a code, also when the request comes again', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant);
  const key = await createKey(service, merchant, { permissions: ['settlements:write'] });
  await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const [target, body] = [`/v1/payments/${id}/refunds`, { amount: 'all', ...REASON }];
  const again = { method: 'POST', target, body: JSON.stringify(body), idempotencyKey: `refund-${id}` };
  const made = await sendSigned(service, key, again);
  expect(made).toMatchObject({ status: 201, body: { claimUrl: expect.stringContaining('/refund/') } });
  const headers = { 'idempotency-key': again.idempotencyKey };
  const asked = await service.send('POST', target, { token: merchant.token, body, headers });
  expect([asked.status, asked.body]).toMatchObject([422, { error: { code: 'IDEMPOTENCY_KEY_REUSED' } }]);
  expect((await sendSigned(service, key, again)).body).toEqual(made.body);
});
