import { BaseError, http, LimitExceededRpcError, RpcError, RpcRequestError, UnknownRpcError } from 'viem';
import type { BlockRef } from '../../ports/chain.ts';
import type { ChainReader } from '../../ports/chain-kind.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import type { EvmNetwork } from './network.ts';
import { decodeSightings, type LogFilter, sightingFilter } from './sightings.ts';
import type { RawLog } from './transfers.ts';

const TIMEOUT_MS = 10_000;
/** Fifty busy blocks may take more than the 10 MB that viem allows by default. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
/** Nodes' words for a block hash that they do not know. */
const UNKNOWN_BLOCK = /unknown block|block not found|header not found|resource not found|could not be found/i;

/** One call of a method. Rejects with an Error whose message names the network and no secret. */
export type RpcRequest = <T>(method: string, params: readonly unknown[]) => Promise<T>;
/** The node answered with a refusal; a retry alone changes nothing. */
export class NodeRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NodeRefusal';
  }
}

/** A block as eth_getBlockByNumber returns it. */
export type RawBlock = {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
};

/**
 * Reads an EVM network by JSON-RPC. Calls made together travel in batches of at most `network.batchMax`. Never asks for
 * whole blocks, receipts, filters or subscriptions; never retries by itself: the watcher's next look is the retry.
 */
export function createEvmReader(network: EvmNetwork): ChainReader {
  const request = createRequest(network);
  const findBlock = async (at: string): Promise<BlockRef | undefined> =>
    toBlock(network, await request<RawBlock | null>('eth_getBlockByNumber', [at, false]));
  const filter = sightingFilter(network);
  return {
    identify: async () => {
      const [chainId, genesis] = await Promise.all([request<string>('eth_chainId', []), findBlock('0x0')]);
      if (genesis === undefined) throw new Error(`${network.name}: the node knows no block 0`);
      return { chainId: Number(chainId), genesisHash: genesis.hash };
    },
    getHead: async () => {
      const head = await findBlock('latest');
      if (head === undefined) throw new Error(`${network.name}: the node knows no newest block`);
      return head;
    },
    findFinalized: () => findBlock('finalized'),
    findBlocks: (heights) => Promise.all(heights.map((height) => findBlock(`0x${height.toString(16)}`))),
    listSightings: async (blocks) => {
      if (filter.address.length === 0) return { transfers: [], collector: [], approvals: [] };
      const found = await Promise.all(blocks.map((block) => listLogs(request, network, block, filter)));
      return decodeSightings(network, blocks, found);
    },
  };
}

async function listLogs(
  request: RpcRequest,
  network: EvmNetwork,
  block: BlockRef,
  filter: LogFilter,
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

/**
 * Calls to the node of a network. Those made together travel in batches of at most `network.batchMax`; each fails after
 * `timeoutMs` and is never retried.
 */
export function createRequest(network: EvmNetwork, timeoutMs = TIMEOUT_MS): RpcRequest {
  const transport = http(network.rpcUrl, {
    batch: network.batchMax > 1 ? { batchSize: network.batchMax } : false,
    maxResponseBodySize: RESPONSE_BYTES_MAX,
  })({ retryCount: 0, timeout: timeoutMs });
  const send = transport.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  return async <T>(method: string, params: readonly unknown[]) => {
    try {
      const result = await send({ method, params });
      if (result === undefined) throw new Error('an answer without a result');
      return result as T;
    } catch (error) {
      const message = `${network.name}: ${method} failed: ${describeFailure(error, network)}`;
      throw isRefusal(error) ? new NodeRefusal(message) : new Error(message);
    }
  };
}

function isRefusal(error: unknown): boolean {
  if (error instanceof UnknownRpcError || error instanceof LimitExceededRpcError) return false;
  return error instanceof RpcError || error instanceof RpcRequestError;
}

/** Why a call failed, for logs: viem's own messages quote the URL, and with it the provider's key. */
export function describeFailure(error: unknown, network: EvmNetwork): string {
  if (error instanceof UnknownRpcError && network.batchMax > 1) {
    return 'the node did not answer a batch with a batch; set batchMax of this network to 1';
  }
  if (error instanceof BaseError) {
    return `${error.shortMessage} ${error.details}`.replaceAll(network.rpcUrl, '(the RPC URL)');
  }
  return 'the node did not answer as JSON-RPC does';
}
