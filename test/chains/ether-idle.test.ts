import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '../../scripts/liars/proxy.ts';
import { findCursor } from '../../src/chains/cursors.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { IDLE_DEPTH } from '../../src/chains/glance.ts';
import { type EtherBehindLiar, openEtherBehindLiar } from './ether-fixture.ts';

/** A network that takes ETH and that nothing waits for. */
let stage: EtherBehindLiar;
beforeAll(async () => {
  stage = await openEtherBehindLiar();
});
afterAll(() => stage.close());

const asksForAll = ({ method, params }: Call): boolean =>
  method === 'eth_getLogs' && (params[0] as { address?: unknown }).address === undefined;

test('a block of which no node can list so many logs holds up no idle network', async () => {
  await stage.release();
  const network = stage.behindLiar();
  const watcher = stage.watch('two', createEvmReader(network), { network, isIdle: async () => true });
  const flooded = Number(await stage.node.rpc('eth_blockNumber')) + 5;
  await stage.mine(IDLE_DEPTH + 40);
  const head = Number(await stage.node.rpc('eth_blockNumber'));
  const { hash } = (await stage.node.rpc('eth_getBlockByNumber', [`0x${flooded.toString(16)}`, false])) as {
    hash: string;
  };
  const isOfIt = ({ params }: Call) => {
    const { blockHash, fromBlock, toBlock } = Object(params[0]);
    return blockHash === hash || (Number(fromBlock) <= flooded && flooded <= Number(toBlock));
  };
  stage.liar.fail((calls) =>
    calls.some((call) => asksForAll(call) && isOfIt(call)) ? { status: 200, body: 'x' } : undefined,
  );
  let last = '';
  for (let looks = 0; looks < 40; looks += 1) {
    last = await watcher.look().catch((error: Error) => error.message);
    if (last === 'idle') break;
  }
  expect((await findCursor(stage.world.db, network.name))?.height).toBe(head - IDLE_DEPTH);
  await watcher.release();
});
