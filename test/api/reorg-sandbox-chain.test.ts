import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

const reorg = (sandbox: SandboxService, depth: number, keepTransactions?: boolean) =>
  sandbox.client().sandbox.chain.reorg({ depth, ...(keepTransactions !== undefined && { keepTransactions }) });

test('replaces the newest blocks; without their transactions a payment loses what had arrived', async ({
  sandbox,
  trader,
}) => {
  const { chain } = sandbox.client().sandbox;
  await chain.mine({ blocks: 5 });
  const before = await chain.mine({ blocks: 1 });
  const after = await reorg(sandbox, 2);
  expect(after.blockNumber).toBe(before.blockNumber);
  expect(after.blockHash).not.toBe(before.blockHash);

  const { id } = await trader.client.payments.create({ amount: 25, currency: 'USD' });
  await trader.client.sandbox.payments.pay(id, { confirm: false });
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'confirming' });
  await reorg(sandbox, 1, false);
  expect(await trader.reaches(id, 'pending')).toMatchObject({ amountReceived: 0, transactions: [] });
});

test.for([0, 65])('refuses a depth of %d', async (depth, { sandbox }) => {
  await expect(reorg(sandbox, depth)).rejects.toMatchObject({ status: 400, fields: [{ path: 'depth' }] });
});

test("refuses to replace the blocks that hold the sandbox's own contracts", async ({ sandbox }) => {
  const { blockNumber } = await sandbox.client().sandbox.chain.mine({ blocks: 1 });
  // Its contracts are in the first blocks of a chain that is still short.
  expect(blockNumber).toBeLessThan(64);
  await expect(reorg(sandbox, 64, false)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});
