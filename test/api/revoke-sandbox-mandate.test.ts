import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { subscribe, TEA_CLUB } from '../support/subscriptions.ts';

let sandbox: SandboxService;
let trader: Trader;
beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const revoke = (id: string, client = trader.client) => client.sandbox.subscriptions.revoke(id);
const newCustomer = async (authorize: boolean) => {
  const { id } = await trader.client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  return (await trader.client.sandbox.plans.subscribe(id, { authorize })).subscription.id;
};
const conflict = (id: string, message: string) =>
  expect(revoke(id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
  });

test('revokes a mandate once, and the customer may agree to another', async () => {
  const id = await newCustomer(true);
  expect(await revoke(id)).toMatchObject({ id, status: 'trialing', mandateStatus: 'revoked' });
  await conflict(id, 'no mandate on the chain');
  expect(await trader.client.sandbox.subscriptions.authorize(id)).toMatchObject({ mandateStatus: 'active' });
});

test('refuses a mandate that the chain does not know or that an unknown wallet gave', async () => {
  await conflict(await newCustomer(false), 'no mandate on the chain');
  await conflict((await subscribe(trader.client, {}, 8)).id, 'did not make the wallet');
});

test("answers 404 for an unknown subscription and another merchant's, and 401 without a token", async () => {
  const id = await newCustomer(false);
  const other = await sandbox.openTrader();
  await expect(revoke(id, other.client)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(revoke('sub_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(revoke(id, sandbox.client())).rejects.toMatchObject({ status: 401 });
});
