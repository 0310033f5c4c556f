import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { LockedRate } from '../rates/quote.ts';

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
  | 'reversed'}`;

/** One way to pay: a token on a network, how much of it, and where to. */
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
  /** What a wallet reads from the QR code: EIP-681. */
  readonly paymentUri: string;
};

/** What the ledger holds of a payment's transfers, in micro-dollars: those that count and those in tokens that were not offered. */
export type Standing = {
  readonly counted: bigint;
  readonly wrong: bigint;
  /** Of these, what lies deep enough to be counted on. */
  readonly countedDeep: bigint;
  readonly wrongDeep: bigint;
};

/** Where a payment's money stands in the ledger, gross, in micro-dollars. */
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
  /** The charge of the subscription that collected it. */
  readonly chargeId: string | null;
  readonly linkSnapshot: JsonObject | null;
  /** Where a checkout session sends the payer afterwards. */
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** What is asked and what may be missing or too much, in micro-dollars. */
  readonly amountMicro: bigint;
  readonly toleranceMicro: bigint;
  readonly feeBps: number;
  readonly lateWindowMs: bigint;
  readonly rate: LockedRate;
  readonly description: string | null;
  readonly customerEmail: string | null;
  readonly metadata: JsonObject;
  readonly options: readonly PaymentOption[];
  /** Index of the option that the payer chose; null until then. */
  readonly chosen: number | null;
  readonly factoryAddress: string;
  readonly txHash: string | null;
  readonly seenE18: bigint;
  readonly confirmedE18: bigint;
  readonly creditCount: number;
  readonly booked: Booked;
  /** Gross micro-dollars that the merchant is owed of what arrived and counts. */
  readonly settledMicro: bigint;
  /** The same of what arrived in a token that was not offered, once the merchant has accepted it. */
  readonly settledWrongMicro: bigint;
  readonly feeMicro: bigint;
  readonly moves: number;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly confirmingAt: Date | null;
  readonly paidAt: Date | null;
};

/** Sums at scale 18 over the canonical credits of a payment that count. */
export type Totals = {
  readonly seen: bigint;
  readonly confirmed: bigint;
  /** In blocks up to `expiresAt`. */
  readonly inTime: bigint;
  /** In blocks up to `expiresAt` and the late window. */
  readonly inLateWindow: bigint;
  readonly standing: Standing;
};

export const NO_TOTALS: Totals = {
  seen: 0n,
  confirmed: 0n,
  inTime: 0n,
  inLateWindow: 0n,
  standing: { counted: 0n, wrong: 0n, countedDeep: 0n, wrongDeep: 0n },
};

/** A transfer as a payment sees it. */
export type Credit = {
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly txHash: string;
  readonly units: bigint;
  readonly decimals: number;
  readonly valueE18: bigint;
  readonly counted: boolean | null;
  readonly canonical: boolean;
  readonly inclusion: number;
  readonly bookedMicro: bigint | null;
  readonly blockNumber: bigint;
  readonly blockTime: Date;
  readonly seenAt: Date;
  readonly confirmedAt: Date | null;
  /** Since when it waits for somebody to see why it could not be applied. */
  readonly parkedAt: Date | null;
};

/** A credit and how many blocks confirm it, its own included. */
export type SeenCredit = Credit & { readonly confirmations: number };
