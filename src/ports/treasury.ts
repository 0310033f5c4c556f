import type { Asset } from './chain.ts';
import type { ContractCall, Place } from './operator.ts';

/**
 * A transfer of a listed token into a treasury or out of it, or of the coin from a deposit address into one. All
 * addresses are canonically spelled.
 */
export type TreasuryTransfer = {
  readonly block: Place;
  /** The log's place in its block. */
  readonly place: number;
  readonly txHash: string;
  readonly contract: string;
  readonly treasury: string;
  /** The other side. */
  readonly party: string;
  readonly outgoing: boolean;
  readonly units: bigint;
};

/**
 * What a network is asked to compare the ledger with the chain: what its treasuries received and sent, and what
 * addresses hold. Every call rejects with an Error that names no secret when the node does not answer as it should.
 */
export type TreasuryReader = {
  /** The treasuries into which deposits and charges go, the current one first, canonically spelled. */
  readonly treasuries: readonly string[];
  /** Other contracts of ours that should hold nothing, such as the collector. */
  readonly passages: readonly string[];
  /** What `listTransfers` reads for, as text: another list finds other transfers in the same blocks. */
  readonly watched: string;
  /**
   * The transfers of listed tokens into and out of treasuries in these blocks, both ends included, in their order.
   * Where the coin is listed, what was swept of it too: all else that moves it leaves no trace.
   */
  readonly listTransfers: (from: number, to: number) => Promise<TreasuryTransfer[]>;
  /**
   * What else left these addresses in listed tokens in these blocks, both ends included; `treasury` is who got it. A
   * token with a fee sends that to its issuer.
   */
  readonly listElsewhere: (addresses: readonly string[], from: number, to: number) => Promise<TreasuryTransfer[]>;
  /** The heights of these blocks, both ends included, in which listed tokens came to an address: each once, rising. */
  readonly findArrivals: (address: string, from: number, to: number) => Promise<number[]>;
  /**
   * What the addresses hold of a token in the state after a block, in their order. Throws UnknownBlockError when the
   * node no longer has that state.
   */
  readonly readBalances: (contract: string, addresses: readonly string[], block: Place) => Promise<bigint[]>;
  readonly limits: SweepLimits;
  /** Stands for the chain's own coin where the contract of a token is expected. */
  readonly coin: string;
  /** The call that sweeps these deposits, and what it would cost now. Throws when it would be reverted as a whole. */
  readonly prepareSweep: (from: string, batch: SweepBatch) => Promise<SweepCall>;
};

/** Deposits of one factory and asset. */
export type SweepBatch = {
  readonly factory: string;
  readonly contract: string;
  readonly paymentIds: readonly string[];
};

/** `work` is what the call would take in the state after the newest block, in the chain's unit: on EVM chains gas. */
export type SweepCall = ContractCall & { readonly work: bigint };

/** When sweeping pays. Amounts of the chain's coin are in its smallest unit. */
export type SweepLimits = {
  /** A deposit address is swept once it holds this much, in micro-dollars. */
  readonly minimumMicro: bigint;
  /** The most that a unit of work may cost. */
  readonly priceMax: bigint;
  /** The most coin that sweeping one deposit address may cost. */
  readonly feeMax: bigint;
  /** The most work that moving one deposit may take. */
  readonly workMax: (symbol: Asset['symbol']) => bigint;
  /** What a transaction takes beside its deposits, at most. */
  readonly workOfBatch: bigint;
  readonly batchMax: number;
};
