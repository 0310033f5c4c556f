import type { Interval } from '../../lib/calendar.ts';

export type SubscriptionStatus = 'active' | 'trialing' | 'past_due' | 'cancelled' | 'expired';
export type MandateStatus = 'pending' | 'active' | 'revoked' | 'expired';

/** Why a charge did not come about. */
export type FailureCode = CustomerFailure | 'network_unavailable';

/** What only the customer can mend. A network that can't be reached is no fault of theirs: it puts a charge off and uses no retry. */
export type CustomerFailure =
  | 'mandate_missing'
  | 'mandate_revoked'
  | 'insufficient_balance'
  | 'insufficient_allowance'
  | 'token_blocked';

export type SubscriptionEvent =
  | 'subscription.created'
  | 'subscription.trial_will_end'
  | 'subscription.activated'
  | 'subscription.renewed'
  | 'subscription.charge_failed'
  | 'subscription.past_due'
  | 'subscription.cancelled'
  | 'subscription.expired';

export type CancelReason = 'requested' | 'not_authorized' | 'payment_failed' | 'merchant_terminated';

/** Where the charge of `nextNumber` is: none asked for; asked for, but not sent; given to the chain, which has not answered for good. */
export type ChargeProgress = 'none' | 'due' | 'in_flight';

/**
 * What decides about a subscription. Period n runs from boundary n − 1 to boundary n, counted from the anchor, and n is also the number of its
 * charge: it follows from the calendar alone, so a database that was restored from an old copy asks for a period again under the number
 * that the contract already knows.
 */
export type SubscriptionState = {
  readonly status: SubscriptionStatus;
  readonly mandateStatus: MandateStatus;
  readonly interval: Interval;
  /** Where period 1 begins: the end of the trial, or when the customer was subscribed. */
  readonly anchorAt: Date;
  readonly trialEnd: Date | null;
  readonly trialReminderSent: boolean;
  /** Without a mandate by then, one that begins without a trial is cancelled. Null with a trial. */
  readonly authorizeBy: Date | null;
  /** The period that the customer has: the last one paid, 0 for the trial, 1 from the start when there is none. */
  readonly periodNumber: number;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  /** The lowest number that may still be charged. Only ever grows: by what was charged, and by what was skipped. */
  readonly nextNumber: number;
  readonly everCharged: boolean;
  readonly charge: ChargeProgress;
  /** Of the period that is unpaid; the retries count from here. */
  readonly firstFailedAt: Date | null;
  /** Charges that failed since then, the first included. */
  readonly failures: number;
  readonly lastFailure: CustomerFailure | null;
  /** Since when charges have waited for a merchant who may not collect. */
  readonly pausedSince: Date | null;
  /** A cancellation that waits for the charge in flight. */
  readonly cancelRequestedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  /** When time next changes something, or somebody has to look. Null only when it has expired. */
  readonly nextActionAt: Date | null;
};

/** What can move a subscription. A number that is not the one asked for is old news and changes nothing. */
export type SubscriptionInput =
  /** Time passed. `paused`: the merchant may not collect. */
  | { readonly kind: 'clock'; readonly paused: boolean }
  | { readonly kind: 'mandate_authorized' }
  /** A reorg took it back before it was counted on. */
  | { readonly kind: 'mandate_reverted' }
  | { readonly kind: 'mandate_revoked' }
  | { readonly kind: 'mandate_expired' }
  /** From now on the chain may take the money, whatever we do. Only where `isOpen` says so, in one transaction with the signed bytes. */
  | { readonly kind: 'charge_started'; readonly number: number }
  /** The money is confirmed (its payment is paid), not just mined. */
  | { readonly kind: 'charge_succeeded'; readonly number: number }
  /** `triedBefore`: when this charge was tried the last time before, null when it never was. */
  | {
      readonly kind: 'charge_failed';
      readonly number: number;
      readonly code: CustomerFailure;
      readonly triedBefore: Date | null;
    }
  /** Not now, and nobody's fault: the window is full, or the network can't be reached. Nothing is in flight any more. */
  | { readonly kind: 'charge_deferred'; readonly number: number; readonly until: Date }
  /** A reorg took the collection back before it was confirmed. */
  | { readonly kind: 'charge_reverted'; readonly number: number }
  /** The wallet was refilled, or its allowance raised. */
  | { readonly kind: 'funds_seen' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel'; readonly reason: 'requested' | 'merchant_terminated' };

/** A charge of one period. */
export type ChargeOrder = { readonly number: number; readonly periodStart: Date; readonly periodEnd: Date };

/** Why periods are never charged: nobody had signed yet, their charge failed, the merchant was frozen, or we came too late. */
export type SkipReason = 'not_authorized' | 'unpaid' | 'paused' | 'late';

export type SubscriptionStep = {
  readonly next: SubscriptionState;
  readonly events: readonly SubscriptionEvent[];
  /** To be attempted now: make the row of this number due, or make it. Ordered again and again until its outcome is told. */
  readonly charge: ChargeOrder | null;
  /** Fell due while no mandate stood: make the row and fail it; nothing is sent. The step has already counted the failure. */
  readonly refused: (ChargeOrder & { readonly code: CustomerFailure }) | null;
  /** The charge of this number was asked for, and must not be sent any more. */
  readonly withdrawn: number | null;
  /** Periods `from` to `to`, both included, that will never be charged. */
  readonly skipped: { readonly from: number; readonly to: number; readonly reason: SkipReason } | null;
};
