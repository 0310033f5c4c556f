import { BaseError } from 'viem';
import { inParallel } from '../../lib/in-parallel.ts';
import type { BlockRef } from '../../ports/chain.ts';
import type { ChainReader, ChainView } from '../../ports/chain-kind.ts';
import { type Endpoint, endpointsOf } from '../endpoints.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { openViews } from '../views.ts';
import { asForwarded, coinSweepFilter, factoryFilter, listForwarded, unknownFilter } from './coin-sweeps.ts';
import { createCoinReader } from './coins.ts';
import { createLogReader, type LogReader, UNKNOWN_BLOCK } from './logs.ts';
import type { EvmNetwork } from './network.ts';
import { decodeSightings, glimpseOf, type LogFilter, sightingFilters } from './sightings.ts';
import type { RawLog } from './transfers.ts';

/** A block as eth_getBlockByNumber returns it. */
export type RawBlock = {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly logsBloom?: string;
};

/**
 * Reads an EVM network by JSON-RPC, one endpoint at a time. Calls made together travel in batches of at most
 * `network.batchMax`. Never asks for whole blocks, receipts, filters or subscriptions; never retries by itself: the
 * watcher's next look is the retry, and may ask another endpoint.
 */
export function createEvmReader(network: EvmNetwork): ChainReader {
  const { pick, reader } = openViews(endpointsOf(network), (endpoint) => createView(network, endpoint));
  return {
    identify: () => pick().identify(),
    getHead: () => pick().getHead(),
    findFinalized: () => pick().findFinalized(),
    findBlocks: (heights) => pick().findBlocks(heights),
    listSightings: (blocks) => pick().listSightings(blocks),
    glimpse: (from, to) => pick().glimpse(from, to),
    readCoins: (addresses, block) => pick().readCoins(addresses, block),
    locateCoins: (grown, since, at) => pick().locateCoins(grown, since, at),
    ...reader,
  };
}

type EvmView = ChainView & Required<Pick<ChainView, 'glimpse' | 'readCoins' | 'locateCoins'>>;

function createView(network: EvmNetwork, endpoint: Endpoint): EvmView {
  const request = endpoint.open();
  const logs = createLogReader(network, endpoint, request);
  const findBlock = async (at: string): Promise<BlockRef | undefined> => {
    const raw = await request<RawBlock | null>('eth_getBlockByNumber', [at, false]);
    const block = toBlock(network, raw);
    if (block !== undefined) logs.remember(block, raw?.logsBloom);
    return block;
  };
  const findBlocks = (heights: readonly number[]) =>
    Promise.all(heights.map((height) => findBlock(`0x${height.toString(16)}`)));
  return {
    name: endpoint.name,
    restsMs: endpoint.restsMs,
    trouble: endpoint.trouble,
    isWell: endpoint.isWell,
    blame: endpoint.blame,
    acquit: endpoint.acquit,
    identify: () => identify(network, request),
    getHead: async () => {
      const head = await findBlock('latest');
      if (head === undefined) throw new Error(`${network.name}: the node knows no newest block`);
      return head;
    },
    findFinalized: () =>
      findBlock('finalized').catch((error: unknown) => {
        // Some nodes refuse the tag while they have no such block.
        if (error instanceof Error && UNKNOWN_BLOCK.test(error.message)) return undefined;
        throw error;
      }),
    findBlocks,
    ...createCoinReader(network, endpoint, request, findBlocks),
    ...createSightingReader(network, endpoint, logs),
  };
}

/** What the logs of blocks tell, as one endpoint lists them. */
function createSightingReader(
  network: EvmNetwork,
  endpoint: Endpoint,
  logs: LogReader,
): Pick<EvmView, 'listSightings' | 'glimpse'> {
  const filters = sightingFilters(network);
  return {
    listSightings: async (blocks) => {
      const isAlone = blocks.length === 1;
      const listOf = (block: BlockRef) => (filter: LogFilter) =>
        filter.address
          ? logs.list(block, filter)
          : listForwarded(network, (of) => logs.list(block, of), { asked: endpoint, block: block.hash, isAlone });
      // Where one fails, another question tells why, before what is asked next can spoil its answer.
      const found = await inParallel(blocks.map((block) => inParallel(filters.map(listOf(block)))));
      return decodeSightings(
        network,
        blocks,
        found.map((each) => each.flat()),
      );
    },
    glimpse: async (from, to) => {
      const found = await Promise.all(
        filters.map((filter) =>
          filter.address ? logs.listRange(from, to, filter) : glimpseForwarded(network, logs, from, to),
        ),
      );
      const refused = found.filter((each) => typeof each === 'string');
      if (refused.length > 0) return refused.includes('too_many') ? 'too_many' : 'unclear';
      return glimpseOf(network, found.flat() as readonly RawLog[]);
    },
  };
}

/** As `listForwardedRange`: a node that refuses even a topic without logs lists none without an address. */
async function glimpseForwarded(
  network: EvmNetwork,
  logs: LogReader,
  from: number,
  to: BlockRef,
): ReturnType<LogReader['listRange']> {
  const found = await logs.listRange(from, to, coinSweepFilter(network));
  if (found !== 'too_many') return found;
  if ((await logs.listRange(to.height, to, unknownFilter())) !== 'too_many') return found;
  const swept = await logs.listRange(from, to, factoryFilter(network));
  return typeof swept === 'string' ? swept : asForwarded(network, swept);
}

async function identify(network: EvmNetwork, request: RpcRequest) {
  const [chainId, genesis] = await Promise.all([
    request<string>('eth_chainId', []),
    request<RawBlock | null>('eth_getBlockByNumber', ['0x0', false]),
  ]);
  if (genesis === null) throw new Error(`${network.name}: the node knows no block 0`);
  return { chainId: Number(chainId), genesisHash: genesis.hash };
}

/** A block as the rest of the service knows it; undefined for null, which nodes return for a height without a block. */
export function toBlock(network: EvmNetwork, block: RawBlock | null): BlockRef | undefined {
  if (block === null) return undefined;
  return {
    network: network.name,
    height: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    time: new Date(Number(block.timestamp) * 1000),
  };
}

/** Why a call failed, for logs: viem's own messages quote the URL, and with it the provider's key. */
export function describeFailure(error: unknown, network: EvmNetwork): string {
  if (!(error instanceof BaseError)) return 'the node did not answer as JSON-RPC does';
  const urls = [network.rpcUrl, ...(network.otherRpcUrls ?? [])];
  return urls.reduce((text, url) => text.replaceAll(url, '(the RPC URL)'), `${error.shortMessage} ${error.details}`);
}
