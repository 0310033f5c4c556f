import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

type Draft = Parameters<Trader['client']['sandbox']['plans']['subscribe']>[1];
const newPlan = (trader: Trader, change: object = {}) => trader.client.plans.create({ ...TEA_CLUB, ...change });
const subscribe = async (trader: Trader, draft?: Draft) =>
  trader.client.sandbox.plans.subscribe((await newPlan(trader)).id, draft);
const refused = (trader: Trader, id: string, error: object, client = trader.client) =>
  expect(client.sandbox.plans.subscribe(id)).rejects.toMatchObject(error);

test('by default creates a customer who has agreed and is charged at once', async ({ trader }) => {
  const { subscription, wallet } = await subscribe(trader);
  expect(subscription).toMatchObject({
    ...{ customerName: 'Test Customer', customerEmail: 'customer@example.com', walletAddress: wallet.address },
    ...{ status: 'active', mandateStatus: 'active' },
  });
  expect(wallet).toMatchObject({ network: 'devnet', privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  const { data } = await trader.shop.expect('subscription.activated', subscription.id);
  expect(data.latestChargeId).toMatch(/^chg_/);
  expect(await trader.client.sandbox.wallets.update(wallet.address, {})).toMatchObject({
    ...{ token: 'USDT', balance: '9975.000000', allowance: '300.000000' },
  });
});

test('creates a customer with a name, little money and no agreement yet, and audits who did what', async ({
  trader,
}) => {
  const draft = { customerName: 'Nimal Perera', customerEmail: 'nimal@example.org', amount: '0.5', authorize: false };
  const { subscription, wallet } = await subscribe(trader, draft);
  expect(subscription).toMatchObject({ customerName: 'Nimal Perera', mandateStatus: 'pending', nextChargeAt: null });
  expect(wallet.balances.map(({ amount }) => amount)).toEqual(['0.500000', '0.500000', '1']);
  await trader.client.sandbox.subscriptions.authorize(subscription.id);
  const { data: entries } = await trader.client.auditLogs.list({ resourceType: 'subscription' });
  const own = entries.filter(({ resourceId }) => resourceId === subscription.id);
  expect(own.map(({ action, actorType }) => [action, actorType]).sort()).toEqual([
    ['subscription.create', 'merchant'],
    ['subscription.sign', 'system'],
  ]);
});

test('takes only an active plan of the merchant', async ({ sandbox, trader }) => {
  const { id } = await newPlan(trader);
  await trader.client.plans.update(id, { active: false });
  await refused(trader, id, { status: 409, code: 'CONFLICT', reason: 'plan_inactive' });
  await refused(trader, 'plan_unknown', { status: 404, code: 'NOT_FOUND' });
  const other = await sandbox.openTrader();
  await refused(trader, (await newPlan(trader)).id, { status: 404, code: 'NOT_FOUND' }, other.client);
  await sandbox.decide(other.id, { kind: 'freeze', reason: 'odd payments' });
  const theirs = { status: 403, code: 'FORBIDDEN', reason: 'merchant_not_active' };
  await refused(trader, id, theirs, other.client);
  await refused(trader, id, { status: 401, reason: 'token_missing' }, sandbox.client());
});

test.for([['1.0000001'], ['1000000001'], ['-1'], ['']] as const)(
  'refuses %o as an amount',
  async ([amount], { trader }) => {
    const { id } = await newPlan(trader);
    const asked = trader.client.sandbox.plans.subscribe(id, { amount });
    await expect(asked).rejects.toMatchObject({ status: 400, fields: [{ path: 'amount' }] });
  },
);

test('creates one customer per idempotency key', async ({ sandbox, trader }) => {
  const { id } = await newPlan(trader);
  await expectKeysKept({
    operationId: 'subscribeSandboxCustomer',
    merchantId: trader.id,
    db: sandbox.service().platform.db,
    path: `/v1/sandbox/subscription-plans/${id}/subscribe`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"authorize":false}'),
  });
});
