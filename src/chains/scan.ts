import type { BlockRef } from '../ports/chain.ts';

/** A scanned block; the hash tells it from others at its height. */
export type Known = { readonly height: number; readonly hash: string };

/** The chain's blocks at the heights that were asked for; undefined: there is none at that height. */
export type Fetched = ReadonlyMap<number, BlockRef | undefined>;

export type Decision =
  /** These follow the cursor, each upon the one before: scan them. */
  | { readonly kind: 'extend'; readonly blocks: readonly BlockRef[] }
  /** The scanned blocks above `ancestor` are no longer part of the chain. */
  | { readonly kind: 'reorg'; readonly ancestor: BlockRef }
  /** Too little is known to decide: fetch the blocks at these heights and ask again. */
  | { readonly kind: 'look'; readonly heights: readonly number[] }
  /**
   * Nothing to do now: the head is the cursor, or the chain is merely shorter than it was and no block contradicts
   * ours.
   */
  | { readonly kind: 'wait' }
  /** No block that was scanned stands in this chain. */
  | { readonly kind: 'foreign' };

const LOOK_BACK_MAX = 64;

/**
 * Decides the next step on a chain whose newest block is `head`. `known` holds the scanned blocks, newest first, gaps
 * allowed; the first is the cursor. Extends by at most `chunk` blocks at once.
 *
 * A missing block alone is never a reorg: a provider that lags, or a node that lost its last blocks, says nothing about
 * them. Only another block at a scanned height reverses anything. See decision chains/shorter-chain-reverses-nothing.
 */
export function decide(known: readonly Known[], head: BlockRef, fetched: Fetched, chunk: number): Decision {
  const cursor = known[0];
  if (cursor === undefined) throw new RangeError('there is no cursor to decide about');
  const at = (height: number) => (height === head.height ? head : fetched.get(height));
  const asked = (height: number) => height === head.height || fetched.has(height);
  if (head.height <= cursor.height) return walkBack(known, head, at, asked);

  const first = cursor.height + 1;
  if (!asked(first)) return { kind: 'look', heights: range(first, Math.min(head.height, cursor.height + chunk)) };
  const next = at(first);
  if (next === undefined) return { kind: 'wait' }; // The chain became shorter between two requests.
  if (next.parentHash !== cursor.hash) return walkBack(known, head, at, asked);
  return { kind: 'extend', blocks: linked(next, at, chunk) };
}

/** `next` and the blocks linked to it without a break; a reorg between two requests shows as a break. */
function linked(next: BlockRef, at: (height: number) => BlockRef | undefined, chunk: number): BlockRef[] {
  const blocks = [next];
  for (let last = next; blocks.length < chunk; blocks.push(last)) {
    const following = at(last.height + 1);
    if (following?.parentHash !== last.hash) break;
    last = following;
  }
  return blocks;
}

function walkBack(
  known: readonly Known[],
  head: BlockRef,
  at: (height: number) => BlockRef | undefined,
  asked: (height: number) => boolean,
): Decision {
  const comparable = known.filter(({ height }) => height <= head.height);
  for (const [depth, block] of comparable.entries()) {
    if (!asked(block.height)) {
      const step = Math.min(depth + 1, LOOK_BACK_MAX); // 1, 2, 4, …: most reorgs are one block deep.
      return { kind: 'look', heights: comparable.slice(depth, depth + step).map(({ height }) => height) };
    }
    const there = at(block.height);
    if (there?.hash === block.hash) return depth === 0 ? { kind: 'wait' } : { kind: 'reorg', ancestor: there };
  }
  return { kind: 'foreign' };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
