import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { customer, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

const authorize = (trader: Trader, id: string, client = trader.client) => client.sandbox.subscriptions.authorize(id);
const undecided = async (trader: Trader) => {
  const { id } = await trader.client.plans.create(TEA_CLUB);
  return trader.client.sandbox.plans.subscribe(id, { authorize: false });
};
const conflict = (trader: Trader, id: string, message: string) =>
  expect(authorize(trader, id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
  });

test('signs with a sandbox wallet that was subscribed through the API, also after it withdrew its allowance', async ({
  trader,
}) => {
  const { address } = await trader.client.sandbox.wallets.create();
  const plan = await trader.client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  const { id } = await trader.client.plans.subscribe(plan.id, { ...customer(), walletAddress: address });
  expect(await authorize(trader, id)).toMatchObject({ id, status: 'trialing', mandateStatus: 'active' });
  const allow = (allowance?: string) =>
    trader.client.sandbox.wallets.update(address, allowance === undefined ? {} : { allowance });
  expect(await allow()).toMatchObject({ allowance: '325.000000' });
  expect(await allow('0')).toMatchObject({ allowance: '0.000000' });
  expect(await authorize(trader, id)).toMatchObject({ mandateStatus: 'active' });
  expect(await allow()).toMatchObject({ allowance: '325.000000' });
});

test("does the same from the customer's page, without a login", async ({ sandbox, trader }) => {
  const { subscription } = await undecided(trader);
  const page = `${sandbox.url()}/checkout/subscription/${subscription.id}`;
  expect(await (await fetch(page)).text()).toContain('sandbox-authorize');
  const pressed = await fetch(`${page}/sandbox-authorize`, { method: 'POST', redirect: 'manual' });
  expect(pressed.status).toBe(303);
  expect(await trader.client.subscriptions.get(subscription.id)).toMatchObject({ mandateStatus: 'active' });
  expect(await (await fetch(page)).text()).not.toContain('sandbox-authorize');
});

test('refuses a wallet whose key the sandbox does not have, and a subscription that has ended', async ({
  sandbox,
  trader,
}) => {
  const { id } = await subscribe(trader.client, {}, 7);
  await conflict(trader, id, 'did not make the wallet');
  const page = await fetch(`${sandbox.url()}/checkout/subscription/${id}`);
  expect(await page.text()).not.toContain('sandbox-authorize');
  const { subscription } = await undecided(trader);
  await trader.client.subscriptions.cancel(subscription.id);
  await conflict(trader, subscription.id, 'over');
});

test("answers 404 for an unknown subscription and another merchant's, and 401 without a token", async ({
  sandbox,
  trader,
}) => {
  const { subscription } = await undecided(trader);
  const other = await sandbox.openTrader();
  await expect(authorize(trader, subscription.id, other.client)).rejects.toMatchObject({
    status: 404,
    code: 'NOT_FOUND',
  });
  await expect(authorize(trader, 'sub_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(authorize(trader, subscription.id, sandbox.client())).rejects.toMatchObject({ status: 401 });
});
