import { keccak256 } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deterministicAddress } from '../../src/chains/evm/deploy.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { initCodeOf, PERMIT2, PUBLISHED, TRANSFER_PROXY } from '../../src/chains/evm/permit2-deployment.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';

let node: Anvil;
let network: EvmNetwork;
beforeAll(async () => {
  node = await startAnvil();
  network = await prepareSandboxNetwork({ rpcUrl: node.url });
});
afterAll(() => node.stop());

test('what we ship is what was published: the deployer puts it at the addresses that the world knows', () => {
  expect(
    PUBLISHED.map((each) => [keccak256(initCodeOf(each)), deterministicAddress(initCodeOf(each), each.salt)]),
  ).toEqual([
    ['0xe2be1e05eedf35dacd66c65c862f8150ff9ab4b6b24b9bbe62be71b6b16cf0f8', PERMIT2],
    ['0xe774d1d5a07218946ab54efe010b300481478b86861bb17d69c98a57f68a604c', TRANSFER_PROXY],
  ]);
});

/** Runs the start-up check while other code stands at an address. */
async function checkWith(address: string, change: (code: string) => string, checked = network): Promise<void> {
  const code = await node.rpc<string>('eth_getCode', [address, 'latest']);
  await node.rpc('anvil_setCode', [address, change(code)]);
  try {
    await evm.checkNetwork(checked, null);
  } finally {
    await node.rpc('anvil_setCode', [address, code]);
  }
}

test('a network whose Permit2 or proxy is another one, or missing, refuses the start', async () => {
  await expect(evm.checkNetwork(network, null)).resolves.toBeUndefined();
  for (const address of [PERMIT2, TRANSFER_PROXY]) {
    await expect(checkWith(address, () => '0x')).rejects.toThrow(
      new RegExp(`there is no .* at ${address}: take "permit2" out`),
    );
    const other = (code: string) => `${code.slice(0, -2)}${code.endsWith('00') ? '01' : '00'}`;
    await expect(checkWith(address, other)).rejects.toThrow(/is not .* as it was published/);
    await expect(checkWith(address, () => '0x6001')).rejects.toThrow(/is not .* as it was published/);
  }
  const without = { ...network, tokens: network.tokens.map(({ permit2: _, permit: __, ...token }) => token) };
  await expect(checkWith(PERMIT2, () => '0x', without)).resolves.toBeUndefined();
});

test('a Permit2 that takes signatures for another domain refuses the start', async () => {
  const at = 2 + 2 * PUBLISHED[0]!.places[1]!.start;
  const change = (code: string) => `${code.slice(0, at)}${'11'.repeat(32)}${code.slice(at + 64)}`;
  await expect(checkWith(PERMIT2, change)).rejects.toThrow('takes signatures for another chain');
});

test('a token whose allowances are signed for another domain, or that takes none, refuses the start', async () => {
  const check = (symbol: string, permit: { name: string; version: string }) => {
    const { authorization: _, permit2: __, ...token } = network.tokens.find((each) => each.symbol === symbol)!;
    return evm.checkNetwork({ ...network, tokens: [{ ...token, permit }] }, null);
  };
  const { permit } = network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  await expect(check('USDC', permit!)).resolves.toBeUndefined();
  await expect(check('USDC', { ...permit!, version: '9' })).rejects.toThrow(
    'has another name or version: correct "permit" of this token',
  );
  await expect(check('USDT', permit!)).rejects.toThrow('takes no signed allowances (ERC-2612)');
});
