import type { RawBuilder } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PayoutMoney } from './placed.ts';

/** What payers pay in: a token, or the coin of a chain. */
export type Asset = {
  readonly symbol: 'USDT' | 'USDC' | 'ETH' | 'BTC';
  /** Canonically spelled address; of a coin, what its kind puts in that place. */
  readonly contract: string;
  readonly decimals: number;
};

/** A token contract that a network lists; transfers of others are ignored. Worth a dollar by definition. */
export type Token = Asset & {
  readonly symbol: 'USDT' | 'USDC';
  /** What signed transfers of it are made for (ERC-3009); absent: its holders can't sign any for others to send. */
  readonly authorization?: SigningDomain;
  /** Its holders may sign transfers by Permit2, once they have approved that. */
  readonly permit2?: boolean;
  /** What allowances of it are signed for (ERC-2612): so its holders approve Permit2 without a transaction. */
  readonly permit?: SigningDomain;
};

/** The name and the version that a token's signatures are made for (EIP-712). */
export type SigningDomain = { readonly name: string; readonly version: string };

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
  /** The chain's own coin, where payments are taken in it. Its price moves, so it is quoted by `rates`. */
  readonly native?: Asset;
  /** Base units of that coin: nodes pass on no payment of less, so none is asked for. Absent: any amount will do. */
  readonly dust?: bigint;
  /** Unless the settings of the platform say otherwise. */
  readonly confirmations: Confirmations;
  /** More of them from these worths on, in dollars; the greatest that applies counts. */
  readonly confirmationsFrom?: readonly { readonly from: number; readonly confirmations: number }[];
  readonly pollMs: number;
  /** It makes blocks only for transactions, as test nodes do: silence says nothing, and time passes without blocks. */
  readonly onDemand?: boolean;
  /** A head that is older than this says that its node has lost touch; two minutes by default. */
  readonly staleMs?: number;
  /** From this worth on, in dollars, a transfer counts only when two endpoints show it; null or absent: none is. */
  readonly secondOpinionFrom?: number | null;
  /** The most calls that one request to the node may carry; 1 turns batches off. */
  readonly batchMax: number;
  /** The most blocks that one step reads; absent: as many as make a few batches. */
  readonly blocksAtOnce?: number;
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
  /** The chain's coin. */
  readonly native?: Asset;
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

/** A transfer of an allow-listed token or of the chain's coin, in a canonical block or in the pool. */
export type Transfer = {
  readonly network: string;
  readonly block: BlockRef;
  readonly txHash: string;
  /**
   * Place among the allow-listed transfers of its transaction: the same wherever the transaction is included again. See
   * decision chains/transfer-identity.
   */
  readonly index: number;
  readonly token: Asset;
  /** Canonically spelled; empty where a chain does not tell. */
  readonly from: string;
  /** Canonically spelled. */
  readonly to: string;
  readonly units: bigint;
};

/** A transfer of a token. */
export type TokenTransfer = Transfer & { readonly token: Token };

/** A deposit address was emptied of the chain's coin. */
export type CoinSweep = {
  readonly block: BlockRef;
  readonly txHash: string;
  /** Place among the sweeps of coins of its transaction. */
  readonly place: number;
  readonly address: string;
  readonly units: bigint;
};

/** Which addresses to ask about in the state after a block. */
export type CoinQuestion = {
  readonly addresses: readonly string[];
  /** Whether those of payments that are over are among them. */
  readonly late: boolean;
  /** Up to this height all that arrived at them is stored. */
  readonly since: number;
};

/** An address at which more of the coin arrived than is stored. */
export type CoinGrowth = {
  readonly address: string;
  /** All that is stored. */
  readonly credited: bigint;
  /** What left it; it arrived before. */
  readonly sweeps: readonly { readonly height: number; readonly units: bigint }[];
};

/** Coin that arrived in a block, as far as the chain explains it. */
export type CoinArrival = {
  /** In the state after it the coin was there; the first such block whose state could be asked for. */
  readonly block: Omit<BlockRef, 'parentHash'>;
  readonly address: string;
  readonly units: bigint;
  /** Null: no transaction explains it. */
  readonly txHash: string | null;
  /** Place among the transfers of coins of its transaction: the same wherever the transaction is included again. */
  readonly place: number;
  /** Who sent it; empty where that is not known. */
  readonly from: string;
};

/** What addresses hold of the chain's coin in the state after `block`, and how it came there. */
export type CoinReading = Pick<CoinQuestion, 'late'> & {
  readonly block: Omit<BlockRef, 'parentHash'>;
  readonly balances: readonly { readonly address: string; readonly units: bigint }[];
  readonly arrivals: readonly CoinArrival[];
};

/** A transaction that waits to be mined and pays an address that may be ours. */
export type PoolTransaction = {
  readonly txHash: string;
  /** The outputs that it spends, each as `<transaction>:<number>`. */
  readonly spends: readonly string[];
  readonly transfers: readonly Omit<Transfer, 'block'>[];
};

/** A transaction that was stored while it waited. */
export type Pooled = Pick<PoolTransaction, 'txHash' | 'spends'>;

/** What became of a pool since the look before. */
export type PoolSight = {
  readonly arrived: readonly PoolTransaction[];
  /**
   * Stored ones that wait no longer and are in no block up to the scanned head. `by`: another transaction spends the
   * same output; null where that is not known.
   */
  readonly gone: readonly { readonly txHash: string; readonly by: string | null }[];
  /** More has arrived than this look shows; the next ones show it. */
  readonly isPartial?: boolean;
};

/** An owner allowed the network's collector to take up to `units` of an allow-listed token; 0 withdraws that. */
export type Approval = {
  readonly network: string;
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
  | { readonly kind: 'authorized'; readonly payer: string }
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
      readonly transfer: TokenTransfer | null;
    }
  /** `reason` is the contract's number for it. */
  | { readonly kind: 'collect_failed'; readonly number: number; readonly reason: number }
);

/** What each transaction spends, as `PoolTransaction` names it. */
export type Spends = ReadonlyMap<string, () => readonly string[]>;

/** The contents of blocks that matchers may want, each list in the order of the chain. */
export type Sightings = {
  readonly transfers: readonly Transfer[];
  readonly collector: readonly CollectorEvent[];
  readonly approvals: readonly Approval[];
  readonly coinSweeps?: readonly CoinSweep[];
  /** Of chains with a pool: what the transactions of `transfers` spend. Most of it nobody asks for. */
  readonly spends?: Spends;
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
  /** Absent: it cares for no coin that arrives without a log. */
  readonly coins?: CoinMatcher;
  /** The transactions that are stored as waiting. */
  readonly listPooled?: (db: Db, network: string) => Promise<Pooled[]>;
  /** Stores what arrived in the pool and is ours, and takes back what is gone from it. */
  readonly observePool?: (
    trx: Trx,
    network: Pick<Network, 'kind' | 'name' | 'onDemand'>,
    sight: PoolSight,
    now: Date,
  ) => Promise<void>;
  /** The blocks above `height` of `network` are no longer part of the chain. */
  readonly orphan: (trx: Trx, network: string, height: number, now: Date) => Promise<void>;
  /** Whether blocks have to be read for what a glimpse shows of them; absent: always. Changes nothing. */
  readonly concerns?: (db: Db, network: Pick<Network, 'kind' | 'name'>, glimpse: Glimpse) => Promise<boolean>;
};

/** How much more came to an address than is credited; negative: less. */
export type CoinDifference = CoinGrowth & { readonly surplus: bigint };

/** How a folder takes a coin that arrives without a log: all that ever arrived is compared with what is stored. */
export type CoinMatcher = {
  /** What to ask now in the state after `at`; null: nothing. */
  readonly ask: (
    db: Db,
    network: Network,
    at: Pick<BlockRef, 'height' | 'hash'>,
    now: Date,
  ) => Promise<CoinQuestion | null>;
  /** Where more is than was stored, or less. `sweeps` are not stored yet. */
  readonly findDiffering: (
    db: Db,
    network: Network,
    balances: CoinReading['balances'],
    sweeps: readonly CoinSweep[],
  ) => Promise<CoinDifference[]>;
  /** Stores the arrivals that still explain what the addresses hold, in the transaction that moves the cursor. */
  readonly observe: (trx: Trx, network: Network, reading: CoinReading, now: Date) => Promise<void>;
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
 * A condition in SQL: those of all folders are asked in one statement, every second of a network that is idle, so it
 * has to be cheap. `now` is business time.
 */
export type Waiting = (network: Pick<Network, 'kind' | 'name'>, now: Date) => RawBuilder<boolean>;

/** What is left of a transfer to look for in its block. Addresses are canonically spelled. */
export type Witnessed = Pick<Transfer, 'txHash' | 'to' | 'units'> & {
  readonly contract: string;
  /** Of a token: so many like it are credited of its transaction, with this one as the last. */
  readonly alike?: number;
  /** Of a coin that no log tells of: all that is credited at its address up to that block. */
  readonly total?: bigint;
  /** All that is credited at its address in that block, and of that by its transaction, with this one as the last. */
  readonly through?: bigint;
  readonly throughTx?: bigint;
  /** The blocks up to that one in which the most of the coin was swept from its address. */
  readonly sweptIn?: readonly BlockPlace[];
  /** Whether there are more such blocks. */
  readonly sweptMore?: boolean;
};

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
    /** It has all of it in a block that is not final yet: that is only a matter of time. */
    readonly early?: boolean;
    /** It has less than was due, in a block that is final. */
    readonly short?: boolean;
  }[];
  /** They did not answer, or do not know the block yet. */
  readonly silent: readonly string[];
};

/** A payout that was verified once, and the block that it was found in; null where that was not noted. */
export type PaidOut = Pick<PayoutClaim, 'txHash' | 'token' | 'destination' | 'minMicro' | 'minUnits'> & {
  readonly block: BlockPlace | null;
  /**
   * What it was paid in, whatever is listed by now: one contract where that was noted, else each that it may have been;
   * none: nothing can be found.
   */
  readonly assets: readonly Asset[];
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
  readonly token: Asset['symbol'];
  /** In the spelling of the network; the case of a hex address does not matter. */
  readonly destination: string;
  /** The least that must have arrived, in micro-dollars as in the ledger; the check knows the token's decimals. */
  readonly minMicro: bigint;
  /** The same in base units, for what is not worth a dollar by definition. */
  readonly minUnits?: bigint;
  /** How much depends on the answer, where that is more: another payout may be waiting for it. Micro-dollars. */
  readonly atStake?: bigint;
  /** What it pays, in the words of refusals; a withdrawal when it is left out. */
  readonly pays?: 'refund';
  /** When it was decided where it goes, by the network's time: an earlier transaction paid for something else. */
  readonly notBefore: Date;
  /** The accounts whose money may have been sent; empty: any account's. */
  readonly senders: readonly string[];
  /** What it was begun in, whatever is listed by now; absent: it is paid in what is listed. */
  readonly begunIn?: Asset;
  /** All tokens that were ever listed: a refusal tells that it was paid in another one. */
  readonly everListed?: readonly Asset[];
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
  | 'payout_unclear'
  | 'payout_not_confirmed';

export type PayoutResult =
  /** The payout is as claimed, in this block, as deep as the network asks. */
  | ({ readonly outcome: 'verified'; readonly block: BlockRef; readonly asset: Asset } & PayoutMoney)
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

/** A text that an account is said to have signed. */
export type SignedText = { readonly account: string; readonly message: string; readonly signature: string };

/** Whether the account has signed it. May ask a node; rejects when that does not answer. */
export type IsSigned = (text: SignedText) => Promise<boolean>;
