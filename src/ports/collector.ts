import type { JsonObject } from '../lib/json.ts';
import type { Network } from './chain.ts';
import type { ContractCall, OperatorNode } from './operator.ts';

/**
 * The terms that a payer agrees to. Amounts are in base units of the token, times in seconds since 1970; `end` is the
 * first second too late.
 */
export type ChainMandate = {
  readonly payer: string;
  readonly token: string;
  readonly maxPerPeriod: bigint;
  readonly period: number;
  readonly start: number;
  readonly end: number;
  /** The most unused windows that are kept. */
  readonly carry: number;
  /** See `Collector.mandateRef`. */
  readonly ref: string;
};

/**
 * One attempt at one payment. Every attempt at a payment has the same number, which is at most the mandate's first one
 * and one more for each window after its first.
 */
export type ChainCharge = { readonly mandate: ChainMandate; readonly amount: bigint; readonly number: number };

/** The collector's answer to a charge. Stored and logged as its place in `COLLECT_REASONS` of `chains/collector.ts`. */
export type CollectReason =
  | 'Ok'
  | 'AlreadyCharged'
  | 'MandateMissing'
  | 'MandateRevoked'
  | 'NotStarted'
  | 'Ended'
  | 'PeriodLimit'
  | 'InsufficientBalance'
  | 'InsufficientAllowance'
  | 'TokenRefused';

/** Which mandate of which collector: an earlier collector of the network may be meant. */
export type MandateKey = { readonly collector: string; readonly payer: string; readonly id: string };

/** What the chain knows of a mandate. `available` is what `window` had left after its last charge, in base units. */
export type MandateState = {
  readonly status: 'none' | 'active' | 'revoked';
  readonly window: number;
  /** The newest number that was charged; 0 for none. The collector refuses it and all before it for ever. */
  readonly lastNumber: number;
  readonly available: bigint;
};

/**
 * How subscriptions are collected on one network: the capability `openCollector` of a kind. All addresses, ids and
 * bytes are canonical hex. What returns a promise asks the node and rejects when that does not answer, so it is never
 * called inside a transaction.
 */
export type Collector = {
  readonly network: Network;
  /** The contract that charges are sent to now. */
  readonly address: string;
  /** Part of everything that is signed for the collector. */
  readonly chainId: number;
  /** The most charges that one transaction takes. */
  readonly chargesMax: number;
  /** The node, as the account that charges asks it. */
  readonly operatorNode: OperatorNode;

  /** What a mandate is for, as its terms say it: the subscription, and the number of the first charge. */
  readonly mandateRef: (subscriptionId: string, firstNumber: number) => string;
  /** The mandate's id on the chain. It says nothing of network or collector. */
  readonly mandateId: (mandate: ChainMandate) => string;
  /** The terms as they stand in the bytes of every transaction that charges by them, in hex without 0x. */
  readonly mandateBytes: (mandate: ChainMandate) => string;
  /** What the payer's wallet is asked to sign for a collector (`eth_signTypedData_v4`), amounts as decimal strings. */
  readonly typedData: (collector: string, mandate: ChainMandate) => JsonObject;
  /** A signature as the collector takes it; some wallets write it differently. */
  readonly normalizeSignature: (signature: string) => string;
  /** A payer's agreement, brought to a collector by one of our accounts. */
  readonly encodeAuthorization: (collector: string, mandate: ChainMandate, signature: string) => ContractCall;
  /** At most `chargesMax` charges in one call. `estimateOne` is what `estimate` said of one of them. */
  readonly encodeCharges: (charges: readonly ChainCharge[], estimateOne: bigint) => ContractCall;

  /** The time of the newest block. */
  readonly readHeadTime: () => Promise<Date>;
  /**
   * At the newest block, or at the one with this hash; rejects, too, when the node does not have that block's state.
   */
  readonly readMandateState: (mandate: MandateKey, blockHash?: string) => Promise<MandateState>;
  /** Whether a collector would take this as the payer's agreement at present. */
  readonly verifySignature: (collector: string, mandate: ChainMandate, signature: string) => Promise<boolean>;
  /** Whether a collector would take the agreement now, sent by `operator` as `encodeAuthorization` makes it. */
  readonly simulateAuthorization: (
    collector: string,
    mandate: ChainMandate,
    signature: string,
    operator: string,
  ) => Promise<boolean>;
  /** The gas that a node thinks the agreement takes, sent so. */
  readonly estimateAuthorization: (
    collector: string,
    mandate: ChainMandate,
    signature: string,
    operator: string,
  ) => Promise<bigint>;
  /** What a collector could take from the payer at the newest block: of balance and allowance the lesser. */
  readonly readFunds: (collector: string, mandate: Pick<ChainMandate, 'payer' | 'token'>) => Promise<bigint>;
  /**
   * What would become of each charge if `operator` sent them now, in their order: the very call, not sent. Throws
   * CollectorClosedError (`chains/collector.ts`) when the collector takes none at all.
   */
  readonly preview: (operator: string, charges: readonly ChainCharge[]) => Promise<readonly CollectReason[]>;
  /** The work that a node thinks these charges need, sent together by `operator` now. */
  readonly estimate: (operator: string, charges: readonly ChainCharge[]) => Promise<bigint>;
};
