import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

const mine = (sandbox: SandboxService, blocks: number) => sandbox.client().sandbox.chain.mine({ blocks });
const height = async (sandbox: SandboxService) => Number(await sandbox.node.rpc<string>('eth_blockNumber'));

test('mines the requested number of blocks and answers with the new head', async ({ sandbox }) => {
  const before = await height(sandbox);
  const head = await mine(sandbox, 3);
  expect(head).toMatchObject({ network: 'devnet', blockNumber: before + 3 });
  expect((await mine(sandbox, 100)).blockNumber).toBe(before + 103);
});

test.for([0, 101, 1.5])('refuses %d blocks', async (blocks, { sandbox }) => {
  const before = await height(sandbox);
  await expect(mine(sandbox, blocks)).rejects.toMatchObject({ status: 400, fields: [{ path: 'blocks' }] });
  expect(await height(sandbox)).toBe(before);
});
