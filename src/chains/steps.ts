import { inTransaction } from '../db/transaction.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { BlockRef, Confirmations, Network, Sightings } from '../ports/chain.ts';
import { deleteBlocksAbove, insertBlocks, isKept, moveCursor, type Progress, pruneBlocks } from './cursors.ts';
import type { Hold, WatcherDeps } from './lease.ts';
import type { Known } from './scan.ts';

/** What one look at the chain has shown, and the business time before it. */
export type Sight = {
  readonly head: BlockRef;
  readonly finalized: BlockRef | undefined;
  readonly now: Date;
  /** How deep a block must lie to be counted on, at present. */
  readonly confirmations: Confirmations;
};

/** Where the cursor goes, and which blocks are then known to be scanned, newest first. */
type Step = { readonly to: Known & { readonly time: Date }; readonly known: readonly Known[]; readonly sight: Sight };

/** Another worker moved the cursor first; whatever this one did in its transaction is taken back. */
export class LostCursorError extends Error {}

/** One statement of a matcher carries at most so many sightings of a kind. */
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
 * Stores what the matchers want of the `sightings` in `blocks` and moves the cursor to the last block, in one transaction.
 * Throws LostCursorError when another worker was faster.
 */
export async function extend(
  deps: WatcherDeps,
  hold: Hold,
  blocks: readonly BlockRef[],
  sightings: Sightings,
  sight: Sight,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const prune = Math.floor(last.height / PRUNE_EVERY) > Math.floor(hold.cursor.height / PRUNE_EVERY);
  const known = [...blocks.toReversed(), ...hold.known];
  const step = { to: last, known, sight };
  await commit(deps, hold, step, async (trx) => {
    await insertBlocks(trx, blocks);
    if (prune) await pruneBlocks(trx, last.network, last.height);
    await observe(trx, deps, sightings);
  });
  hold.known = prune ? known.filter(({ height }) => isKept(height, last.height)) : known;
}

/** Sets the cursor back to `ancestor` and tells the matchers, in one transaction. */
export async function takeBack(deps: WatcherDeps, hold: Hold, ancestor: BlockRef, sight: Sight): Promise<void> {
  const dropped = hold.cursor.height - ancestor.height;
  const known = hold.known.filter(({ height }) => height <= ancestor.height);
  await commit(deps, hold, { to: ancestor, known, sight }, async (trx) => {
    await deleteBlocksAbove(trx, ancestor.network, ancestor.height);
    for (const matcher of deps.matchers) await matcher.orphan(trx, ancestor.network, ancestor.height, deps.now());
  });
  hold.known = known;
  deps.log(undefined, `${ancestor.network}: a reorg dropped ${dropped} blocks above ${ancestor.height}`);
}

/**
 * Notes, every second or two, that the chain was looked at and has nothing new. False when what the node shows is too old
 * to say so.
 */
export async function rest(deps: WatcherDeps, hold: Hold, sight: Sight): Promise<boolean> {
  const { cursor } = hold;
  if (!isOnDemand(deps.network) && sight.now.getTime() - sight.head.time.getTime() > STALE_MS) return false;
  const step = { to: cursorBlock(hold), known: hold.known, sight };
  const confirmed = progressAt(deps.network, hold, step).confirmedHeight;
  if (confirmed === cursor.confirmedHeight && monotonicMs() - hold.renewedAtMs < HEARTBEAT_MS) return true;
  await commit(deps, hold, step, async () => undefined);
  return true;
}

/** Takes hold of the cursor first, so that a slower worker waits there and then finds that it has moved. */
async function commit(deps: WatcherDeps, hold: Hold, step: Step, work: (trx: Trx) => Promise<void>): Promise<void> {
  const { to } = step;
  const progress = progressAt(deps.network, hold, step);
  const deeper = progress.confirmedHeight !== hold.cursor.confirmedHeight;
  await inTransaction(deps.db, async (trx) => {
    if (!(await moveCursor(trx, deps.worker, hold.cursor, to, progress))) throw new LostCursorError();
    await work(trx);
    if (deeper) trx.wake('kasi_credits'); // What is stored may count now.
  });
  hold.cursor = { ...hold.cursor, height: to.height, hash: to.hash, blockTime: to.time, ...progress };
  hold.renewedAtMs = monotonicMs();
}

async function observe(trx: Trx, deps: WatcherDeps, sightings: Sightings): Promise<void> {
  const now = deps.now();
  const { transfers, collector, approvals } = sightings;
  const longest = Math.max(transfers.length, collector.length, approvals.length);
  for (let from = 0; from < longest; from += SLICE_MAX) {
    const to = from + SLICE_MAX;
    const slice = {
      transfers: transfers.slice(from, to),
      collector: collector.slice(from, to),
      approvals: approvals.slice(from, to),
    };
    for (const matcher of deps.matchers) await matcher.observe(trx, deps.network, slice, now);
  }
}

/**
 * What is true of the network once the step is taken. Depth is counted in blocks that were scanned, each upon the one before: a head that
 * was only heard of may belong to another fork by now, or to another node.
 */
function progressAt(network: Network, hold: Hold, { to, known, sight }: Step): Progress {
  const { head, finalized, now, confirmations } = sight;
  const deep =
    confirmations === 'finalized'
      ? finalHeight(hold, to.height, known, finalized)
      : Math.min(head.height, to.height) - confirmations + 1;
  const rested = isOnDemand(network) && to.hash === head.hash ? now.getTime() - REST_MS : 0;
  return {
    confirmedHeight: Math.max(0, Math.min(deep, to.height)),
    headHeight: head.height,
    scannedAt: new Date(Math.max(to.time.getTime(), rested)),
  };
}

/**
 * A final block finalises what was scanned below it only when it was scanned itself: until the scan has come so far, and when what was
 * scanned contradicts it because a reorg is about to be found, nothing more is final than before.
 */
function finalHeight(hold: Hold, scannedTo: number, known: readonly Known[], finalized: BlockRef | undefined): number {
  if (finalized === undefined) return 0;
  const scanned = known.find(({ height }) => height === finalized.height);
  // Of blocks far below the cursor not every hash is kept.
  const agrees = scanned === undefined ? finalized.height < scannedTo : scanned.hash === finalized.hash;
  return agrees ? finalized.height : hold.cursor.confirmedHeight;
}

const isOnDemand = (network: Network): boolean => network.chainId === ON_DEMAND_CHAIN_ID;

const cursorBlock = ({ cursor }: Hold) => ({ height: cursor.height, hash: cursor.hash, time: cursor.blockTime });
