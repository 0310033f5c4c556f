import { deriveDevKeys, type ParsedTransaction, parseTransaction } from '../chains/bitcoin/dev-wallet.ts';
import { MNEMONIC } from '../chains/evm/dev-accounts.ts';
import { NodeRefusal } from '../chains/json-rpc.ts';
import { HOUR_MS, SECOND_MS } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { createTurns } from '../lib/turns.ts';
import {
  type BitcoinHead,
  type BitcoinRpc,
  createBitcoinRpc,
  METHOD_NOT_FOUND,
  readBitcoinHead,
} from './bitcoin-rpc.ts';

/** The sandbox's control over its Bitcoin node. Also works with bitcoind, apart from what is said below. */
export type BitcoinControl = {
  /** With user and password. */
  readonly rpcUrl: string;
  readonly rpc: BitcoinRpc;
  readonly readHead: () => Promise<BitcoinHead>;
  /** Mines blocks, the first with all that waits in the pool. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Mines one block with these transactions (bytes in hex) and no others. */
  readonly mineOnly: (transactions: readonly string[]) => Promise<void>;
  /** Sets the node's clock; never back, and never before the head. No block is mined: this chain tells no time. */
  readonly setTime: (now: Date) => Promise<void>;
  /**
   * Replaces the newest `depth` blocks by one block more. Their transactions are mined again at the same heights, or
   * are gone; with bitcoind, which forgets none, they wait in the pool instead. What waits in the pool goes on waiting.
   * Throws CONFLICT when these blocks hold the coins that the sandbox pays with.
   */
  readonly reorg: (depth: number, keepTransactions: boolean) => Promise<void>;
  readonly listPool: () => Promise<PoolEntry[]>;
  /** Takes a transaction out of the pool, with those that spend its outputs. Throws CONFLICT with bitcoind. */
  readonly evict: (txid: string) => Promise<void>;
};

/** A transaction that waits, with its bytes in hex. */
export type PoolEntry = ParsedTransaction & { readonly hex: string };

/** The first blocks hold the coins that the sandbox pays with. */
const FUNDING_BLOCKS = 20;

const sinkOf = (): string => deriveDevKeys(MNEMONIC).sink.address;

/**
 * Controls a node that this process need not have started. `now` is what the node's clock follows; its own when absent.
 */
export function controlBitcoin(rpcUrl: string, now?: () => Date): BitcoinControl {
  const rpc = createBitcoinRpc(rpcUrl);
  const inTurn = createTurns();
  const sink = sinkOf();
  const mineOnly = async (transactions: readonly string[]): Promise<void> => {
    await rpc('generateblock', [sink, transactions]);
  };
  const keepTime = async (): Promise<void> => {
    // A bitcoind whose time was set once stands still.
    if (now !== undefined) await followClock(rpc, now());
  };
  return {
    rpcUrl,
    rpc,
    readHead: () => readBitcoinHead(rpc),
    mine: (blocks) =>
      inTurn(async () => {
        await keepTime();
        await rpc('generatetoaddress', [blocks, sink]);
      }),
    mineOnly: (transactions) =>
      inTurn(async () => {
        await keepTime();
        await mineOnly(transactions);
      }),
    setTime: (time) => inTurn(() => followClock(rpc, time)),
    reorg: (depth, keepTransactions) =>
      inTurn(async () => {
        await keepTime();
        await reorg(rpc, mineOnly, depth, keepTransactions);
      }),
    listPool: () => listPool(rpc),
    evict: (txid) => evict(rpc, txid),
  };
}

/** Sets a node's clock; never earlier than the head, whose time a later block may not precede. */
export async function followClock(rpc: BitcoinRpc, now: Date): Promise<void> {
  const { time } = await readBitcoinHead(rpc);
  await rpc('setmocktime', [Math.max(Math.floor(now.getTime() / SECOND_MS), time)]);
}

/**
 * Gives a node that has no blocks yet those that the sandbox pays from. An hour before `now`: blocks that are mined at
 * once lie seconds apart, and may not be ahead of what follows.
 */
export async function fund(rpc: BitcoinRpc, now: Date): Promise<void> {
  const { height } = await readBitcoinHead(rpc);
  if (height >= FUNDING_BLOCKS) return;
  if (height === 0) await followClock(rpc, new Date(now.getTime() - HOUR_MS));
  const { payer } = deriveDevKeys(MNEMONIC);
  await rpc('generatetoaddress', [FUNDING_BLOCKS - height, payer.address]);
}

type MineOnly = (transactions: readonly string[]) => Promise<void>;

async function reorg(rpc: BitcoinRpc, mineOnly: MineOnly, depth: number, keepTransactions: boolean): Promise<void> {
  const { height } = await readBitcoinHead(rpc);
  const deepest = Math.max(0, height - FUNDING_BLOCKS);
  if (depth > deepest) {
    throw new AppError(
      'CONFLICT',
      `depth: at most ${deepest}. The blocks below hold the coins that the sandbox pays with; mine some blocks first.`,
    );
  }
  const oldest = await rpc<string>('getblockhash', [height - depth + 1]);
  const replaced: string[][] = [];
  for (let at = height - depth + 1; at <= height; at += 1) replaced.push(await listTransactions(rpc, at));
  await rpc('invalidateblock', [oldest]);
  if (!keepTransactions) for (const hex of replaced.flat()) await forget(rpc, parseTransaction(hex).txid);
  for (const transactions of replaced) {
    // Refused where one of them spends what a replaced block brought: then they wait in the pool.
    if (keepTransactions) await mineOnly(transactions).catch(() => mineOnly([]));
    else await mineOnly([]);
  }
  await mineOnly([]);
}

/** The bytes of a block's transactions in hex, without the coinbase. */
async function listTransactions(rpc: BitcoinRpc, height: number): Promise<string[]> {
  const hash = await rpc<string>('getblockhash', [height]);
  // The second parameter means the same to both nodes; a block's own list of transactions does not.
  const { tx } = await rpc<{ tx: string[] }>('getblock', [hash, true]);
  return Promise.all(tx.slice(1).map((txid) => readTransaction(rpc, txid, hash)));
}

/** bcoin finds any transaction; bitcoind without an index needs to be told the block. */
function readTransaction(rpc: BitcoinRpc, txid: string, blockHash: string): Promise<string> {
  return rpc<string>('getrawtransaction', [txid]).catch(() =>
    rpc<string>('getrawtransaction', [txid, false, blockHash]),
  );
}

async function listPool(rpc: BitcoinRpc): Promise<PoolEntry[]> {
  const entries: PoolEntry[] = [];
  for (const txid of await rpc<string[]>('getrawmempool')) {
    // Mined or replaced since it was listed: then it waits no longer.
    const hex = await rpc<string>('getrawtransaction', [txid]).catch(ignoreRefusal);
    if (hex !== undefined) entries.push({ ...parseTransaction(hex), hex });
  }
  return entries;
}

async function evict(rpc: BitcoinRpc, txid: string): Promise<void> {
  try {
    await rpc('removetransaction', [txid]);
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    const message =
      error.code === METHOD_NOT_FOUND
        ? 'This node (BITCOIN_RPC_URL) forgets no transaction. Replace it instead.'
        : 'This transaction does not wait in the pool.';
    throw new AppError('CONFLICT', message, { cause: error });
  }
}

async function forget(rpc: BitcoinRpc, txid: string): Promise<void> {
  await rpc('removetransaction', [txid]).catch(ignoreRefusal);
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof NodeRefusal)) throw error;
}
