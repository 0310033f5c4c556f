import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';

test('shows where the chain is and what is on it', async ({ sandbox }) => {
  const { networks, missing, mnemonic } = await sandbox.client().sandbox.get();
  expect(mnemonic).toBe('test test test test test test test test test test test junk');
  expect(missing).toEqual([]);
  expect(networks).toMatchObject([
    {
      network: 'devnet',
      chainId: 31337,
      rpcUrl: sandbox.node.url,
      confirmations: 2,
      factory: sandbox.network.factory,
      collector: sandbox.network.collector,
      tokens: [{ token: 'USDT' }, { token: 'USDC' }],
    },
  ]);
});

test('names the addresses of contracts on a real node', async ({ sandbox }) => {
  const [network] = (await sandbox.client().sandbox.get()).networks;
  for (const contract of [network?.tokens[0]?.contract, network?.factory, network?.collector]) {
    const code = await sandbox.node.rpc<string>('eth_getCode', [contract, 'latest']);
    expect(code.length).toBeGreaterThan(100);
  }
});

test('refuses an unknown parameter, as the operations outside of the sandbox do', async ({ sandbox }) => {
  const answer = await fetch(`${sandbox.url()}/v1/sandbox?surprise=1`);
  const message = 'surprise: is not a known parameter; there are none here';
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR', message } }]);
});
