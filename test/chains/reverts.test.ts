import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseAbi } from 'viem';
import { readContract } from 'viem/actions';
import { expect, test } from 'vitest';
import { isReverted, openNetworkReader } from '../../src/chains/evm/client.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';

const QUESTION = {
  address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
  functionName: 'balanceOf',
  args: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
} as const;
const DATA = `0x08c379a0${'00'.repeat(31)}20${'00'.repeat(32)}`;

/** Whether a node that answers a call with this error tells of a revert. */
async function tellsRevert(error: { code: number; message: string; data?: unknown }): Promise<boolean> {
  const server = createServer((_, answer) => void answer.end(JSON.stringify({ jsonrpc: '2.0', id: 0, error })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reader = openNetworkReader({ name: 'devnet', rpcUrl } as EvmNetwork);
    return await readContract(reader, QUESTION).then(() => false, isReverted);
  } finally {
    server.close();
  }
}

test.concurrent.for([
  ['geth', { code: 3, message: 'execution reverted', data: DATA }],
  ['geth, without a reason', { code: -32_000, message: 'execution reverted' }],
  ['geth, out of gas', { code: -32_000, message: 'out of gas' }],
  ['with the data alone', { code: -32_000, message: 'call failed', data: DATA }],
  ['Nethermind', { code: -32_015, message: 'VM execution error.', data: `Reverted ${DATA}` }],
  ['with the data inside', { code: -32_603, message: 'Internal error', data: { data: DATA } }],
  ['Hardhat', { code: -32_603, message: 'VM Exception while processing transaction: reverted' }],
] as const)('a revert is one, whichever code a node has for it: %s', async ([, error], context) => {
  context.expect(await tellsRevert(error)).toBe(true);
});

test.concurrent.for([
  { code: -32_000, message: 'header not found' },
  { code: -32_603, message: 'Internal error' },
  { code: -32_601, message: 'the method does not exist' },
])('trouble of the node is no revert: $message', async (error, context) => {
  context.expect(await tellsRevert(error)).toBe(false);
});

test('nor is silence', async () => {
  const reader = openNetworkReader({ name: 'devnet', rpcUrl: 'http://127.0.0.1:1' } as EvmNetwork);
  expect(await readContract(reader, QUESTION).then(() => false, isReverted)).toBe(false);
});
