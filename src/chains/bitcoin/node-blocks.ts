import type { BlockPlace, BlockRef } from '../../ports/chain.ts';
import { NodeRefusal } from '../json-rpc.ts';
import { beginAgain, UnknownBlockError } from '../unknown-block.ts';
import { type Block, parseBlock } from './blocks.ts';
import { findWorkFault, type Header, parseHeader } from './headers.ts';
import { type Calls, HASH, orUndefined } from './node-calls.ts';

/** The calls that are about blocks. */
export type BlockCalls = {
  readonly getGenesis: () => Promise<string>;
  readonly getHead: () => Promise<BlockRef>;
  /** The hash of the block that stands at a height; undefined above the head. */
  readonly findHash: (height: number) => Promise<string | undefined>;
  /** The block that stands at a height; undefined above the head. */
  readonly findBlock: (height: number) => Promise<BlockRef | undefined>;
  /** Throws UnknownBlockError for a block that the node does not know, or that is not the one at its height. */
  readonly readBlock: (block: BlockPlace) => Promise<Block>;
};

/** Parents are asked for again and again. */
const HEADERS_KEPT = 64;
const OUT_OF_RANGE = -8;

/** Asks for blocks. Which of them stands is asked by height: nodes say that stale ones have confirmations, too. */
export function openBlockCalls(calls: Calls): BlockCalls {
  const { network, request, requestAlone, accuse, read } = calls;
  const findHash = async (height: number): Promise<string | undefined> => {
    try {
      const hash = String(await request<unknown>('getblockhash', [height]));
      return HASH.test(hash) ? hash : accuse(`has no hash for block ${height}`);
    } catch (error) {
      if (error instanceof NodeRefusal && error.code === OUT_OF_RANGE) return undefined;
      throw error;
    }
  };
  const readHeader = createHeaderReader(calls);
  const findBlock = async (height: number): Promise<BlockRef | undefined> => {
    const hash = await findHash(height);
    const header = hash === undefined ? undefined : await readHeader(hash);
    if (header === undefined) return undefined;
    const parent = height > 0 ? await readHeader(header.parentHash) : undefined;
    const fault = parent && findWorkFault(network.chain, height, header, parent);
    if (fault) accuse(`shows a block that nobody mined: ${fault}`);
    return { network: network.name, height, hash: header.hash, parentHash: header.parentHash, time: header.time };
  };
  return {
    ...{ findHash, findBlock },
    getGenesis: async () => (await findHash(0)) ?? accuse('has no block 0'),
    getHead: () =>
      beginAgain(async () => {
        const head = await findBlock(await request<number>('getblockcount', []));
        // The node went back behind it since, on its way to other blocks.
        if (head === undefined) throw new UnknownBlockError(network.name);
        return head;
      }),
    readBlock: async ({ height, hash }) => {
      try {
        const hex = await requestAlone<string>('getblock', [hash, false]);
        // Nodes keep blocks that are not part of their chain any more.
        if ((await findHash(height)) !== hash) throw new UnknownBlockError(network.name);
        return read(`block ${hash}`, hex, (raw) => parseBlock(raw, hash));
      } catch (error) {
        throw await explainMissing(calls, height, error);
      }
    },
  };
}

/** Reads headers by their hashes, the last of which it keeps; undefined for one that the node does not know. */
function createHeaderReader({ request, read }: Calls): (hash: string) => Promise<Header | undefined> {
  const kept = new Map<string, Header>();
  return async (hash) => {
    const known = kept.get(hash);
    if (known) return known;
    const hex = await request<string>('getblockheader', [hash, false]).catch(orUndefined);
    if (hex === undefined) return undefined;
    const header = read(`a header of ${hash}`, hex, (raw) => parseHeader(raw, hash));
    kept.set(hash, header);
    for (const oldest of kept.keys()) if (kept.size > HEADERS_KEPT) kept.delete(oldest);
    return header;
  };
}

/** Why a node refuses a block: it never heard of it, or has thrown it away. */
async function explainMissing({ network, endpoint, getInfo }: Calls, height: number, error: unknown): Promise<unknown> {
  if (!(error instanceof NodeRefusal)) return error;
  if (/not found/i.test(error.message)) return new UnknownBlockError(network.name, error);
  if (!/pruned|not available/i.test(error.message)) return error;
  const { pruneheight } = await getInfo();
  const back = typeof pruneheight === 'number' ? `goes back to block ${pruneheight}` : 'does not go back so far';
  return new Error(
    `${network.name}: ${endpoint.name} is pruned and has no block ${height} any more; it ${back}. Add an endpoint that has it to rpcUrls, or let this one download its blocks again`,
  );
}
