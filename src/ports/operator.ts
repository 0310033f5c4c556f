/**
 * What a transaction may cost, in the chain's smallest coin for each unit of work; on EVM chains wei for each unit of
 * gas (EIP-1559).
 */
export type Fees = { readonly maxFee: bigint; readonly maxPriorityFee: bigint };

/** A call of a contract: whom, with what, and the most work it may take. Address and bytes are hex. */
export type ContractCall = { readonly to: string; readonly data: string; readonly gas: bigint };

/** A call that one of our accounts signs. */
export type OperatorCall = ContractCall & {
  readonly chainId: number;
  readonly nonce: number;
  readonly fees: Fees;
};

/** Everything that a node needs, and the hash by which the transaction is found there. */
export type Signed = { readonly raw: Buffer; readonly hash: string };

/** An account whose key this process has. The key itself cannot be read from it. */
export type OperatorAccount = {
  /** Canonically spelled. */
  readonly address: string;
  /** Signs a call; asks no network. */
  readonly sign: (call: OperatorCall) => Promise<Signed>;
  /** Signs the very same call with other fees, so that at most one of the two can ever be mined. */
  readonly resign: (raw: Buffer, fees: Fees) => Promise<Signed>;
};

/** What the newest block and the node's pool make a transaction cost, per unit of work. */
export type Market = {
  /** Burned by the next block. */
  readonly baseFee: bigint;
  /** What the node thinks has to be added for a transaction to be mined soon. */
  readonly tip: bigint;
};

/**
 * How many of an account's transactions are in blocks, and how many with those that the node's pool would mine next.
 */
export type Counts = { readonly mined: number; readonly pending: number; readonly head: number };

export type Place = { readonly height: number; readonly hash: string };
/** What a block says of a transaction. */
export type Receipt = {
  readonly block: Place;
  readonly succeeded: boolean;
  /** What it cost the account, in the chain's smallest coin. */
  readonly fee: bigint;
};

/** A node's answer to signed bytes. */
export type Taking =
  /** It has them now, or had them before. */
  | { readonly kind: 'taken' }
  /** Another transaction of the account with this nonce is in a block, or this one itself. */
  | { readonly kind: 'nonce_taken' }
  /** It wants higher fees. */
  | { readonly kind: 'underpriced' }
  | { readonly kind: 'no_funds' }
  /** It refuses them, for a reason that time may cure or not. */
  | { readonly kind: 'refused'; readonly message: string };

/**
 * What is asked of a network's node for one of our accounts. Every call rejects with an Error that names no secret when
 * the node is away.
 */
export type OperatorNode = {
  /** The most that a unit of work may cost on this network; above it transactions wait. */
  readonly priceLimit: bigint;
  readonly readMarket: () => Promise<Market>;
  readonly readCounts: (address: string) => Promise<Counts>;
  /** As many transactions of the account, with those in the pool, as two endpoints count, where there are several. */
  readonly countSeconded: (address: string) => Promise<number>;
  /** How many transactions of the account were mined up to a block; undefined when the node no longer knows. */
  readonly countMinedAt: (address: string, height: number) => Promise<number | undefined>;
  /** In the order of the hashes; null for a transaction that is in no block. */
  readonly findReceipts: (hashes: readonly string[]) => Promise<(Receipt | null)[]>;
  /** The hash of the block that stands at this height; undefined when there is none. */
  readonly findBlockHash: (height: number) => Promise<string | undefined>;
  readonly readBalance: (address: string) => Promise<bigint>;
  readonly take: (raw: Buffer, hash: string) => Promise<Taking>;
};
