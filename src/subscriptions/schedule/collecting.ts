import { after, DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import { end, move, numberAt, order, orderOf, withdraw } from './moves.ts';
import { nextRetryAt } from './renewal-retries.ts';
import type { CustomerFailure, SkipReason, SubscriptionState, SubscriptionStep } from './types.ts';

/** How often a charge that waits for a frozen merchant is looked at; who unfreezes it has it looked at, at once. */
const PAUSE_CHECK_MS = DAY_MS;
/** A charge that is put off comes back no sooner. */
const DEFERRAL_MIN_MS = MINUTE_MS;

/** Orders the next charge, or fails it where no mandate stands. Up to `behind` periods before the one that contains now are made up for. */
export function collect(from: SubscriptionStep, behind: number, paused: boolean, now: Date): SubscriptionStep {
  if (paused) {
    const pausedSince = from.next.pausedSince ?? now;
    return move(withdraw(from), { pausedSince, nextActionAt: after(now, PAUSE_CHECK_MS) });
  }
  const resumed = from.next.pausedSince ? resume(from, now) : skip(from, behind, lateness(from.next), now);
  const { mandateStatus, nextNumber } = resumed.next;
  const dueAt = orderOf(resumed.next, nextNumber).periodStart;
  if (dueAt > now) return move(resumed, { nextActionAt: dueAt });
  if (mandateStatus === 'active') return order(resumed, 'due', now);
  const code = mandateStatus === 'pending' ? 'mandate_missing' : 'mandate_revoked';
  const refused = { ...orderOf(resumed.next, nextNumber), code } as const;
  return { ...fail(resumed, { code, triedBefore: null }, now), refused };
}

const lateness = ({ status }: SubscriptionState): SkipReason => (status === 'past_due' ? 'unpaid' : 'late');

/** The merchant may collect again. The customer could not pay meanwhile, so the retries begin anew. */
function resume(from: SubscriptionStep, now: Date): SubscriptionStep {
  return move(skip(from, 0, 'paused', now), { pausedSince: null, firstFailedAt: null, failures: 0 });
}

/** Gives up the periods that lie more than `behind` before the one that contains now. */
export function skip(from: SubscriptionStep, behind: number, reason: SkipReason, now: Date): SubscriptionStep {
  const { nextNumber } = from.next;
  const kept = numberAt(from.next, now) - behind;
  if (kept <= nextNumber) return from;
  return { ...move(withdraw(from), { nextNumber: kept }), skipped: { from: nextNumber, to: kept - 1, reason } };
}

/**
 * The period of this number is paid: it becomes the current one. Also when we had stopped waiting for it, because a reorg can bring
 * back what had failed; one that is cancelled then lasts to the end of the period that was paid.
 */
export function succeed(from: SubscriptionStep, number: number): SubscriptionStep {
  const { status, everCharged, nextNumber, cancelRequestedAt, cancelReason } = from.next;
  if (number < nextNumber || status === 'expired') return from;
  const { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd } = orderOf(from.next, number);
  const rolled = move(from, {
    periodNumber: number,
    currentPeriodStart,
    currentPeriodEnd,
    nextNumber: number + 1,
    everCharged: true,
    charge: 'none',
    firstFailedAt: null,
    failures: 0,
    lastFailure: null,
    nextActionAt: currentPeriodEnd,
  });
  if (status === 'cancelled') return rolled;
  const active = move(rolled, { status: 'active' }, everCharged ? 'subscription.renewed' : 'subscription.activated');
  return cancelRequestedAt ? end(active, cancelReason ?? 'requested', cancelRequestedAt, null) : active;
}

type Failure = { readonly code: CustomerFailure; readonly triedBefore: Date | null };

/** The period does not roll. The next try is where the schedule says, or there is none and the subscription ends. */
export function fail(from: SubscriptionStep, { code, triedBefore }: Failure, now: Date): SubscriptionStep {
  const { status, failures, lastFailure, cancelRequestedAt, cancelReason } = from.next;
  const firstFailedAt = from.next.firstFailedAt ?? now;
  const counted = move(from, { charge: 'none', firstFailedAt, failures: failures + 1, lastFailure: code });
  const announced = move(counted, {}, 'subscription.charge_failed');
  if (cancelRequestedAt) return end(announced, cancelReason ?? 'requested', cancelRequestedAt, null);
  const dueNext = orderOf(from.next, numberAt(from.next, firstFailedAt)).periodEnd;
  const nextActionAt = nextRetryAt(firstFailedAt, dueNext, now);
  if (!nextActionAt) return end(announced, 'payment_failed', now, now);
  if (status !== 'past_due') return move(announced, { status: 'past_due', nextActionAt }, 'subscription.past_due');
  // Whoever sends dust to a wallet has it tried again: that must not write to the merchant, or to the customer, as often as they like.
  const scheduled = triedBefore && nextRetryAt(firstFailedAt, dueNext, triedBefore);
  const isNews = code !== lastFailure || !scheduled || scheduled <= now;
  return move(isNews ? announced : counted, { nextActionAt });
}

/** The charge stays asked for, and comes back at `until`. A cancellation does not wait for that. */
export function defer(from: SubscriptionStep, until: Date, now: Date): SubscriptionStep {
  const { cancelRequestedAt, cancelReason } = from.next;
  const earliest = after(now, DEFERRAL_MIN_MS);
  const deferred = move(from, { charge: 'due', nextActionAt: until > earliest ? until : earliest });
  return cancelRequestedAt ? end(deferred, cancelReason ?? 'requested', cancelRequestedAt, null) : deferred;
}
