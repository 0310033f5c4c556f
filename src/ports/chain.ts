import type { Db, Trx } from '../lib/db-types.ts';

/** A token contract that a network lists; transfers of others are ignored. */
export type Token = {
  readonly symbol: 'USDT' | 'USDC';
  /** Canonically spelled address. */
  readonly contract: string;
  readonly decimals: number;
};

/** How deep a block must lie to be confirmed (1: it is the head), or the tag `finalized`. */
export type Confirmations = number | 'finalized';

/** A network that we watch, as its kind's `parseNetwork` makes it; a kind adds the fields that only it needs. */
export type Network = {
  /** Which `ChainKind` it is of. */
  readonly kind: string;
  /** Our name: `devnet`, `ethereum`, `bsc`, … */
  readonly name: string;
  /** The number that wallets know the chain by (EIP-155); null for kinds that have none. */
  readonly chainId: number | null;
  readonly tokens: readonly Token[];
  /** Unless the settings of the platform say otherwise. */
  readonly confirmations: Confirmations;
  readonly pollMs: number;
  /** From this worth on, in dollars, a transfer counts only when two endpoints show it; null or absent: none is. */
  readonly secondOpinionFrom?: number | null;
  /** The most calls that one request to the node may carry; 1 turns batches off. */
  readonly batchMax: number;
  /** The contract that collects recurring payments, canonically spelled; null: this network offers none. */
  readonly collector: string | null;
  /** The chain's own coin, in which gas is paid, as rates name it: `ETH`; absent where we don't know it. */
  readonly coin?: string;
  /** The greatest share of a charge that its gas may cost; above it the charge waits. */
  readonly maxGasShare?: number;
  /** Contracts that collected here before, as the database knows them: watched, and never charged by. */
  readonly formerCollectors?: readonly string[];
  /** Tokens that mandates name and no list does: read for what collectors took in them, and for nothing else. */
  readonly formerTokens?: readonly Token[];
};

/** What payers were asked to use on a network although the list of this process lacks it. */
export type Unlisted = {
  readonly tokens: readonly Token[];
  readonly collectors: readonly string[];
  /** Of mandates. */
  readonly formerTokens: readonly Token[];
};

export type BlockRef = {
  readonly network: string;
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
};

/** Which block it is. */
export type BlockPlace = Pick<BlockRef, 'height' | 'hash'>;

/** A Transfer of an allow-listed token in a canonical block. */
export type Transfer = {
  readonly network: string;
  readonly block: BlockRef;
  readonly txHash: string;
  /**
   * Place among the allow-listed transfers of its transaction: the same wherever the transaction is included again. See
   * decision chains/transfer-identity.
   */
  readonly index: number;
  readonly token: Token;
  /** Lower-case hex. */
  readonly from: string;
  /** Lower-case hex. */
  readonly to: string;
  readonly units: bigint;
};

/** An owner allowed the network's collector to take up to `units` of an allow-listed token; 0 withdraws that. */
export type Approval = {
  readonly network: string;
  readonly block: BlockRef;
  readonly txHash: string;
  readonly token: Token;
  /** Lower-case hex. */
  readonly owner: string;
  readonly units: bigint;
};

/**
 * An event of a network's collector in a canonical block, about any mandate. Addresses and hashes are lower-case hex.
 */
export type CollectorEvent = {
  readonly network: string;
  readonly collector: string;
  readonly block: BlockRef;
  readonly txHash: string;
  /** Place among the collector's events of its transaction: the same wherever the transaction is included again. */
  readonly place: number;
  /** The hash of the terms. It is independent of network and collector: another one may have the same terms. */
  readonly mandateId: string;
} & (
  | { readonly kind: 'authorized'; readonly payer: string; readonly ref: string }
  /** Any account may revoke any id for itself: the event means our mandate only if `payer` is the mandate's. */
  | { readonly kind: 'revoked'; readonly payer: string }
  | {
      readonly kind: 'collected';
      readonly payer: string;
      readonly number: number;
      /** The amount that left the payer. */
      readonly amountUnits: bigint;
      /**
       * The transfer that reached the treasury; null where no allow-listed token logged one. It is among the transfers,
       * too.
       */
      readonly transfer: Transfer | null;
    }
  /** `reason` is the contract's number for it. */
  | { readonly kind: 'collect_failed'; readonly number: number; readonly reason: number }
);

/** The contents of blocks that matchers may want, each list in the order of the chain. */
export type Sightings = {
  readonly transfers: readonly Transfer[];
  readonly collector: readonly CollectorEvent[];
  readonly approvals: readonly Approval[];
};

/** What reading blocks again brought: the transfers that are ours, and how many of them were missing. */
export type Found = { readonly transfers: number; readonly stored: number };

/**
 * Takes the watcher's sightings inside the transaction that moves the cursor. It only stores, and wakes its own
 * folder's job, which goes on from there. Both calls may be repeated for the same block.
 */
export type Matcher = {
  /** Stores those of the network's sightings that are ours. `now` is business time. */
  readonly observe: (
    trx: Trx,
    network: Pick<Network, 'kind' | 'name'>,
    sightings: Sightings,
    now: Date,
  ) => Promise<void>;
  /**
   * Takes the sightings of blocks that were scanned before, perhaps by another list of tokens, and stores what is
   * missing. The caller has locked the network's cursor. Absent: `observe` does just that.
   */
  readonly observeAgain?: (
    trx: Trx,
    network: Pick<Network, 'kind' | 'name'>,
    sightings: Sightings,
    now: Date,
  ) => Promise<Found>;
  /** The blocks above `height` of `network` are no longer part of the chain. */
  readonly orphan: (trx: Trx, network: string, height: number, now: Date) => Promise<void>;
  /** Whether blocks have to be read for what a glimpse shows of them; absent: always. Changes nothing. */
  readonly concerns?: (db: Db, network: Pick<Network, 'kind' | 'name'>, glimpse: Glimpse) => Promise<boolean>;
};

/** What a range of blocks holds, as far as it takes to know whether anyone needs to read them. */
export type Glimpse = {
  /** Who received a listed token, each once. Lower-case hex. */
  readonly recipients: readonly string[];
  /** Whether the network's collector logged anything, or was allowed anything. */
  readonly collector: boolean;
};

/**
 * Whether anything of a folder waits for what happens on a network, so that its blocks have to be read as they come.
 * Asked every second of a network that is idle, so it has to be cheap. `now` is business time.
 */
export type Waiting = (db: Db, network: Pick<Network, 'kind' | 'name'>, now: Date) => Promise<boolean>;

/** What is left of a transfer to look for in its block. Addresses are canonically spelled. */
export type Witnessed = Pick<Transfer, 'txHash' | 'to' | 'units'> & { readonly contract: string };

/** What the endpoints of a network say of transfers in a block. Endpoints are named by their hosts. */
export type Testimony = {
  /** They show this very block at its height, and all of the transfers in it. */
  readonly agree: readonly string[];
  /**
   * They show something else; `certain` where their own chain leaves no doubt, `otherBlock` where it has another block
   * at that height. `what` is the rest of a sentence.
   */
  readonly deny: readonly {
    readonly endpoint: string;
    readonly what: string;
    readonly certain: boolean;
    readonly otherBlock: boolean;
    /** Where it has the transaction all the same: in a block, final or not, or in its pool. */
    readonly has?: 'block' | 'pool';
  }[];
  /** They did not answer, or do not know the block yet. */
  readonly silent: readonly string[];
};

/** A payout that was verified once, and the block that it was found in; null where that was not noted. */
export type PaidOut = Pick<PayoutClaim, 'txHash' | 'token' | 'destination' | 'minMicro'> & {
  readonly block: BlockPlace | null;
};

/** What endpoints say of a payout. Those who agree show it in `block`, which may be another one than before. */
export type PayoutTestimony = Testimony & { readonly block: BlockPlace | null };

/** Asks every endpoint of a network whether transfers are in a block of its chain. Never throws for a silent one. */
export type Witness = {
  readonly ask: (block: BlockPlace, transfers: readonly Witnessed[]) => Promise<Testimony>;
  /**
   * Asks for a payout in any block up to `finalHeight`. Who is sure that it is not there denies it with certainty; who
   * has it in a later block, or in its pool, denies it and says that it has it.
   */
  readonly askPayout: (payout: PaidOut, finalHeight: number) => Promise<PayoutTestimony>;
  /** The height of the newest block that the chain calls final; undefined where none says so. */
  readonly findFinalHeight: () => Promise<number | undefined>;
};

/** A claim about a payout: this transaction moved at least this much of the token to the destination. */
export type PayoutClaim = {
  readonly network: string;
  readonly txHash: string;
  readonly token: Token['symbol'];
  /** In the spelling of the network; the case of a hex address does not matter. */
  readonly destination: string;
  /** The least that must have arrived, in micro-dollars as in the ledger; the check knows the token's decimals. */
  readonly minMicro: bigint;
  /** When the payout was approved, by the network's time: an earlier transaction paid for something else. */
  readonly notBefore: Date;
  /** The accounts whose money may have been sent; empty: any account's. */
  readonly senders: readonly string[];
};

/** What did not match. A mismatch that time may cure comes with `retryAfterSeconds`. */
export type PayoutMismatch =
  | 'payout_not_found'
  | 'payout_not_mined'
  | 'payout_reverted'
  | 'payout_too_early'
  | 'payout_wrong_token'
  | 'payout_wrong_destination'
  | 'payout_wrong_sender'
  | 'payout_too_small'
  | 'payout_not_confirmed';

export type PayoutResult =
  /** The payout is as claimed, in this block, as deep as the network asks. */
  | { readonly outcome: 'verified'; readonly block: BlockRef }
  /** Answer CONFLICT with this reason and message, and the seconds if there are any. */
  | {
      readonly outcome: 'refused';
      readonly reason: PayoutMismatch;
      /** For an administrator: what was claimed and what the chain shows, and the cure. */
      readonly message: string;
      /** After this long the chain may show something else; absent where it never will. */
      readonly retryAfterSeconds?: number;
      /** Present when one endpoint shows the payout and no other one does: who shows what, by hosts. */
      readonly disagreement?: string;
    }
  /** No node of this network is configured, so the chain was not asked. */
  | { readonly outcome: 'unwatched' };

/**
 * Asks the chain whether a payout is as claimed. Takes up to 15 seconds of network, so never call it inside a
 * transaction; it may be repeated. Throws SERVICE_UNAVAILABLE when the node does not answer as it should: that is never
 * a pass.
 */
export type CheckPayout = (claim: PayoutClaim) => Promise<PayoutResult>;
