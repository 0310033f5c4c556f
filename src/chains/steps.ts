import { inTransaction } from '../db/transaction.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { BlockRef, Network, Transfer } from '../ports/chain.ts';
import {
  deleteBlocksAbove,
  insertBlocks,
  isKept,
  moveCursor,
  notifyCredits,
  type Progress,
  pruneBlocks,
} from './cursors.ts';
import type { Hold, WatcherDeps } from './hold.ts';
import type { Known } from './scan.ts';

/** What one look at the chain has shown, and the business time before it. */
export type Sight = { readonly head: BlockRef; readonly finalized: BlockRef | undefined; readonly now: Date };

/** Another worker moved the cursor first; whatever this one did in its transaction is taken back. */
export class LostCursorError extends Error {}

/** One statement of a matcher carries at most so many transfers. */
const SLICE_MAX = 2_000;
const PRUNE_EVERY = 100;
const HEARTBEAT_MS = 1_500;
/** A live chain makes a block every few seconds: a node whose newest is older than this has lost touch. */
const STALE_MS = 120_000;
/** anvil's and hardhat's: blocks come only when somebody transacts, so silence says nothing. */
const ON_DEMAND_CHAIN_ID = 31_337;
/** On such a chain, when its head is scanned, everything up to this long ago is. */
const REST_MS = 5_000;

/**
 * Stores what `transfers` of `blocks` the matchers want and moves the cursor to the last block, in one transaction.
 * Throws LostCursorError when another worker was faster.
 */
export async function extend(
  deps: WatcherDeps,
  hold: Hold,
  blocks: readonly BlockRef[],
  transfers: readonly Transfer[],
  sight: Sight,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const prune = Math.floor(last.height / PRUNE_EVERY) > Math.floor(hold.cursor.height / PRUNE_EVERY);
  await commit(deps, hold, last, sight, async (trx) => {
    await insertBlocks(trx, blocks);
    if (prune) await pruneBlocks(trx, last.network, last.height);
    return (await observe(trx, deps, transfers)) > 0;
  });
  const known = [...blocks.toReversed(), ...hold.known];
  hold.known = prune ? known.filter(({ height }) => isKept(height, last.height)) : known;
}

/** Sets the cursor back to `ancestor` and tells the matchers, in one transaction. */
export async function takeBack(deps: WatcherDeps, hold: Hold, ancestor: BlockRef, sight: Sight): Promise<void> {
  const dropped = hold.cursor.height - ancestor.height;
  await commit(deps, hold, ancestor, sight, async (trx) => {
    await deleteBlocksAbove(trx, ancestor.network, ancestor.height);
    for (const matcher of deps.matchers) await matcher.orphan(trx, ancestor.network, ancestor.height, deps.now());
    return true;
  });
  hold.known = hold.known.filter(({ height }) => height <= ancestor.height);
  deps.log(undefined, `${ancestor.network}: a reorg dropped ${dropped} blocks above ${ancestor.height}`);
}

/**
 * Notes, every second or two, that the chain was looked at and has nothing new. False when what the node shows is too old
 * to say so.
 */
export async function rest(deps: WatcherDeps, hold: Hold, sight: Sight): Promise<boolean> {
  const { cursor } = hold;
  if (!isOnDemand(deps.network) && sight.now.getTime() - sight.head.time.getTime() > STALE_MS) return false;
  const confirmed = progressAt(deps.network, hold, cursorBlock(hold), sight).confirmedHeight;
  if (confirmed === cursor.confirmedHeight && monotonicMs() - hold.renewedAtMs < HEARTBEAT_MS) return true;
  await commit(deps, hold, cursorBlock(hold), sight, async () => false);
  return true;
}

/** Takes hold of the cursor first, so that a slower worker waits there and then finds that it has moved. */
async function commit(
  deps: WatcherDeps,
  hold: Hold,
  to: Known & { readonly time: Date },
  sight: Sight,
  work: (trx: Trx) => Promise<boolean>,
): Promise<void> {
  const progress = progressAt(deps.network, hold, to, sight);
  const deeper = progress.confirmedHeight !== hold.cursor.confirmedHeight;
  await inTransaction(deps.db, async (trx) => {
    if (!(await moveCursor(trx, deps.worker, hold.cursor, to, progress))) throw new LostCursorError();
    if ((await work(trx)) || deeper) await notifyCredits(trx);
  });
  hold.cursor = { ...hold.cursor, height: to.height, hash: to.hash, blockTime: to.time, ...progress };
  hold.renewedAtMs = monotonicMs();
}

async function observe(trx: Trx, deps: WatcherDeps, transfers: readonly Transfer[]): Promise<number> {
  const now = deps.now();
  let stored = 0;
  for (let from = 0; from < transfers.length; from += SLICE_MAX) {
    const slice = transfers.slice(from, from + SLICE_MAX);
    for (const matcher of deps.matchers) stored += await matcher.observe(trx, slice, now);
  }
  return stored;
}

/** What is true of the network once the cursor stands at `at`. */
function progressAt(network: Network, hold: Hold, at: Known & { readonly time: Date }, sight: Sight): Progress {
  const { head, finalized, now } = sight;
  const deep =
    network.confirmations === 'finalized' ? finalHeight(hold, finalized) : head.height - network.confirmations + 1;
  const rested = isOnDemand(network) && at.hash === head.hash ? now.getTime() - REST_MS : 0;
  return {
    confirmedHeight: Math.max(0, Math.min(deep, at.height)),
    headHeight: head.height,
    scannedAt: new Date(Math.max(at.time.getTime(), rested)),
  };
}

/** A final block that contradicts what was scanned finalises nothing of it; the reorg is about to be found. */
function finalHeight(hold: Hold, finalized: BlockRef | undefined): number {
  if (finalized === undefined) return 0;
  const scanned = hold.known.find(({ height }) => height === finalized.height);
  return scanned === undefined || scanned.hash === finalized.hash ? finalized.height : hold.cursor.confirmedHeight;
}

const isOnDemand = (network: Network): boolean => network.chainId === ON_DEMAND_CHAIN_ID;

const cursorBlock = ({ cursor }: Hold) => ({ height: cursor.height, hash: cursor.hash, time: cursor.blockTime });
