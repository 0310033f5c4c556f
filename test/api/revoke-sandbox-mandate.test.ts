import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { subscribe, TEA_CLUB } from '../support/subscriptions.ts';

const revoke = (trader: Trader, id: string, client = trader.client) => client.sandbox.subscriptions.revoke(id);
const newCustomer = async (trader: Trader, authorize: boolean) => {
  const { id } = await trader.client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  return (await trader.client.sandbox.plans.subscribe(id, { authorize })).subscription.id;
};
const conflict = (trader: Trader, id: string, message: string) =>
  expect(revoke(trader, id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
  });

test('revokes a mandate once, and the customer may agree to another', async ({ trader }) => {
  const id = await newCustomer(trader, true);
  expect(await revoke(trader, id)).toMatchObject({ id, status: 'trialing', mandateStatus: 'revoked' });
  await conflict(trader, id, 'no mandate on the chain');
  expect(await trader.client.sandbox.subscriptions.authorize(id)).toMatchObject({ mandateStatus: 'active' });
});

test('refuses a mandate that the chain does not know or that an unknown wallet gave', async ({ trader }) => {
  await conflict(trader, await newCustomer(trader, false), 'no mandate on the chain');
  await conflict(trader, (await subscribe(trader.client, {}, 8)).id, 'did not make the wallet');
});

test("answers 404 for an unknown subscription and another merchant's, and 401 without a token", async ({
  sandbox,
  trader,
}) => {
  const id = await newCustomer(trader, false);
  const other = await sandbox.openTrader();
  await expect(revoke(trader, id, other.client)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(revoke(trader, 'sub_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(revoke(trader, id, sandbox.client())).rejects.toMatchObject({ status: 401 });
});
