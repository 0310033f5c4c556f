import { parseAbiItem, toEventSelector } from 'viem';
import type { EvmNetwork } from '../../../src/chains/evm/network.ts';
import { createRpc, type Rpc } from '../../../src/sandbox/anvil.ts';

/** A collection, from the chain. */
export type Collected = {
  readonly mandate: string;
  readonly number: number;
  readonly units: bigint;
  readonly at: Date;
};

/** What the whole chain says, read without the service's reader. */
export type ChainFacts = {
  readonly collected: readonly Collected[];
  /** When each mandate was agreed to. */
  readonly authorized: ReadonlyMap<string, Date>;
  /** What the treasury has received in all, by token. */
  readonly received: ReadonlyMap<string, bigint>;
  /** The number of transactions that the account has sent. */
  readonly nonce: number;
};

type Log = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
};

const selector = (signature: string): string => toEventSelector(parseAbiItem(`event ${signature}`) as never);
const COLLECTED = selector(
  'Collected(bytes32 indexed id, uint32 indexed number, address indexed payer, uint256 amount)',
);
const AUTHORIZED = selector(
  'Authorized(bytes32 indexed id, address indexed payer, bytes32 indexed ref, (address, address, uint128, uint48, uint48, uint48, uint8, bytes32) mandate)',
);
const TRANSFER = selector('Transfer(address indexed from, address indexed to, uint256 value)');
const BLOCKS_AT_ONCE = 2_000;

/** Reads everything from the first block on. */
export async function readChain(network: EvmNetwork, operator: string): Promise<ChainFacts> {
  const rpc = createRpc(network.rpcUrl);
  const height = Number(await rpc<string>('eth_blockNumber'));
  const { collector, tokens, treasury } = network;
  const collectorLogs = await readLogs(rpc, height, { address: collector, topics: [[COLLECTED, AUTHORIZED]] });
  const toTreasury = [TRANSFER, null, `0x${(treasury ?? '').slice(2).padStart(64, '0')}`];
  const received = new Map<string, bigint>();
  for (const { symbol, contract } of tokens) {
    const logs = await readLogs(rpc, height, { address: contract, topics: toTreasury });
    received.set(
      symbol,
      logs.reduce((sum, { data }) => sum + BigInt(data), 0n),
    );
  }
  const times = await readTimes(rpc, [...new Set(collectorLogs.map(({ blockNumber }) => blockNumber))]);
  const at = ({ blockNumber }: Log): Date => times.get(blockNumber) as Date;
  const of = (topic: string): Log[] => collectorLogs.filter(({ topics }) => topics[0] === topic);
  return {
    collected: of(COLLECTED).map((log) => ({
      mandate: log.topics[1] as string,
      number: Number(log.topics[2]),
      units: BigInt(log.data),
      at: at(log),
    })),
    authorized: new Map(of(AUTHORIZED).map((log) => [log.topics[1] as string, at(log)])),
    received,
    nonce: Number(await rpc('eth_getTransactionCount', [operator, 'latest'])),
  };
}

/**
 * The first of the newest blocks that is missing or does not follow its predecessor, if any: a fault of the node
 * itself.
 */
export async function findBreak(
  rpcUrl: string,
  lookBack: number,
): Promise<{ readonly height: number; readonly head: number } | null> {
  const rpc = createRpc(rpcUrl);
  const head = Number(await rpc<string>('eth_blockNumber'));
  let parent: string | undefined;
  for (let height = Math.max(0, head - lookBack); height <= head; height += 1) {
    const block = await rpc<{ hash: string; parentHash: string } | null>('eth_getBlockByNumber', [hex(height), false]);
    if (!block || (parent !== undefined && block.parentHash !== parent)) return { height, head };
    parent = block.hash;
  }
  return null;
}

async function readLogs(rpc: Rpc, height: number, filter: object): Promise<Log[]> {
  const found: Log[] = [];
  for (let from = 0; from <= height; from += BLOCKS_AT_ONCE) {
    const range = { fromBlock: hex(from), toBlock: hex(Math.min(height, from + BLOCKS_AT_ONCE - 1)) };
    found.push(...(await rpc<Log[]>('eth_getLogs', [{ ...filter, ...range }])));
  }
  return found;
}

async function readTimes(rpc: Rpc, heights: readonly string[]): Promise<Map<string, Date>> {
  const times = new Map<string, Date>();
  for (let from = 0; from < heights.length; from += 100) {
    await Promise.all(
      heights.slice(from, from + 100).map(async (height) => {
        const { timestamp } = await rpc<{ timestamp: string }>('eth_getBlockByNumber', [height, false]);
        times.set(height, new Date(Number(timestamp) * 1000));
      }),
    );
  }
  return times;
}

const hex = (value: number): string => `0x${value.toString(16)}`;
