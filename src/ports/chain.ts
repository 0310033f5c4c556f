import type { Trx } from '../lib/db-types.ts';

/** A token contract that a network lists; nothing else is ever counted. */
export type Token = {
  readonly symbol: 'USDT' | 'USDC';
  /** Lower-case hex address. */
  readonly contract: string;
  readonly decimals: number;
};

/** How deep a block must lie to be counted on (1 = it is the head), or the tag `finalized`. */
export type Confirmations = number | 'finalized';

/** An EVM network that we watch. Other kinds of chain become further members of this union. */
export type Network = {
  readonly kind: 'evm';
  /** Our name: `devnet`, `ethereum`, `bsc`, … */
  readonly name: string;
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly tokens: readonly Token[];
  /** Unless the settings of the platform say otherwise. */
  readonly confirmations: Confirmations;
  readonly pollMs: number;
  /** Calls a JSON-RPC batch may hold; 1 turns batches off. */
  readonly batchMax: number;
  readonly factory: string;
  readonly treasury: string;
};

export type BlockRef = {
  readonly network: string;
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
};

/** A Transfer of an allow-listed token in a canonical block. */
export type Transfer = {
  readonly network: string;
  readonly block: BlockRef;
  readonly txHash: string;
  /** Place among the allow-listed transfers of its transaction: the same wherever the transaction is included again. */
  readonly index: number;
  readonly token: Token;
  /** Lower-case hex. */
  readonly from: string;
  /** Lower-case hex. */
  readonly to: string;
  readonly units: bigint;
};

/**
 * Takes what the watcher sees, inside the transaction that moves the cursor; it only stores, its own job goes on from there.
 * Both calls may be repeated for the same block.
 */
export type Matcher = {
  /** Stores those of the transfers that are ours; returns how many. `now` is business time. */
  readonly observe: (trx: Trx, transfers: readonly Transfer[], now: Date) => Promise<number>;
  /** The blocks above `height` of `network` are no longer part of the chain. */
  readonly orphan: (trx: Trx, network: string, height: number, now: Date) => Promise<void>;
};
