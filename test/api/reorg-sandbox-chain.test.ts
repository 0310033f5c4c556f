import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
let trader: Trader;
beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const reorg = (depth: number, keepTransactions?: boolean) =>
  sandbox.client().sandbox.chain.reorg({ depth, ...(keepTransactions !== undefined && { keepTransactions }) });

test('replaces the newest blocks; without their transactions a payment loses what had arrived', async () => {
  const { chain } = sandbox.client().sandbox;
  await chain.mine({ blocks: 5 });
  const before = await chain.mine({ blocks: 1 });
  const after = await reorg(2);
  expect(after.blockNumber).toBe(before.blockNumber);
  expect(after.blockHash).not.toBe(before.blockHash);

  const { id } = await trader.client.payments.create({ amount: 25, currency: 'USD' });
  await trader.client.sandbox.payments.pay(id, { confirm: false });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'confirming' });
  await reorg(1, false);
  expect(await trader.reaches(id, 'pending')).toMatchObject({ amountReceived: 0, transactions: [] });
});

test.each([0, 65])('refuses a depth of %d', async (depth) => {
  await expect(reorg(depth)).rejects.toMatchObject({ status: 400, fields: [{ path: 'depth' }] });
});

test("refuses to replace the blocks that hold the sandbox's own contracts", async () => {
  const { blockNumber } = await sandbox.client().sandbox.chain.mine({ blocks: 1 });
  // Its contracts are in the first blocks of a chain that is still short.
  expect(blockNumber).toBeLessThan(64);
  await expect(reorg(64, false)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});
