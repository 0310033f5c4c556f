import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { customer, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

let sandbox: SandboxService;
let trader: Trader;
beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const authorize = (id: string, client = trader.client) => client.sandbox.subscriptions.authorize(id);
const undecided = async () => {
  const { id } = await trader.client.plans.create(TEA_CLUB);
  return trader.client.sandbox.plans.subscribe(id, { authorize: false });
};
const conflict = (id: string, message: string) =>
  expect(authorize(id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
  });

test('signs with a sandbox wallet that was subscribed through the API, also after it withdrew its allowance', async () => {
  const { address } = await trader.client.sandbox.wallets.create();
  const plan = await trader.client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  const { id } = await trader.client.plans.subscribe(plan.id, { ...customer(), walletAddress: address });
  expect(await authorize(id)).toMatchObject({ id, status: 'trialing', mandateStatus: 'active' });
  const allow = (allowance?: string) =>
    trader.client.sandbox.wallets.update(address, allowance === undefined ? {} : { allowance });
  expect(await allow()).toMatchObject({ allowance: '325.000000' });
  expect(await allow('0')).toMatchObject({ allowance: '0.000000' });
  expect(await authorize(id)).toMatchObject({ mandateStatus: 'active' });
  expect(await allow()).toMatchObject({ allowance: '325.000000' });
});

test("does the same from the customer's page, without a login", async () => {
  const { subscription } = await undecided();
  const page = `${sandbox.url()}/checkout/subscription/${subscription.id}`;
  expect(await (await fetch(page)).text()).toContain('sandbox-authorize');
  const pressed = await fetch(`${page}/sandbox-authorize`, { method: 'POST', redirect: 'manual' });
  expect(pressed.status).toBe(303);
  expect(await trader.client.subscriptions.get(subscription.id)).toMatchObject({ mandateStatus: 'active' });
  expect(await (await fetch(page)).text()).not.toContain('sandbox-authorize');
});

test('refuses a wallet whose key the sandbox does not have, and a subscription that has ended', async () => {
  const { id } = await subscribe(trader.client, {}, 7);
  await conflict(id, 'did not make the wallet');
  const page = await fetch(`${sandbox.url()}/checkout/subscription/${id}`);
  expect(await page.text()).not.toContain('sandbox-authorize');
  const { subscription } = await undecided();
  await trader.client.subscriptions.cancel(subscription.id);
  await conflict(subscription.id, 'over');
});

test("answers 404 for an unknown subscription and another merchant's, and 401 without a token", async () => {
  const { subscription } = await undecided();
  const other = await sandbox.openTrader();
  await expect(authorize(subscription.id, other.client)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(authorize('sub_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(authorize(subscription.id, sandbox.client())).rejects.toMatchObject({ status: 401 });
});
