import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

let sandbox: SandboxService;
let trader: Trader;
beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

type Draft = Parameters<typeof trader.client.sandbox.plans.subscribe>[1];
const newPlan = (change: object = {}) => trader.client.plans.create({ ...TEA_CLUB, ...change });
const subscribe = async (draft?: Draft) => trader.client.sandbox.plans.subscribe((await newPlan()).id, draft);
const refused = (id: string, error: object, client = trader.client) =>
  expect(client.sandbox.plans.subscribe(id)).rejects.toMatchObject(error);

test('by default creates a customer who has agreed and is charged at once', async () => {
  const { subscription, wallet } = await subscribe();
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

test('creates a customer with a name, little money and no agreement yet, and audits who did what', async () => {
  const draft = { customerName: 'Nimal Perera', customerEmail: 'nimal@example.org', amount: '0.5', authorize: false };
  const { subscription, wallet } = await subscribe(draft);
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

test('takes only an active plan of the merchant', async () => {
  const { id } = await newPlan();
  await trader.client.plans.update(id, { active: false });
  await refused(id, { status: 409, code: 'CONFLICT', reason: 'plan_inactive' });
  await refused('plan_unknown', { status: 404, code: 'NOT_FOUND' });
  const other = await sandbox.openTrader();
  await refused((await newPlan()).id, { status: 404, code: 'NOT_FOUND' }, other.client);
  await sandbox.decide(other.id, { kind: 'freeze', reason: 'odd payments' });
  const theirs = { status: 403, code: 'FORBIDDEN', reason: 'merchant_not_active' };
  await refused(id, theirs, other.client);
  await refused(id, { status: 401, reason: 'token_missing' }, sandbox.client());
});

test.each([['1.0000001'], ['1000000001'], ['-1'], ['']])('refuses %o as an amount', async (amount) => {
  const { id } = await newPlan();
  const asked = trader.client.sandbox.plans.subscribe(id, { amount });
  await expect(asked).rejects.toMatchObject({ status: 400, fields: [{ path: 'amount' }] });
});

test('creates one customer per idempotency key', async () => {
  const { id } = await newPlan();
  await expectKeysKept({
    operationId: 'subscribeSandboxCustomer',
    merchantId: trader.id,
    db: sandbox.service().platform.db,
    path: `/v1/sandbox/subscription-plans/${id}/subscribe`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"authorize":false}'),
  });
});
