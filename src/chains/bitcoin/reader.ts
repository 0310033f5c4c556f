import type { BlockRef, Sightings, Transfer } from '../../ports/chain.ts';
import type { ChainReader, ChainView } from '../../ports/chain-kind.ts';
import { type Endpoint, endpointsOf } from '../endpoints.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { openViews } from '../views.ts';
import { canonicalOf } from './addresses.ts';
import { listenTo } from './listen.ts';
import type { BitcoinNetwork } from './network.ts';
import { type Node, openNode } from './node.ts';
import { createPoolReader, type PoolReader, transfersOf } from './pool.ts';
import type { Transaction } from './transactions.ts';

/**
 * Reads a network of Bitcoin, one endpoint at a time. Blocks are read whole and proven by their headers; which of them
 * stands is asked by height and nothing else. Never retries by itself: the watcher's next look is the retry, and may
 * ask another endpoint.
 */
export function createBitcoinReader(network: BitcoinNetwork): ChainReader {
  const { pick, reader } = openViews(endpointsOf(network), (endpoint) => createView(network, endpoint));
  return {
    identify: () => pick().identify(),
    getHead: () => pick().getHead(),
    findFinalized: async () => undefined,
    findOldest: () => pick().findOldest(),
    findBlocks: (heights) => pick().findBlocks(heights),
    listSightings: (blocks) => pick().listSightings(blocks),
    readPool: (stored) => pick().readPool(stored),
    readUnspent: (outputs, block) => pick().readUnspent(outputs, block),
    ...reader,
    ...(network.zmq && { listen: listenTo(network.name, network.zmq) }),
  };
}

type View = ChainView & Required<Pick<ChainView, 'findOldest' | 'readPool' | 'readUnspent'>>;

function createView(network: BitcoinNetwork, endpoint: Endpoint): View {
  const node = openNode(network, endpoint);
  const pool = createPoolReader(network, node);
  const { name, restsMs, trouble, isWell, blame, acquit } = endpoint;
  return {
    ...{ name, restsMs, trouble, isWell, blame, acquit },
    identify: async () => ({ chainId: null, genesisHash: await node.getGenesis() }),
    getHead: node.getHead,
    findFinalized: async () => undefined,
    findOldest: async () => (await node.getInfo()).pruneheight ?? 0,
    findBlocks: (heights) => Promise.all(heights.map(node.findBlock)),
    listSightings: (blocks) => listSightings(network, node, pool, blocks),
    readPool: pool.read,
    readUnspent: async (outputs, { height, hash }) => {
      const found = await Promise.all(outputs.map(({ txHash, index }) => node.findUnspent(txHash, index)));
      if ((await node.findHash(height)) !== hash) throw new UnknownBlockError(network.name);
      return found.map(
        (each) => each && { units: each.units, to: canonicalOf(network.chain, each.script.toString('hex')) },
      );
    },
  };
}

/** One block after the other: together they would fill the memory. */
async function listSightings(
  network: BitcoinNetwork,
  node: Node,
  pool: PoolReader,
  blocks: readonly BlockRef[],
): Promise<Sightings> {
  const transfers: Transfer[] = [];
  const spends = new Map<string, Transaction['spends']>();
  for (const block of blocks) {
    const { transactions } = await node.readBlock(block);
    pool.noteMined(transactions);
    for (const transaction of transactions) {
      const before = transfers.length;
      for (const each of transfersOf(network, transaction, block)) transfers.push(each);
      if (transfers.length > before) spends.set(transaction.txHash, transaction.spends);
    }
  }
  return { transfers, collector: [], approvals: [], spends };
}
