/**
 * The places of logs begin here: a release before stored others, for which it counted the transfers that were listed.
 * No transaction has as many logs or outputs.
 */
export const LOG_PLACES = 2 ** 30;

/** The place of what a transaction moves of the coin of a chain with accounts. No receipt shows what contracts send. */
export const COIN_PLACE = -2;

/** A transfer that counts, by its place in the transaction, which neither a reorg nor another list changes. */
export type PlacedTransfer = {
  readonly index: number;
  readonly units: bigint;
  /** The places that a release before can have given it, whatever was listed then; absent: it gave it `index`. */
  readonly former?: { readonly from: number; readonly to: number };
};

/** What a transaction moved of a token to the destination of a payout, in base units. */
export type PayoutMoney = {
  readonly transfers: readonly PlacedTransfer[];
  /** What it left there. */
  readonly kept: bigint;
  /** What the payout needs. */
  readonly due: bigint;
};
