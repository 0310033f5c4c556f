import { expect, test } from 'vitest';
import { explainGrowth } from '../../src/chains/evm/coin-explanation.ts';
import { createQuestions } from '../../src/chains/evm/coin-questions.ts';
import type { RpcRequest } from '../../src/chains/json-rpc.ts';
import { leastOfFive } from '../support/least.ts';
import { cpuOf } from '../support/turns.ts';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const addressOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;

/** A block in which a contract pays each of so many addresses one unit, as `trace_block` tells, and others as often. */
function paying(count: number): { readonly request: RpcRequest; readonly grown: { address: string; units: bigint }[] } {
  const traces = times(2 * count, (i) => ({
    type: 'call',
    action: { callType: 'call', from: addressOf(1), to: addressOf(i + 2), value: '0x1' },
    ...{ blockHash: '0xb', transactionHash: '0xt', traceAddress: [i] },
  }));
  const request = (async (method: string) => (method === 'trace_block' ? traces : { transactions: [] })) as RpcRequest;
  return { request, grown: times(count, (i) => ({ address: addressOf(i + 2), units: 1n })) };
}

test('thousands of addresses that one block pays are soon explained', { timeout: 60_000 }, async () => {
  const { request, grown } = paying(16_000);
  const block = { network: 'devnet', height: 1, hash: '0xb', time: new Date(0) };
  const explain = () =>
    explainGrowth({ endpoint: {} as never, request, questions: createQuestions(128) }, block, grown);
  expect((await explain()).map(({ address, units, place }) => [address, units, place])).toEqual(
    grown.map(({ address, units }, i) => [address, units, i]),
  );
  // Each of them was sought in all moves: 16,000 took three seconds.
  expect(await leastOfFive(1_000, () => cpuOf(explain))).toBeLessThan(1_000);
});
