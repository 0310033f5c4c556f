import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
beforeAll(async () => {
  sandbox = await startSandboxService();
});
afterAll(() => sandbox.close());

const mine = (blocks: number) => sandbox.client().sandbox.chain.mine({ blocks });
const height = async () => Number(await sandbox.node.rpc<string>('eth_blockNumber'));

test('mines the requested number of blocks and answers with the new head', async () => {
  const before = await height();
  const head = await mine(3);
  expect(head).toMatchObject({ network: 'devnet', blockNumber: before + 3 });
  expect((await mine(100)).blockNumber).toBe(before + 103);
});

test.each([0, 101, 1.5])('refuses %d blocks', async (blocks) => {
  const before = await height();
  await expect(mine(blocks)).rejects.toMatchObject({ status: 400, fields: [{ path: 'blocks' }] });
  expect(await height()).toBe(before);
});
