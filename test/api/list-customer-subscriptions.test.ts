import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START } from '../harness.ts';
import { beginSession } from '../support/customers.ts';
import { onlyPage } from '../support/pages.ts';
import { customerWallet, insertCharge, makePastDue, put, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

const WALLET = 21;

test('shows a wallet what is its own, at all merchants, newest first, with receipts', async ({ service, merchant }) => {
  const other = await service.activeMerchant();
  const first = await subscribe(merchant.client, {}, WALLET);
  service.clock.advance(1000);
  const second = await subscribe(other.client, { name: 'Coffee club' }, WALLET);
  await subscribe(merchant.client, {}, WALLET + 1);
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await insertCharge(service.db, first.id, START, {
    ...{ status: 'succeeded', paymentId: payment.id, failureCode: null, txHash: `0x${'1'.repeat(64)}` },
  });
  await insertCharge(service.db, first.id, START, { number: 2 });
  const { token, expiresAt } = await beginSession(service.client(), customerWallet(WALLET));
  const { customers } = service.client().public;
  const { subscriptions, ...rest } = await customers.subscriptions.list(token);
  expect(rest).toEqual({
    walletAddress: customerWallet(WALLET).address,
    expiresAt,
    pagination: onlyPage(2),
  });
  expect(subscriptions.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(subscriptions[0]).toMatchObject({ planName: 'Coffee club', mandateStatus: 'pending', charges: [] });
  expect(subscriptions[1]).toMatchObject({
    ...{ id: first.id, url: first.authorizeUrl, amount: 25, currency: 'USD', interval: 'monthly', status: 'active' },
    ...{ isRetryable: false, network: 'devnet', token: 'USDT' },
    charges: [{ number: 1, amount: 25, receiptUrl: expect.stringMatching(new RegExp(`/receipt/${payment.id}$`)) }],
  });
  expect(subscriptions[1]).not.toHaveProperty('customerEmail');
  const narrowed = await customers.subscriptions.list(token, { merchantOf: second.planId });
  expect(narrowed.subscriptions.map(({ id }) => id)).toEqual([second.id]);
  const page = await customers.subscriptions.list(token, { page: 2, limit: 1 });
  expect(page.subscriptions.map(({ id }) => id)).toEqual([first.id]);
});

test('what can be charged comes first, however many a merchant has subscribed the wallet to since', async ({
  service,
  merchant,
}) => {
  const agreed = await subscribe(merchant.client, {}, WALLET + 2);
  await put(service.db, agreed.id, { mandateStatus: 'active' });
  service.clock.advance(1000);
  const other = await service.activeMerchant();
  const [older, newer] = [await subscribe(other.client, {}, WALLET + 2), await subscribe(other.client, {}, WALLET + 2)];
  const { token } = await beginSession(service.client(), customerWallet(WALLET + 2));
  const { subscriptions } = await service.client().public.customers.subscriptions.list(token);
  expect(subscriptions.map(({ id }) => id)).toEqual([agreed.id, newer.id, older.id]);
});

test('says which charge can be tried at once', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client, TEA_CLUB, 31);
  await makePastDue(service.db, id, service.clock.now());
  const { token } = await beginSession(service.client(), customerWallet(31));
  const [shown] = (await service.client().public.customers.subscriptions.list(token)).subscriptions;
  expect(shown).toMatchObject({ status: 'past_due', failureCode: 'insufficient_balance', isRetryable: true });
});

test('answers 404 without a session, and 400 for a page that can not be; nobody offers an unknown plan', async ({
  service,
}) => {
  const { customers } = service.client().public;
  await expect(customers.subscriptions.list('A'.repeat(43))).rejects.toMatchObject({ status: 404 });
  const { token } = await beginSession(service.client());
  expect(await customers.subscriptions.list(token, { merchantOf: 'plan_unknown' })).toMatchObject({
    subscriptions: [],
  });
  await expect(customers.subscriptions.list(token, { limit: 0 })).rejects.toMatchObject({ status: 400 });
});
