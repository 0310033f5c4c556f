import { expect, test } from 'vitest';
import { openBlockCalls } from '../../src/chains/bitcoin/node-blocks.ts';
import type { Calls } from '../../src/chains/bitcoin/node-calls.ts';
import { NodeRefusal } from '../../src/chains/json-rpc.ts';
import { UnknownBlockError } from '../../src/chains/unknown-block.ts';

/** The first block of regtest. */
const HASH = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const HEADER = `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000`;

/** A node that says these heights of its head, and has the first block only. */
function openCalls(heads: number[]): Calls {
  const request = async (method: string, [asked]: readonly unknown[]) => {
    if (method === 'getblockcount') return heads.shift() ?? expect.fail('it was asked too often');
    if (method === 'getblockheader') return HEADER;
    if (asked === 0) return HASH;
    throw new NodeRefusal('Block height out of range', -8);
  };
  return {
    request,
    network: { name: 'regtest', chain: 'regtest' },
    accuse: (what: string) => expect.fail(what),
    read: (_what: string, hex: string, parse: (raw: Buffer) => unknown) => parse(Buffer.from(hex, 'hex')),
  } as never;
}

test('a node that drops its newest block between two questions is asked again', async () => {
  expect(await openBlockCalls(openCalls([1, 0])).getHead()).toMatchObject({ height: 0, hash: HASH });
});

test('a node that goes on saying so is left for a moment', async () => {
  await expect(openBlockCalls(openCalls([3, 2, 1])).getHead()).rejects.toThrow(UnknownBlockError);
});
