import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
beforeAll(async () => {
  sandbox = await startSandboxService();
});
afterAll(() => sandbox.close());

test('the sandbox tells where its chain is and what is on it', async () => {
  const { networks, mnemonic } = await sandbox.client().sandbox.get();
  expect(mnemonic).toBe('test test test test test test test test test test test junk');
  expect(networks).toMatchObject([
    {
      network: 'devnet',
      chainId: 31337,
      rpcUrl: sandbox.node.url,
      confirmations: 2,
      factory: sandbox.network.factory,
      tokens: [{ token: 'USDT' }, { token: 'USDC' }],
    },
  ]);
});

test('the address that it names is one of a real node with that contract', async () => {
  const [network] = (await sandbox.client().sandbox.get()).networks;
  const code = await sandbox.node.rpc<string>('eth_getCode', [network?.tokens[0]?.contract, 'latest']);
  expect(code.length).toBeGreaterThan(100);
});
