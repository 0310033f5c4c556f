import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type {
  BlockPlace,
  BlockRef,
  CoinArrival,
  CoinGrowth,
  Confirmations,
  Glimpse,
  IsSigned,
  Network,
  PayoutClaim,
  PayoutResult,
  Pooled,
  PoolSight,
  Sightings,
  Transfer,
  Witness,
} from './chain.ts';
import type { Collector } from './collector.ts';
import type { OperatorAccount, OperatorNode } from './operator.ts';
import type { SignedTransfers } from './signed-transfers.ts';
import type { TreasuryReader } from './treasury.ts';

/**
 * A kind of chain: all that the service asks of one. Implemented by one folder under `chains/` and listed on one line
 * of `kinds.ts`. Every kind passes `test/chains/kind-contract.ts`. See decision chains/one-port-for-kinds. Methods take
 * a network that `parseNetwork` has made. They are methods and not function properties so that a kind may declare its
 * own, narrower type of network.
 */
export type ChainKind<N extends Network = Network> = {
  /** What `Network.kind` and `deposit_addresses.kind` hold; a check of the database lists the values that it takes. */
  readonly name: string;
  readonly addresses: AddressRules;
  /** JSON Schema of one entry of KASI_NETWORKS, without `kind`. */
  readonly networkSchema: object;
  /** Makes a network of an entry that matches the schema: fills in defaults and spells addresses canonically. */
  parseNetwork(entry: object): N;
  /** Whether an address of this kind can be paid on a network. Absent: each of them can. */
  isOnNetwork?(network: N, address: string): boolean;
  /** What no schema can say about all networks of this kind together; one sentence for each problem. */
  findConflicts(networks: readonly N[]): readonly string[];
  /**
   * Throws one sentence with its cure unless everything that the configuration names on this network is there and ours,
   * and SilentNetworkError while the node does not answer. `operatorKey` is null where this process charges no one.
   */
  checkNetwork(network: N, operatorKey: string | null): Promise<void>;
  /**
   * The deposit address of a new payment, the same on every network of this kind. A kind that counts its addresses
   * keeps the count by `trx`, and has the transaction fail for a payment that has one already.
   */
  assignDeposit(trx: Trx, network: N, paymentId: string): Promise<Deposit>;
  /** What wallets read from a QR code to pay `units` base units of a token to `address`. */
  paymentUri(request: PaymentRequest): string;
  /** What the network is, whatever the configuration calls it. Asks no node. */
  describe(network: N): NetworkIdentity;
  /** Addresses of ours on a network, canonically spelled, from which a payout would never come back. */
  listOwnAddresses(network: N): readonly string[];
  openReader(network: N): ChainReader;
  /** Absent: nothing is looked at again on chains of this kind. */
  openWitness?(network: N): Witness;
  /** Asks a node whether a payout is as claimed. Throws when the node does not answer as it should. */
  openPayoutCheck(network: N): (claim: PayoutClaim, confirmations: Confirmations) => Promise<PayoutResult>;
  /** Absent: this kind collects no subscriptions. The result is null where the network names no collector. */
  openCollector?(network: N): Collector | null;
  /** Absent: nothing of this kind is swept, and reconciliation does not compare its networks with their chains. */
  openTreasury?(network: N): TreasuryReader;
  /**
   * Writes payouts as a file that wallets of this kind sign together. Absent: there is no such file. Throws CONFLICT
   * for payouts that can't be signed together, or not now.
   */
  writePayouts?(network: N, order: PayoutOrder): Promise<PayoutFile>;
  /** The least that a transaction can pay to somebody, in base units of the network's coin. Absent: one unit. */
  readonly leastPayout?: bigint;
  /** Absent: wallets of this kind sign no texts, or not in one way. */
  openSignatures?(network: N): IsSigned;
  /** Absent: on chains of this kind nobody can sign a transfer for somebody else to send. */
  openSignedTransfers?(network: N): SignedTransfers;
  /** Absent: this kind sends nothing that we sign. */
  readonly operator?: OperatorKind<N>;
};

/** What tells a network from every other, and what of ours money depends on there. */
export type NetworkIdentity = {
  /** The chain in the form of CAIP-2, such as `eip155:8453`. */
  readonly chain: string;
  readonly contracts: readonly OwnContract[];
};

/**
 * A contract of ours, or the account that gives payments their addresses where no contract does. `treasury` is where a
 * contract sends what it gets; null where the configuration does not say.
 */
export type OwnContract = {
  readonly role: 'factory' | 'collector' | 'account';
  /** Canonically spelled; of an account, its first address. */
  readonly address: string;
  readonly treasury: string | null;
};

/** What is known of addresses without asking a chain. */
export type AddressRules = {
  /** Whether a person may have meant this text: the right shape and, where there is one, the right checksum. */
  readonly isAddress: (text: string) => boolean;
  /** The one spelling in which an address is stored and compared. */
  readonly canonical: (address: string) => string;
  /** Whether a text is that spelling, where nobody would type it. Absent: the spelling is an address itself. */
  readonly isCanonical?: (text: string) => boolean;
  /** The spelling to show. */
  readonly present: (address: string) => string;
  /** Whether no one has its key: what is sent there is lost. */
  readonly isOwnerless: (address: string) => boolean;
};

export type Deposit = {
  /** In the spelling to show. */
  readonly address: string;
  /** In the spelling by which transfers are matched. */
  readonly canonical: string;
  /** The contract that can move what arrives there to the treasury; null where none is needed. */
  readonly factory: string | null;
};

/** A way to pay, as it is stored with its payment. */
export type PaymentRequest = {
  readonly chainId: number | null;
  readonly contract: string | null;
  readonly address: string;
  /** Base units of the token. */
  readonly units: bigint;
};

/**
 * What the watcher asks of a chain, whatever its kind. Every call fails with an Error whose message names no secret.
 */
export type ChainReader = ChainQuestions & {
  /** How its endpoints are at present; absent where a kind does not know. */
  readonly states?: () => readonly EndpointState[];
  /** Present where the network has several endpoints. */
  readonly several?: {
    /** The endpoint to ask now: what belongs to one look is asked of one view. */
    readonly pick: () => ChainView;
    /** A look at this one has failed: another one is picked next, if one can be asked. */
    readonly leave: (view: ChainView) => void;
    /** All of them, the preferred one first. */
    readonly all: readonly ChainView[];
  };
  /**
   * Hears what a node of the network calls out by itself, and calls `hear` each time. That is a hint and nothing more:
   * it may come late, twice, or not at all, or be made up. Never throws, and says in the log what is wrong. Returns
   * what ends it. Absent: no node calls anything out.
   */
  readonly listen?: (hear: () => void, log: (message: string) => void) => () => void;
};

/** The chain as one endpoint shows it. */
export type ChainView = ChainQuestions & {
  /** The endpoint's host, never its whole URL, which may hold a key. */
  readonly name: string;
  /** How long it should be left alone; 0: it can be asked now. */
  readonly restsMs: () => number;
  readonly trouble: () => EndpointTrouble | null;
  /** Whether the last that is known of it was good. */
  readonly isWell: () => boolean;
  /** Notes what it did wrong, beyond what its answers show: it is left alone for a while. */
  readonly blame: (problem: EndpointProblem, message: string) => void;
  /** It was found to be as it should be, whatever it was blamed for. */
  readonly acquit: () => void;
};

type ChainQuestions = {
  /** What tells this chain from every other: its number, where its kind numbers chains, and the hash of block 0. */
  readonly identify: () => Promise<{ readonly chainId: number | null; readonly genesisHash: string }>;
  /** The newest block. */
  readonly getHead: () => Promise<BlockRef>;
  /** The newest block that the chain itself calls final; undefined while there is none. */
  readonly findFinalized: () => Promise<BlockRef | undefined>;
  /** The blocks that stand at these heights now, in the same order; undefined above the head. */
  readonly findBlocks: (heights: readonly number[]) => Promise<(BlockRef | undefined)[]>;
  /**
   * What matchers may care for in exactly these blocks, asked by hash, in the order of the chain. Throws
   * UnknownBlockError when one of the blocks is no longer there: an empty answer would lose its transfers for ever.
   */
  readonly listSightings: (blocks: readonly BlockRef[]) => Promise<Sightings>;
  /** The oldest block that the node still has; 0: all. Absent: nodes of this kind keep headers and logs. */
  readonly findOldest?: () => Promise<number>;
  /** What addresses hold of the chain's coin in the state after a block; UnknownBlockError without that state. */
  readonly readCoins?: (addresses: readonly string[], block: Pick<BlockRef, 'hash'>) => Promise<bigint[]>;
  /** How more of the coin came to addresses above height `since` and up to `at`, after which they hold `balance`. */
  readonly locateCoins?: (
    grown: readonly (CoinGrowth & { readonly balance: bigint })[],
    since: number,
    at: Omit<BlockRef, 'parentHash'>,
  ) => Promise<CoinArrival[]>;
  /**
   * What arrived in the pool since the last call, and which of these stored transactions it lacks. Remembers what it
   * has shown; a new reader shows all. Absent: this kind sees transactions in blocks only.
   */
  readonly readPool?: (stored: readonly Pooled[]) => Promise<PoolSight>;
  /**
   * What lies on outputs of transactions in the node's newest state, in their order; null: spent, or never there.
   * UnknownBlockError when the node has another block in the place of `block`. Absent: money of this kind does not lie
   * in outputs.
   */
  readonly readUnspent?: (
    outputs: readonly Pick<Transfer, 'txHash' | 'index'>[],
    block: BlockPlace,
  ) => Promise<(Unspent | null)[]>;
  /**
   * What the blocks from `from` up to `to` hold, by one question. `too_many`: the node refuses so many blocks at once.
   * `unclear`: the answer contradicts `to`, so the blocks have to be read. Absent: this kind reads every block.
   */
  readonly glimpse?: (from: number, to: BlockRef) => Promise<Glimpse | 'too_many' | 'unclear'>;
};

/** What an output holds that nobody has spent. `to` is canonically spelled. */
export type Unspent = Pick<Transfer, 'to' | 'units'>;

/** What may be wrong with an endpoint. */
export type EndpointProblem =
  /** It allows fewer calls than we make. */
  | 'throttled'
  | 'unreachable'
  | 'malformed'
  /** It serves another chain. */
  | 'foreign'
  /** Its answers contradict each other, or what other endpoints agree on. */
  | 'contradicts'
  /** It does not know blocks that others had long ago. */
  | 'behind';

/** An endpoint, and what is wrong with it, if anything is. */
export type EndpointState = { readonly endpoint: string; readonly trouble: EndpointTrouble | null };

/** `message` says it in words, names the host and never the URL. */
export type EndpointTrouble = { readonly problem: EndpointProblem; readonly message: string };

/** How a kind sends what we sign. For kinds whose accounts number their transactions; see `chains/operator`. */
export type OperatorKind<N extends Network = Network> = {
  /** What is wrong with OPERATOR_KEY, as the rest of a sentence that never quotes it; null when it will do. */
  findKeyProblem(key: string, networks: readonly N[]): string | null;
  /** The account of a private key. Throws when the key is none. */
  openAccount(key: string): OperatorAccount;
  openNode(network: N): OperatorNode;
};

/** The kinds of chains and the networks of this process, as features ask about them. */
export type Chains = {
  /** The kind of a network. Throws for one that is not composed. */
  readonly kindOf: (network: Pick<Network, 'kind'>) => ChainKind;
  /** Whether this is an address of an enabled network, checksum included. */
  readonly isAddress: (text: string) => boolean;
  /** Whether this is an address that can be paid on that network. */
  readonly isAddressOn: (network: Network, text: string) => boolean;
  /**
   * An address, also one that is spelled canonically, in the spelling to show. A text that is an address of no kind
   * stays as it is.
   */
  readonly presentAddress: (address: string) => string;
  readonly isOwnerless: (address: string) => boolean;
  /** What wallets read from a QR code, by the kind of the request's address; null where no kind takes it for one. */
  readonly paymentUri: (request: PaymentRequest) => string | null;
  /** Whether an address belongs to the platform itself on some network. */
  readonly isOwnAddress: (address: string) => boolean;
  /** What an address is stored under: one key for each kind that takes it for an address of its own. */
  readonly keysOf: (address: string) => readonly AddressKey[];
  /** How a network collects subscriptions; null where it does not. Opens no connection before it is asked something. */
  readonly openCollector: (network: Network) => Collector | null;
  /** Asks all endpoints of a network about what was seen there; null where its kind can not. */
  readonly openWitness: (network: Network) => Witness | null;
  /** Writes payouts as a file that wallets sign together; none where the network's kind knows none. */
  readonly writePayouts: (network: Network, order: PayoutOrder) => Promise<PayoutFile>;
  /** The least that a transaction of a network can pay to somebody, in base units of its coin. */
  readonly leastPayout: (network: Network) => bigint;
  /** Asks who has signed a text on a network; null where no one can. Opens no connection before it is asked. */
  readonly openSignatures: (network: Network) => IsSigned | null;
  /** Transfers that others send for who signed them; null where there are none. Connects only once it is asked. */
  readonly openSignedTransfers: (network: Network) => SignedTransfers | null;
  /** How a network sends what we sign. Throws for a kind that sends nothing. */
  readonly openOperatorNode: (network: Network) => OperatorNode;
};

/** A payout as a wallet sends it; `contract` is null for the chain's coin. */
export type PayoutToSign = {
  readonly id: string;
  readonly contract: string | null;
  readonly destination: string;
  readonly units: bigint;
};

/** An output to the address of a payment that is not known to be spent. */
export type HeldOutput = {
  readonly paymentId: string;
  readonly txHash: string;
  readonly index: number;
  readonly units: bigint;
};

/** What a file of payouts is made of. */
export type PayoutOrder = {
  readonly db: Db;
  readonly payouts: readonly PayoutToSign[];
  readonly at: Date;
  /** In base units for each unit of size, where the chain's fees are such; null: as nodes advise. */
  readonly feeRate: number | null;
  /** Whether it is only asked if it can be done: nothing is kept. */
  readonly isTrial: boolean;
  /** Whether some of them may be left out where not all can be paid now; those that come first have precedence. */
  readonly mayLeaveOut: boolean;
  /** The largest confirmed outputs of payments, so many at most. */
  readonly listHeld: (limit: number) => Promise<readonly HeldOutput[]>;
  /** Which of these payouts still wait to be paid. */
  readonly listWaiting: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** What a wallet signs. */
export type PayoutFile = {
  readonly safe: components['schemas']['SafeBatch'] | null;
  readonly psbt: components['schemas']['PsbtFile'] | null;
  /** The ids of those that can't be paid now; absent: none. */
  readonly leftOut?: readonly string[];
};

/** An address as it is stored: of which kind, canonically spelled. */
export type AddressKey = { readonly kind: string; readonly address: string };
