import type { Place } from './operator.ts';

/** A transfer of a listed token into a treasury or out of it. All addresses are canonically spelled. */
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
  /** The transfers of listed tokens into and out of treasuries in these blocks, both ends included, in their order. */
  readonly listTransfers: (from: number, to: number) => Promise<TreasuryTransfer[]>;
  /**
   * What the addresses hold of a token in the state after a block, in their order. Throws UnknownBlockError when the
   * node no longer has that state.
   */
  readonly readBalances: (contract: string, addresses: readonly string[], block: Place) => Promise<bigint[]>;
};
