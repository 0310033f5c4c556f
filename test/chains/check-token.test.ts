import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSymbolOf } from '../../src/chains/evm/check-token.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import type { EvmNetwork, EvmToken } from '../../src/chains/evm/network.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';

let node: Anvil;
let network: EvmNetwork;
beforeAll(async () => {
  node = await startAnvil();
  network = await prepareSandboxNetwork({ rpcUrl: node.url });
});
afterAll(() => node.stop());

const tokenOf = (symbol: string): EvmToken => network.tokens.find((token) => token.symbol === symbol)!;
const check = (changes: Partial<EvmToken>) =>
  evm.checkNetwork({ ...network, tokens: [{ ...tokenOf('USDC'), ...changes }] }, null);

test('a listed token is a contract with its decimals and its symbol, or the start is refused', async () => {
  await expect(check({})).resolves.toBeUndefined();
  await expect(check({ contract: `0x${'12'.repeat(20)}` })).rejects.toThrow(/there is no contract at 0x12.*USDC/);
  await expect(check({ decimals: 12 })).rejects.toThrow('has 6 decimals, not 12: correct KASI_NETWORKS');
  const { contract } = tokenOf('USDT');
  const usdt = { ...tokenOf('USDT'), symbol: 'USDC' } as const;
  const checkAs = (changes: Partial<EvmToken>) =>
    evm.checkNetwork({ ...network, tokens: [{ ...usdt, ...changes }] }, null);
  await expect(checkAs({})).rejects.toThrow(/calls itself "USDT".*onChainSymbol/);
  await expect(checkAs({ onChainSymbol: 'USDT' })).resolves.toBeUndefined();
  await expect(check({ contract, onChainSymbol: 'USDT' })).rejects.toThrow('takes no signed transfers (ERC-3009)');
  await expect(check({ onChainSymbol: 'USDC.e' })).rejects.toThrow('calls itself "USDC": correct the address or');
  await expect(check({ contract: network.factory })).rejects.toThrow('does not say its decimals');
});

test('a token whose signatures are made for another name or version refuses the start', async () => {
  const { authorization } = tokenOf('USDC');
  expect(authorization).toBeDefined();
  const cure = 'has another name or version: correct "authorization" of this token in KASI_NETWORKS, or take it out.';
  await expect(check({ authorization: { ...authorization!, version: '9' } })).rejects.toThrow(cure);
  await expect(check({ authorization: { ...authorization!, name: 'USD Coin (PoS)' } })).rejects.toThrow(cure);
});

describe('symbols', () => {
  const token = (symbol: 'USDT' | 'USDC', onChainSymbol?: string): EvmToken => ({
    ...{ symbol, contract: '0x', decimals: 6 },
    ...(onChainSymbol !== undefined && { onChainSymbol }),
  });
  test.each([
    ['USDT', 'USDT', true],
    ['USDT', 'USD₮0', true],
    ['USDC', 'USDC', true],
    ['USDC', 'USDC.e', false],
    ['USDC', 'usdc', false],
    ['USDC', 'USDT', false],
    ['USDT', 'USDTea', false],
  ] as const)('%s may be spelt %s: %s', (symbol, onChain, may) => {
    expect(isSymbolOf(token(symbol), onChain)).toBe(may);
    expect(isSymbolOf(token(symbol, onChain), onChain)).toBe(true);
  });
});
