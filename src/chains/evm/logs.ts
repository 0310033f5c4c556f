import type { BlockRef } from '../../ports/chain.ts';
import type { Endpoint } from '../endpoints.ts';
import { EndpointError, NodeRefusal, type RpcRequest } from '../json-rpc.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { accountsFor, type Bloom, mayHave, parseBloom, tellsSomething } from './bloom.ts';
import type { EvmNetwork } from './network.ts';
import type { LogFilter } from './sightings.ts';
import type { RawLog } from './transfers.ts';

/** Nodes' words for a block that they do not know. */
export const UNKNOWN_BLOCK = /unknown block|block not found|header not found|resource not found|could not be found/i;

/** Reads the logs of blocks and believes no list that the block's own header contradicts. */
export type LogReader = {
  /** Keeps the filter of a header that was just read. */
  readonly remember: (block: BlockRef, logsBloom: string | undefined) => void;
  /**
   * The logs of a block that pass the filter. Throws UnknownBlockError when the block is no longer there, and
   * EndpointError when the list lacks logs that the header says are there.
   */
  readonly list: (block: BlockRef, filter: LogFilter) => Promise<readonly RawLog[]>;
  /** The logs from block `from` up to block `to` that pass the filter. See `ChainReader.glimpse`. */
  readonly listRange: (
    from: number,
    to: BlockRef,
    filter: LogFilter,
  ) => Promise<readonly RawLog[] | 'too_many' | 'unclear'>;
};

/**
 * The log reader of one endpoint. Behind a load balancer the block may come from one node and its logs from another,
 * which has not indexed the block yet and answers with an empty list. See decision chains/evm/bloom-before-belief.
 */
export function createLogReader(network: EvmNetwork, endpoint: Endpoint, request: RpcRequest): LogReader {
  const blooms = new WeakMap<BlockRef, Bloom>();
  const ask = (block: BlockRef, filter: Partial<LogFilter>) => askForLogs(network, request, block, filter);
  const list: LogReader['list'] = async (block, filter) => {
    const bloom = blooms.get(block);
    // Most blocks have no such log, and their headers say so.
    if (filter.address === undefined && bloom !== undefined && isRuledOut(bloom, filter)) return [];
    const logs = await ask(block, filter);
    if (bloom === undefined || !isSuspicious(logs, bloom, filter)) return logs;
    const whole = await ask(block, {});
    if (await isWhole(whole, bloom)) return whole.filter((log) => passes(log, filter));
    const message = `${endpoint.name} lists logs of block ${block.height} (${block.hash}) that do not account for its header: it has not indexed the block yet, or leaves logs out`;
    endpoint.blame('contradicts', message);
    throw new EndpointError('contradicts', `${network.name}: ${message}`);
  };
  return {
    list,
    remember: (block, logsBloom) => {
      const bloom = parseBloom(logsBloom);
      if (bloom !== undefined) blooms.set(block, bloom);
    },
    listRange: async (from, to, filter) => {
      const logs = await askForRange(request, from, to.height, filter);
      if (typeof logs === 'string' || logs.some(({ blockNumber }) => !isBetween(blockNumber, from, to))) {
        return logs === 'too_many' ? logs : 'unclear';
      }
      // A node that is late with its index is late with the last block first.
      const last = logs.filter(({ blockNumber }) => Number(blockNumber) === to.height);
      if (last.some(({ blockHash, removed }) => blockHash !== to.hash || removed === true)) return 'unclear';
      const bloom = blooms.get(to);
      const isDoubtful = bloom !== undefined && isSuspicious(last, bloom, filter);
      return isDoubtful && (await list(to, filter)).length !== last.length ? 'unclear' : logs;
    },
  };
}

type PlacedLog = RawLog & { readonly blockNumber: string };

/** `too_many`: the node refuses the question. Providers allow so many blocks at once, or so many logs. */
async function askForRange(
  request: RpcRequest,
  from: number,
  to: number,
  filter: LogFilter,
): Promise<readonly PlacedLog[] | 'too_many' | 'unclear'> {
  const [fromBlock, toBlock] = [from, to].map((height) => `0x${height.toString(16)}`);
  try {
    return (
      (await request<readonly PlacedLog[] | null>('eth_getLogs', [{ fromBlock, toBlock, ...filter }])) ?? 'unclear'
    );
  } catch (error) {
    if (error instanceof NodeRefusal) return 'too_many';
    throw error;
  }
}

const isBetween = (blockNumber: string, from: number, to: BlockRef): boolean =>
  Number(blockNumber) >= from && Number(blockNumber) <= to.height;

/** The node's list of the logs of a block. Throws UnknownBlockError when the block is no longer there. */
export async function askForLogs(
  network: EvmNetwork,
  request: RpcRequest,
  block: Pick<BlockRef, 'hash'>,
  filter: { readonly address?: readonly string[]; readonly topics?: readonly (readonly string[] | null)[] },
): Promise<readonly RawLog[]> {
  try {
    const logs = await request<readonly RawLog[] | null>('eth_getLogs', [{ blockHash: block.hash, ...filter }]);
    if (logs === null) throw new UnknownBlockError(network.name);
    return logs;
  } catch (error) {
    if (error instanceof Error && UNKNOWN_BLOCK.test(error.message)) throw new UnknownBlockError(network.name, error);
    throw error;
  }
}

/**
 * Whether the header allows for a log of a contract that none is listed of. Where the filters of headers are all but
 * full they allow for everything; then only an empty list is suspicious.
 */
function isSuspicious(logs: readonly RawLog[], bloom: Bloom, { address, topics }: LogFilter): boolean {
  // Where no contract is named, most lists are empty.
  if ((logs.length > 0 || address === undefined) && !tellsSomething(bloom)) return false;
  if (!(topics[0] ?? []).some((topic) => mayHave(bloom, topic))) return false;
  if (address === undefined) return logs.length === 0;
  const listed = new Set(logs.map((log) => log.address.toLowerCase()));
  return address.some((contract) => !listed.has(contract) && mayHave(bloom, contract));
}

/** Whether the header, which says something, says that no such log is there. Some chains leave it empty. */
const isRuledOut = (bloom: Bloom, { topics }: LogFilter): boolean =>
  bloom.some((byte) => byte !== 0) && !(topics[0] ?? []).some((topic) => mayHave(bloom, topic));

/** Whether these are all logs of the block, as far as its header tells. */
export const isWhole = async (logs: readonly RawLog[], bloom: Bloom): Promise<boolean> =>
  (logs.length > 0 || tellsSomething(bloom)) && (await accountsFor(logs, bloom));

/** What the node would have let pass. */
function passes({ address, topics }: RawLog, filter: LogFilter): boolean {
  if (filter.address && !filter.address.includes(address.toLowerCase())) return false;
  return filter.topics.every((allowed, at) => allowed.includes(topics[at] ?? ''));
}
