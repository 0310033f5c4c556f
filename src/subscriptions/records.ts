import type { Currency } from '../lib/money.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { ChargeState } from './schedule/charge.ts';
import type { MandateTerms } from './schedule/mandate-window.ts';
import type { SubscriptionState } from './schedule/types.ts';

/** A token that subscriptions can be priced against. */
export type StableToken = 'USDT' | 'USDC';

/** A subscription as it is stored: its state, and what was agreed, which never changes. */
export type Subscription = SubscriptionState & {
  readonly id: string;
  readonly merchantId: string;
  readonly planId: string;
  readonly customerEmail: string;
  readonly customerName: string;
  /** Lower-case hex. */
  readonly wallet: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly token: StableToken;
  readonly network: string;
  /** The newest mandate; null where the network takes none. */
  readonly mandateId: string | null;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a customer is asked to sign, or has signed. Hex in lower case. */
export type StoredMandate = MandateTerms & {
  /** The EIP-712 hash of the terms. */
  readonly id: string;
  readonly subscriptionId: string;
  readonly network: string;
  readonly collector: string;
  readonly payer: string;
  readonly tokenContract: string;
  readonly ref: string;
  readonly signature: string | null;
  readonly submittedAt: Date | null;
  /** The operator's transaction that brings it to the chain. */
  readonly relayedBy: string | null;
  readonly authorizedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};

/** What a charge asks of the chain, as it was quoted for the present try. */
export type ChargeQuote = { readonly rate: LockedRate; readonly amountMicro: bigint; readonly units: bigint };

/** A charge as it is stored. */
export type Charge = ChargeState & {
  readonly id: string;
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly network: string;
  readonly token: StableToken;
  readonly quote: ChargeQuote | null;
  readonly mandateId: string | null;
  readonly transactionId: string | null;
  readonly paymentId: string | null;
  readonly txHash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
