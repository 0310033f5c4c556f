import { inTransaction } from '../db/transaction.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { assetsOf } from '../ports/assets.ts';
import type { BlockRef, Confirmations, Network, Sightings, Unlisted } from '../ports/chain.ts';
import { type Beyond, isNews, NOTHING_BEYOND } from './beyond-blocks.ts';
import { deleteBlocksAbove, insertBlocks, isKept, moveCursor, type Progress, pruneBlocks } from './cursors.ts';
import type { Lease, WatcherDeps } from './lease.ts';
import { doubtConfirmed } from './operator/transitions.ts';
import type { Known } from './scan.ts';
import { slicesOf } from './slices.ts';

/** What one look at the chain showed, and the business time just before it. */
export type Sight = {
  readonly head: BlockRef;
  readonly finalized: BlockRef | undefined;
  readonly now: Date;
  /** How deep a block must lie at present to be confirmed. */
  readonly confirmations: Confirmations;
  /** So many blocks below the head the scan stays, because nothing waits; null: it follows the head. */
  readonly idleDepth: number | null;
  /** What blocks do not tell; absent: it was not asked. */
  readonly beyond?: Beyond;
  /** The height of a scanned block that was seen to stand after `finalized` was read, if that was asked. */
  readonly stands?: number;
};

/** Where the cursor goes, and the scanned blocks that are known then, newest first. */
type Step = {
  readonly to: Known & { readonly time: Date };
  readonly known: readonly Known[];
  readonly sight: Sight;
  /** Whether the same transaction makes sure that nothing else is offered than what was read. */
  readonly isWhole?: boolean;
};

/** Another worker moved the cursor first, so this one's transaction is rolled back. */
export class LostCursorError extends Error {}

/** The blocks were read without tokens or collectors that payers may use; the scan has to go on with them. */
export class ListChangedError extends Error {
  readonly unlisted: Unlisted;

  constructor({ name }: Network, unlisted: Unlisted) {
    const { collectors, formerTokens } = unlisted;
    const what = [
      ...[...assetsOf(unlisted), ...formerTokens].map(({ symbol, contract }) => `${symbol} ${contract}`),
      ...collectors.map((each) => `the collector ${each}`),
    ];
    super(`${name}: ${what.join(', ')} was not watched`);
    this.unlisted = unlisted;
  }
}

/** The same network, watched for what its list lacks, too. */
export const withUnlisted = (network: Network, { tokens, native, collectors, formerTokens }: Unlisted): Network => ({
  ...network,
  ...(native && { native }),
  tokens: [...network.tokens, ...tokens],
  formerCollectors: [...(network.formerCollectors ?? []), ...collectors],
  formerTokens: [...(network.formerTokens ?? []), ...formerTokens],
});

const PRUNE_EVERY = 100;
const HEARTBEAT_MS = 1_500;
/** Most live chains make a block every few seconds; a node whose newest is older than this has lost touch. */
const STALE_MS = 120_000;
/** Once the head of such a chain is scanned, everything up to this long ago is. */
const REST_MS = 5_000;

/**
 * Hands the `sightings` of `blocks` to the matchers and moves the cursor to the last block, in one transaction. Throws
 * LostCursorError when another worker was faster, and ListChangedError when the blocks were read without a token that
 * is offered by now.
 */
export async function extend(
  deps: WatcherDeps,
  lease: Lease,
  blocks: readonly BlockRef[],
  sightings: Sightings,
  sight: Sight,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const prune = Math.floor(last.height / PRUNE_EVERY) > Math.floor(lease.cursor.height / PRUNE_EVERY);
  const known = [...blocks.toReversed(), ...lease.known];
  const step = { to: last, known, sight, isWhole: true };
  await commit(deps, lease, step, async (trx) => {
    await requireWholeList(trx, deps);
    await insertBlocks(trx, blocks);
    if (prune) await pruneBlocks(trx, last.network, last.height);
    await observe(trx, deps, sightings);
    await observeBeyond(trx, deps, sight);
  });
  lease.known = prune ? known.filter(({ height }) => isKept(height, last.height)) : known;
}

/**
 * Asked in the transaction that moves the cursor: a token that is listed later is offered later, so its first payment
 * lies in no block that was read by then. The same goes for collectors and tokens of mandates: nobody signs a mandate
 * that is not stored. See decisions chains/watched-while-offered and subscriptions/former-collectors-are-watched.
 */
async function requireWholeList(trx: Trx, { network, listUnlisted }: WatcherDeps): Promise<void> {
  const missing = await listUnlisted?.(trx, network);
  if (missing === undefined) return;
  const { collectors, formerTokens } = missing;
  const count = assetsOf(missing).length + collectors.length + formerTokens.length;
  if (count > 0) throw new ListChangedError(network, missing);
}

/** Moves the cursor back to `ancestor` and has the matchers reverse what lies above it, in one transaction. */
export async function reverse(deps: WatcherDeps, lease: Lease, ancestor: BlockRef, sight: Sight): Promise<void> {
  const dropped = lease.cursor.height - ancestor.height;
  const known = lease.known.filter(({ height }) => height <= ancestor.height);
  await commit(deps, lease, { to: ancestor, known, sight }, async (trx) => {
    // First, as `transition` locks them before what listeners lock.
    await doubtConfirmed(trx, ancestor.network, ancestor.height);
    await deleteBlocksAbove(trx, ancestor.network, ancestor.height);
    for (const matcher of deps.matchers) await matcher.orphan(trx, ancestor.network, ancestor.height, deps.now());
  });
  lease.known = known;
  deps.log(undefined, `${ancestor.network}: a reorg dropped ${dropped} blocks above ${ancestor.height}`);
}

/**
 * Stores that the chain was looked at and has nothing new: every second or two, or at once. False when the node's
 * newest block is too old to prove that.
 */
export async function rest(deps: WatcherDeps, lease: Lease, sight: Sight, atOnce = false): Promise<boolean> {
  const { cursor } = lease;
  if (isStale(deps.network, sight.head, sight.now)) return false;
  const step = { to: cursorBlock(lease), known: lease.known, sight };
  const confirmed = progressAt(deps.network, lease, step).confirmedHeight;
  const isRecent = !atOnce && monotonicMs() - lease.renewedAtMs < HEARTBEAT_MS;
  const isQuiet = sight.beyond === undefined || !isNews(sight.beyond);
  if (confirmed === cursor.confirmedHeight && isRecent && isQuiet) return true;
  await commit(deps, lease, step, (trx) => observeBeyond(trx, deps, sight));
  return true;
}

/** Moves the cursor first, so that a slower worker waits for its row and then finds that it has moved. */
async function commit(deps: WatcherDeps, lease: Lease, step: Step, work: (trx: Trx) => Promise<void>): Promise<void> {
  const { to } = step;
  const progress = progressAt(deps.network, lease, step);
  const deeper = progress.confirmedHeight !== lease.cursor.confirmedHeight;
  await inTransaction(deps.db, async (trx) => {
    if (!(await moveCursor(trx, deps.worker, lease.cursor, to, progress))) throw new LostCursorError();
    await work(trx);
    if (deeper) trx.wake('kasi_credits'); // Stored credits may be confirmed now.
  });
  lease.cursor = { ...lease.cursor, height: to.height, hash: to.hash, blockTime: to.time, ...progress };
  lease.renewedAtMs = monotonicMs();
}

async function observe(trx: Trx, deps: WatcherDeps, sightings: Sightings): Promise<void> {
  const now = deps.now();
  for (const slice of slicesOf(sightings)) {
    for (const matcher of deps.matchers) await matcher.observe(trx, deps.network, slice, now);
  }
}

async function observeBeyond(trx: Trx, deps: WatcherDeps, { beyond = NOTHING_BEYOND }: Sight): Promise<void> {
  const { coins, pool } = beyond;
  const now = deps.now();
  for (const matcher of deps.matchers) {
    if (coins) await matcher.coins?.observe(trx, deps.network, coins, now);
    if (pool) await matcher.observePool?.(trx, deps.network, pool, now);
  }
}

/**
 * The network's progress once the step is taken. Depth counts scanned blocks, each linked to the one before: a head
 * that was only announced may belong to another fork by now, or to another node.
 */
function progressAt(network: Network, lease: Lease, { to, known, sight, isWhole = false }: Step): Progress {
  const { head, now, confirmations, idleDepth } = sight;
  const deep =
    confirmations === 'finalized'
      ? finalHeight(lease, to.height, known, sight)
      : Math.min(head.height, to.height) - confirmations + 1;
  const rested = isOnDemand(network) && to.hash === head.hash ? now.getTime() - REST_MS : 0;
  const scannedAt = new Date(Math.max(to.time.getTime(), rested));
  return {
    confirmedHeight: Math.max(0, Math.min(deep, to.height)),
    headHeight: head.height,
    headTime: head.time,
    idleDepth,
    scannedAt,
    readTo: to.height < lease.cursor.height ? undefined : readToOf(network, sight, isWhole, scannedAt),
  };
}

/**
 * Undefined: no further than before, because not all was asked that can bring money. A list without the coin proves
 * nothing about it where another process may offer it.
 */
function readToOf({ native }: Network, { beyond }: Sight, isWhole: boolean, scannedAt: Date): Date | null | undefined {
  if (native === undefined) return isWhole ? null : undefined;
  if (beyond === undefined || beyond.pool?.isPartial === true) return undefined;
  return beyond.readTo ?? scannedAt;
}

/**
 * A final block finalises the scanned blocks below it only if it was scanned itself, or if one of them was seen to
 * stand once it was final: an idle scan may stay below every final block. Until then, or while a scanned block
 * contradicts it because a reorg is about to be found, nothing more is final than before.
 */
function finalHeight(
  { cursor }: Lease,
  scannedTo: number,
  known: readonly Known[],
  { finalized, stands }: Pick<Sight, 'finalized' | 'stands'>,
): number {
  if (finalized === undefined) return 0;
  const scanned = known.find(({ height }) => height === finalized.height);
  // Far below the cursor not every hash is kept.
  if (scanned === undefined ? finalized.height < scannedTo : scanned.hash === finalized.hash) return finalized.height;
  const isBelow = scanned === undefined && stands !== undefined;
  return isBelow ? Math.max(cursor.confirmedHeight, stands) : cursor.confirmedHeight;
}

/** Whether a node's newest block is so old that the node has lost touch with its chain. */
export const isStale = (network: Network, head: BlockRef, now: Date): boolean =>
  !isOnDemand(network) && now.getTime() - head.time.getTime() > (network.staleMs ?? STALE_MS);

/** Whether the chain makes blocks only for transactions, so that silence says nothing. */
export const isOnDemand = ({ onDemand = false }: Network): boolean => onDemand;

/** The newest scanned block. */
export const cursorBlock = ({ cursor: { network, height, hash, blockTime } }: Lease) => ({
  ...{ network, height, hash },
  time: blockTime,
});
