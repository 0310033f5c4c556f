import type { Interval } from '../../lib/calendar.ts';
import { periodStart } from '../../lib/calendar.ts';
import { after, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { NOT_HELD } from './hold.ts';
import { stay } from './subscription.ts';
import type { SubscriptionState, SubscriptionStep } from './subscription-state.ts';
import { hasReminder, lookAtTrial } from './trial.ts';

/** Who makes a subscription: its merchant by the API, or the customer on the page of the plan. */
export type SubscribedBy = 'merchant' | 'customer';

type Terms = {
  readonly interval: Interval;
  readonly trialDays: number;
  readonly mandateDeadlineHours: number;
  /** The merchant, where nothing is said. */
  readonly subscribedBy?: SubscribedBy;
};

/** A new subscription as of `now`, with its first event. */
export function subscribe(plan: Terms, now: Date): SubscriptionStep {
  const trialEnd = plan.trialDays > 0 ? after(now, plan.trialDays * DAY_MS) : null;
  const authorizeBy = deadlineOf(plan, trialEnd, now);
  const next: SubscriptionState = {
    status: trialEnd ? 'trialing' : 'active',
    mandateStatus: 'pending',
    interval: plan.interval,
    anchorAt: trialEnd ?? now,
    trialEnd,
    trialReminderSent: trialEnd === null || !hasReminder(trialEnd, now),
    authorizeBy,
    periodNumber: trialEnd ? 0 : 1,
    currentPeriodStart: now,
    currentPeriodEnd: trialEnd ?? periodStart(now, plan.interval, 1),
    nextNumber: 1,
    recharge: null,
    everCharged: false,
    charge: 'none',
    firstFailedAt: null,
    failures: 0,
    lastFailure: null,
    pausedSince: null,
    ...NOT_HELD,
    cancelRequestedAt: null,
    cancelledAt: null,
    cancelReason: null,
    nextActionAt: authorizeBy,
  };
  const nextActionAt = trialEnd === null ? authorizeBy : lookAtTrial(next, now).nextActionAt;
  return { ...stay({ ...next, nextActionAt }), events: ['subscription.created'] };
}

/** Until when the customer has to agree. See decision subscriptions/free-only-for-who-agrees. */
function deadlineOf({ mandateDeadlineHours, subscribedBy }: Terms, trialEnd: Date | null, now: Date): Date | null {
  const deadline = after(now, mandateDeadlineHours * HOUR_MS);
  if (trialEnd === null) return deadline;
  if (subscribedBy !== 'customer') return null;
  return deadline < trialEnd ? deadline : trialEnd;
}
