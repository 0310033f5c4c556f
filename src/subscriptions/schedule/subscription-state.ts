import { type Interval, periodIndexAt, periodStart } from '../../lib/calendar.ts';
import type { Held } from './hold.ts';
import type { Look, SubscriptionEvent } from './subscription-events.ts';

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired';
export type MandateStatus = 'pending' | 'active' | 'revoked' | 'expired';

/** Why a charge did not succeed. */
export type FailureCode = CustomerFailure | 'network_unavailable' | 'gas_too_dear';

/** What only the customer can fix. An unreachable network is not their fault: it defers a charge and uses no retry. */
export type CustomerFailure =
  | 'mandate_missing'
  | 'mandate_revoked'
  | 'insufficient_balance'
  | 'insufficient_allowance'
  | 'token_blocked';

/** Who wants a subscription to end: its merchant, its customer, or the platform that closed the merchant. */
type EndReason = 'requested' | 'customer_requested' | 'merchant_terminated';
export type CancelReason = EndReason | 'not_authorized' | 'payment_failed';

/** Progress of the charge of `openNumber`: not ordered; ordered but not sent; sent, and the outcome is not final. */
export type ChargeProgress = 'none' | 'due' | 'in_flight';

/**
 * What the state machine decides on. Period n runs from boundary n − 1 to boundary n, counted from the anchor, and its
 * charge has number n. See decision subscriptions/numbers-follow-the-calendar.
 */
export type SubscriptionState = Held & {
  readonly status: SubscriptionStatus;
  readonly mandateStatus: MandateStatus;
  readonly interval: Interval;
  /** Where period 1 begins: the end of the trial, or the time of subscribing. */
  readonly anchorAt: Date;
  readonly trialEnd: Date | null;
  readonly trialReminderSent: boolean;
  /** Deadline for the first mandate. Null with a trial that the merchant gave, where the end of the trial is one. */
  readonly authorizeBy: Date | null;
  /** The period that the customer has: the last one paid, 0 for the trial, 1 from the start when there is none. */
  readonly periodNumber: number;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  /** The lowest number that may still be charged. Only grows: past what was charged, and past what was skipped. */
  readonly nextNumber: number;
  /** A charge that a reorg took back after it had succeeded, and that is charged again first; null when none is. */
  readonly recharge: number | null;
  readonly everCharged: boolean;
  readonly charge: ChargeProgress;
  /** First failure of the unpaid period; the retries count from here. */
  readonly firstFailedAt: Date | null;
  /** Failed attempts since then, the first included. */
  readonly failures: number;
  readonly lastFailure: CustomerFailure | null;
  /** Since when charges have waited for a merchant who may not collect, or a network or token that is not listed. */
  readonly pausedSince: Date | null;
  /** A cancellation that waits for the charge in flight. */
  readonly cancelRequestedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  /** When the subscription needs its next `clock` input. Null only once expired. */
  readonly nextActionAt: Date | null;
};

/** A charge lost its money to a reorg. */
export type Reversal = { readonly number: number; readonly isNew: boolean; readonly collectable: boolean };

/** A charge failed for its customer. */
export type Failure = { readonly code: CustomerFailure; readonly previousAttemptAt: Date | null };

/** Everything that can change a subscription. An input about a number other than the open one is stale and ignored. */
export type SubscriptionInput =
  /** Time passed. */
  | ({ readonly kind: 'clock' } & Look)
  /** `confirming`: as in `Look`. */
  | { readonly kind: 'mandate_authorized'; readonly at?: Date; readonly confirming?: boolean }
  /** A reorg removed the authorization. */
  | { readonly kind: 'mandate_reverted' }
  | { readonly kind: 'mandate_revoked' }
  | { readonly kind: 'mandate_expired' }
  /** From now on the chain may take the money. Only where `isChargeOpen`, in the transaction that stores its bytes. */
  | { readonly kind: 'charge_started'; readonly number: number }
  /** The money is confirmed (its payment is paid), not just mined. `again`: a reorg had taken it back. */
  | { readonly kind: 'charge_succeeded'; readonly number: number; readonly again?: boolean }
  /** `previousAttemptAt`: when this charge was last attempted before this failure; null when it never was. */
  | ({ readonly kind: 'charge_failed'; readonly number: number } & Failure)
  /** The mandate's window is full, or the network is unreachable. Nothing is in flight any more. */
  | { readonly kind: 'charge_deferred'; readonly number: number; readonly until: Date }
  /** A reorg removed the collection before it was confirmed. */
  | { readonly kind: 'charge_reverted'; readonly number: number }
  /** A reorg took back what had succeeded. Only while no other charge is on its way. `isNew`: to be announced. */
  | ({ readonly kind: 'charge_reversed' } & Reversal)
  /** The wallet received tokens, or its allowance was raised. */
  | { readonly kind: 'funds_seen' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel'; readonly reason: EndReason };

/** A charge of one period. */
export type ChargeOrder = { readonly number: number; readonly periodStart: Date; readonly periodEnd: Date };

/** Why a period is never charged: no mandate yet, its charge failed, the merchant was frozen, or we were too late. */
export type SkipReason = 'not_authorized' | 'unpaid' | 'paused' | 'late';

export type SubscriptionStep = {
  readonly next: SubscriptionState;
  readonly events: readonly SubscriptionEvent[];
  /** Attempt this charge now: create its row, or make it due. Repeated until the charge reports its outcome. */
  readonly charge: ChargeOrder | null;
  /** Fell due without a mandate: create the row and fail it; nothing is sent. The failure is already counted. */
  readonly refused: (ChargeOrder & { readonly code: CustomerFailure }) | null;
  /** The charge of this number was ordered, and must not be sent any more. */
  readonly withdrawn: number | null;
  /** Periods `from` to `to`, both included, that will never be charged. */
  readonly skipped: { readonly from: number; readonly to: number; readonly reason: SkipReason } | null;
};

/**
 * Whether the charge of this number is due or in flight: only then may it be sent. Ask with the subscription locked, in
 * the transaction that stores the signed bytes.
 */
export const isChargeOpen = (subscription: SubscriptionState, number: number): boolean =>
  subscription.charge !== 'none' && openNumber(subscription) === number;

/** The number that is charged next: one that a reorg took back goes first. */
export const openNumber = ({ recharge, nextNumber }: SubscriptionState): number => recharge ?? nextNumber;

/** The status to show. See decision subscriptions/cancelled-as-soon-as-requested. */
export const shownStatus = ({ status, cancelRequestedAt }: SubscriptionState): SubscriptionStatus =>
  cancelRequestedAt ? 'cancelled' : status;

/** The number of the period that contains `at`; 0 or less in the trial. */
export const numberAt = ({ anchorAt, interval }: SubscriptionState, at: Date): number =>
  periodIndexAt(anchorAt, interval, at) + 1;

/** The charge of a number, with its period counted from the anchor. */
export const orderOf = ({ anchorAt, interval }: SubscriptionState, number: number): ChargeOrder => ({
  number,
  periodStart: periodStart(anchorAt, interval, number - 1),
  periodEnd: periodStart(anchorAt, interval, number),
});
