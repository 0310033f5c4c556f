import type { BlockRef } from '../ports/chain.ts';

/** A block that was scanned, by what tells it from all others at its height. */
export type Known = { readonly height: number; readonly hash: string };

/** What the chain says about heights that were asked for; undefined: there is no block at that height. */
export type Fetched = ReadonlyMap<number, BlockRef | undefined>;

export type Decision =
  /** These follow the cursor, each upon the one before: scan them. */
  | { readonly kind: 'extend'; readonly blocks: readonly BlockRef[] }
  /** What was scanned above `ancestor` is no longer part of the chain. */
  | { readonly kind: 'reorg'; readonly ancestor: BlockRef }
  /** Too little is known to decide: fetch the blocks at these heights and ask again. */
  | { readonly kind: 'look'; readonly heights: readonly number[] }
  /** Nothing to do now: the head is the cursor, or the chain is merely shorter than it was and nothing contradicts us. */
  | { readonly kind: 'wait' }
  /** No block that was scanned stands in this chain. */
  | { readonly kind: 'foreign' };

const LOOK_BACK_MAX = 64;

/**
 * Decides what a chain whose newest block is `head` means for what was scanned. `known` holds the scanned blocks, newest
 * first, gaps allowed; the first is the cursor. At most `chunk` blocks are extended by at once.
 *
 * A missing block alone is never a reorg: a provider that lags, or a node that lost its last blocks, says nothing about
 * them. Only another block at a height that was scanned takes anything back.
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
  if (next === undefined) return { kind: 'wait' }; // The chain grew shorter between two questions.
  if (next.parentHash !== cursor.hash) return walkBack(known, head, at, asked);
  return { kind: 'extend', blocks: linked(next, at, chunk) };
}

/** `next` and what follows it without a break; a reorg between two questions shows as one. */
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
