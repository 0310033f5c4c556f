import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../lib/errors.ts';
import { createTurns } from '../lib/turns.ts';
import { createRpc, type Rpc, readHead, toHex } from './anvil.ts';

/** The sandbox's control over its chain. */
export type ChainControl = {
  readonly rpcUrl: string;
  /** Mines empty blocks, in batches of 100: the node answers no one during a call. */
  readonly mine: (blocks: number) => Promise<void>;
  /**
   * Sets the clock and mines a block at that time, so that contracts see it; never earlier than the head. Returns the
   * block's time.
   */
  readonly setTime: (now: Date) => Promise<Date>;
  /**
   * Replaces the newest `depth` blocks by as many others. Their transactions are mined again at the same heights, or
   * dropped; those that arrive meanwhile are mined afterwards. Throws CONFLICT, with the reason, when that reaches
   * further back than the node remembers.
   */
  readonly reorg: (depth: number, keepTransactions: boolean) => Promise<void>;
};

const MINE_MAX = 100;
const STILL_FOR_MS = 50;
const TRIES_MAX = 20;

/**
 * Controls an anvil that this process need not have started. `oldestChangeable` is the height, if known, below which it
 * can replace nothing: a node started from a snapshot knows nothing of earlier blocks.
 */
export function controlChain(rpcUrl: string, oldestChangeable = 0): ChainControl {
  const rpc = createRpc(rpcUrl);
  // One after the other: a block that is made while others are being replaced is in neither.
  const inTurn = createTurns();
  return {
    rpcUrl,
    mine: async (blocks) => {
      for (let left = blocks; left > 0; left -= MINE_MAX) {
        await inTurn(() => rpc('anvil_mine', [toHex(Math.min(left, MINE_MAX))]));
      }
    },
    setTime: (now) =>
      inTurn(async () => {
        await followClock(rpc, now);
        await rpc('evm_mine');
        return new Date((await readHead(rpc)).timestamp * 1000);
      }),
    reorg: (depth, keepTransactions) =>
      inTurn(() => withoutMining(rpc, () => reorg(rpc, oldestChangeable, depth, keepTransactions))),
  };
}

/** Sets a node's clock, never earlier than the head: the node would obey, and mine a block older than its parent. */
export async function followClock(rpc: Rpc, now: Date): Promise<void> {
  const { timestamp } = await readHead(rpc);
  await rpc('evm_setTime', [Math.max(Math.floor(now.getTime() / 1000), timestamp)]);
}

/**
 * Lets what arrives meanwhile wait in the node's pool: mined between the listing and the replacement, it would be in
 * neither. The dev chain mines again at its next start, should this process die in between.
 */
async function withoutMining(rpc: Rpc, work: () => Promise<void>): Promise<void> {
  if (!(await rpc<boolean>('anvil_getAutomine'))) return work();
  await rpc('evm_setAutomine', [false]);
  try {
    await untilStill(rpc);
    await work();
  } finally {
    await mineAgain(rpc);
  }
}

/**
 * Waits until no block has appeared for a moment: the node finishes what it was mining when it was told to stop. It
 * does not wait for ever, because another process may go on mining.
 */
async function untilStill(rpc: Rpc, tries = TRIES_MAX): Promise<void> {
  const { height } = await readHead(rpc);
  await sleep(STILL_FOR_MS);
  if ((await readHead(rpc)).height !== height && tries > 1) await untilStill(rpc, tries - 1);
}

/** Has the node mine whatever arrives, and what waits. */
export async function mineAgain(rpc: Rpc): Promise<void> {
  await rpc('evm_setAutomine', [true]);
  const { pending } = await rpc<{ pending: string }>('txpool_status');
  if (Number(pending) > 0) await rpc('evm_mine');
}

async function reorg(rpc: Rpc, oldestChangeable: number, depth: number, keepTransactions: boolean): Promise<void> {
  const head = await readHead(rpc);
  const deepest = head.height - oldestChangeable;
  if (depth > deepest) {
    throw new AppError(
      'CONFLICT',
      `depth: at most ${deepest}, the number of blocks mined since the dev chain was started.`,
    );
  }
  const kept = keepTransactions ? await listKept(rpc, depth) : [];
  try {
    await rpc('anvil_reorg', [depth, kept]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('anvil_reorg: ')) throw error;
    throw new AppError('CONFLICT', `depth: the node can not replace so many blocks (${error.message}).`, {
      cause: error,
    });
  }
}

/** Lists again while another process mines: what it makes between a listing and the replacement would be lost. */
async function listKept(rpc: Rpc, depth: number, tries = TRIES_MAX): Promise<[bytes: string, offset: number][]> {
  const { height } = await readHead(rpc);
  const kept = await listTransactions(rpc, height - depth + 1, height);
  return (await readHead(rpc)).height === height || tries === 1 ? kept : listKept(rpc, depth, tries - 1);
}

/** The bytes of each transaction with its block's index; a dropped transaction does not return to the pool. */
async function listTransactions(rpc: Rpc, from: number, to: number): Promise<[bytes: string, offset: number][]> {
  const found: [string, number][] = [];
  for (let height = from; height <= to; height += 1) {
    const { transactions } = await rpc<{ transactions: string[] }>('eth_getBlockByNumber', [toHex(height), false]);
    for (const hash of transactions) found.push([await rpc('eth_getRawTransactionByHash', [hash]), height - from]);
  }
  return found;
}
