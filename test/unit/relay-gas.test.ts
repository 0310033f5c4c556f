import { createClient, custom } from 'viem';
import { expect, test } from 'vitest';
import type { Reader } from '../../src/chains/evm/client.ts';
import { simulateAuthorization } from '../../src/chains/evm/erc3009.ts';
import { simulatePermit2 } from '../../src/chains/evm/permit2.ts';
import type { SignedTransfer, SignMethod } from '../../src/ports/signed-transfers.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const SIGNATURE = `0x${'1'.repeat(128)}1b`;
const SIMULATE = { erc3009: simulateAuthorization, permit2: simulatePermit2 };

const transfer = (method: SignMethod): SignedTransfer => ({
  token: { symbol: 'USDC', contract: address('c'), decimals: 6 } as SignedTransfer['token'],
  ...{ method, from: address('a'), to: address('b'), units: 1n },
  ...{ validAfter: 0, validBefore: 2_000_000_000, nonce: `0x${'0'.repeat(64)}` },
});

/** A node that carries out every call, and says that it takes so much gas. */
const nodeOf = (gas: number): Reader => {
  const answers: Readonly<Record<string, string>> = {
    ...{ eth_getCode: '0x', eth_call: '0x', eth_estimateGas: `0x${gas.toString(16)}` },
  };
  return createClient({ transport: custom({ request: async ({ method }) => answers[method] }) });
};

test.for([
  ['erc3009', 90_000, 'passes'],
  ['erc3009', 130_001, 'dear'],
  ['permit2', 130_001, 'passes'],
  ['permit2', 180_001, 'dear'],
] as const)('a transfer by %s that a node estimates at %i of gas %s', async ([method, gas, prospect]) => {
  const signed = { signature: SIGNATURE, permit: null };
  expect(await SIMULATE[method](nodeOf(gas), transfer(method), signed, address('d'))).toBe(prospect);
});
