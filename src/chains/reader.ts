import type { BlockRef, Sightings } from '../ports/chain.ts';

/** What the watcher asks of a chain, whatever its kind. Every call fails with an Error whose message names no secret. */
export type ChainReader = {
  /** What tells this chain from every other: its number and the hash of block 0. */
  readonly identify: () => Promise<{ readonly chainId: number; readonly genesisHash: string }>;
  /** The newest block. */
  readonly getHead: () => Promise<BlockRef>;
  /** The newest block that the chain itself calls final; undefined while there is none. */
  readonly findFinalized: () => Promise<BlockRef | undefined>;
  /** The blocks that stand at these heights now, in the same order; undefined above the head. */
  readonly findBlocks: (heights: readonly number[]) => Promise<(BlockRef | undefined)[]>;
  /**
   * What matchers may care for in exactly these blocks, asked by hash, in the order of the chain. Throws UnknownBlockError when one of
   * the blocks is no longer there.
   */
  readonly listSightings: (blocks: readonly BlockRef[]) => Promise<Sightings>;
};

/** A block that was there a moment ago is not: the chain was reorganised, or another node answered. Look again. */
export class UnknownBlockError extends Error {
  constructor(network: string, cause?: unknown) {
    super(`${network}: a block that was just there is unknown now`, { cause });
    this.name = 'UnknownBlockError';
  }
}
