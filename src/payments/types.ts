import type { components } from '../../generated/api.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { BlockRef, Token, Transfer } from '../ports/chain.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { LineItem } from './items.ts';

export type Locale = NonNullable<components['schemas']['Locale']>;

export type PaymentStatus = 'initiated' | 'pending' | 'confirming' | 'paid' | 'failed' | 'expired';
export type PaymentException = 'underpaid' | 'overpaid' | 'late' | 'wrong_token';
export type PaymentEvent = `payment.${
  | 'created'
  | 'pending'
  | 'confirming'
  | 'completed'
  | 'failed'
  | 'expired'
  | 'exception'
  | 'reverted'
  | 'reversed'
  | 'restored'}`;

/** What an option in a coin asks, and by which rate. Lives in JSON. */
export type OptionQuote = {
  /** Counts the quotes of a payment in this coin, from 1. */
  readonly number: number;
  /** `BTC/USD` */
  readonly pair: string;
  /** Dollars for one coin on the market at scale 8, as decimal digits, and how much less it counts. */
  readonly marketE8: string;
  readonly spreadBps: number;
  readonly source: string;
  /** When the rate was valid. */
  readonly quotedAt: string;
  readonly startsAt: string;
  /** Until when it is offered; it counts until the next one. */
  readonly endsAt: string;
};

/** By what a credit was valued: so many micro-dollars for so many base units. Lives in JSON. */
export type CreditRate = Pick<OptionQuote, 'number' | 'pair' | 'marketE8' | 'spreadBps' | 'source' | 'quotedAt'> & {
  readonly amountMicro: string;
  readonly units: string;
  /** It waited too long for its block, and is to be valued anew. See decision payments/a-day-in-the-pool. */
  readonly outdated?: true;
};

/** A payer's answer, with the words of the question at that time. Lives in JSON as it is shown. */
export type CustomFieldAnswer = components['schemas']['CustomFieldAnswer'];

/** One way to pay: a token or coin on a network, the amount and the address. */
export type PaymentOption = {
  readonly token: string;
  readonly network: string;
  readonly chainId: number | null;
  /** The token's contract; null for a chain's own coin. */
  readonly contract: string | null;
  readonly decimals: number;
  /** Base units, as a decimal string because it lives in JSON. */
  readonly units: string;
  readonly address: string;
  /** What a wallet reads from the QR code: EIP-681 or BIP 21. */
  readonly paymentUri: string;
  /** Of a coin; absent for tokens, which are worth a dollar. */
  readonly quote?: OptionQuote;
};

/**
 * What the ledger holds of a payment's transfers, in micro-dollars: of those that count, and of those in tokens that
 * were not offered (`wrong`).
 */
export type LedgerTotals = {
  readonly counted: bigint;
  readonly wrong: bigint;
  /** The part of each that is confirmed. */
  readonly countedDeep: bigint;
  readonly wrongDeep: bigint;
};

/**
 * What refunds hold of a payment or have given back, in micro-dollars: of the transfers that count, of the others, and
 * how much of both had been settled before.
 */
export type Returned = { readonly counted: bigint; readonly wrong: bigint; readonly settled: bigint };

/**
 * Where a payment's money lies in the ledger. Gross micro-dollars. `available` is negative when a reorg took what was
 * given back.
 */
export type Booked = { readonly suspense: bigint; readonly pending: bigint; readonly available: bigint };

export type Payment = {
  readonly id: string;
  readonly merchantId: string;
  readonly status: PaymentStatus;
  readonly reason: string | null;
  readonly exception: PaymentException | null;
  readonly source: 'direct' | 'link' | 'session' | 'subscription';
  readonly linkId: string | null;
  readonly sessionId: string | null;
  readonly subscriptionId: string | null;
  /** The charge of the subscription that it was collected for. */
  readonly chargeId: string | null;
  readonly linkSnapshot: JsonObject | null;
  /** Where a checkout session sends the payer afterwards. */
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** What is asked, and how much may be missing or too much. Micro-dollars. */
  readonly amountMicro: bigint;
  readonly toleranceMicro: bigint;
  readonly feeBps: number;
  readonly lateWindowMs: bigint;
  readonly rate: LockedRate;
  readonly description: string | null;
  /** What it is for, line by line; null when nobody listed any. */
  readonly items: readonly LineItem[] | null;
  readonly customerEmail: string | null;
  /** The language that its payer reads, as the contract's `Locale`; null: nobody has said. */
  readonly locale: Locale | null;
  readonly metadata: JsonObject;
  /** What the payer answered to the questions of a link; null when nothing was. */
  readonly customFields: readonly CustomFieldAnswer[] | null;
  readonly options: readonly PaymentOption[];
  /** Index of the option that the payer chose; null until then. */
  readonly chosen: number | null;
  readonly factoryAddress: string;
  readonly txHash: string | null;
  readonly seenE18: bigint;
  readonly confirmedE18: bigint;
  readonly creditCount: number;
  readonly booked: Booked;
  readonly returned: Returned;
  /** Gross micro-dollars that the merchant is owed of the transfers that count, less what was given back of them. */
  readonly settledMicro: bigint;
  /** The same of transfers in tokens that were not offered, once the merchant accepted them. */
  readonly settledWrongMicro: bigint;
  readonly feeMicro: bigint;
  /** Number of moves; it names the journal of each. */
  readonly moves: number;
  /** Sequence of the latest event. */
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly confirmingAt: Date | null;
  readonly paidAt: Date | null;
  /** Since when a reorg has some of what was available; null once all of it is back. */
  readonly reversedAt: Date | null;
};

/** What a payment starts with, whatever it asks for. */
export const UNMOVED = {
  status: 'initiated',
  reason: null,
  exception: null,
  chosen: null,
  txHash: null,
  seenE18: 0n,
  confirmedE18: 0n,
  creditCount: 0,
  booked: { suspense: 0n, pending: 0n, available: 0n },
  returned: { counted: 0n, wrong: 0n, settled: 0n },
  settledMicro: 0n,
  settledWrongMicro: 0n,
  feeMicro: 0n,
  moves: 0,
  eventSequence: 0,
  confirmingAt: null,
  paidAt: null,
  reversedAt: null,
} as const satisfies Partial<Payment>;

/** Sums at scale 18 over the canonical credits of a payment that count. */
export type Totals = {
  readonly seen: bigint;
  readonly confirmed: bigint;
  /** The part that came up to `expiresAt`. */
  readonly inTime: bigint;
  /** The part that came up to `expiresAt` plus the late window. */
  readonly inLateWindow: bigint;
  readonly inLedger: LedgerTotals;
};

export const NO_TOTALS: Totals = {
  seen: 0n,
  confirmed: 0n,
  inTime: 0n,
  inLateWindow: 0n,
  inLedger: { counted: 0n, wrong: 0n, countedDeep: 0n, wrongDeep: 0n },
};

/** A transfer to a payment, as a credit stores it. A watcher's `Transfer` is one. */
export type CreditedTransfer = Omit<Transfer, 'block'> & {
  readonly block: Pick<BlockRef, 'height' | 'hash' | 'time'>;
};

/** Such a transfer of a token. */
export type CreditedTokens = CreditedTransfer & { readonly token: Token };

/** A stored transfer, as a payment sees it. */
export type Credit = {
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly txHash: string;
  readonly units: bigint;
  readonly decimals: number;
  readonly valueE18: bigint;
  /** By what a coin was valued; null for tokens. */
  readonly rate: CreditRate | null;
  /** Whether the payment offers its token; null until it is applied. */
  readonly counted: boolean | null;
  readonly canonical: boolean;
  /** Counts how often a block included it anew after a reorg; from 1. */
  readonly inclusion: number;
  /** What the ledger holds of it; null when it is not booked. */
  readonly bookedMicro: bigint | null;
  readonly blockNumber: bigint;
  readonly blockTime: Date;
  /** When it came: when it was first seen to wait for its block, else the block's time. */
  readonly arrivedAt: Date;
  /** Whether it was seen to wait. */
  readonly wasPooled: boolean;
  readonly seenAt: Date;
  readonly confirmedAt: Date | null;
  /** It was parked, and is not counted yet. */
  readonly hadFailed: boolean;
};

/** A credit and the number of blocks that confirm it, its own included. */
export type SeenCredit = Credit & { readonly confirmations: number };
