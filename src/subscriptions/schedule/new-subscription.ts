import type { Interval } from '../../lib/calendar.ts';
import { periodStart } from '../../lib/calendar.ts';
import { after, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { type SubscriptionState, type SubscriptionStep, stay } from './subscription.ts';

/** How long before the end of a longer trial the merchant is reminded. */
const TRIAL_REMINDER_MS = 3 * DAY_MS;

/** A new subscription as of `now`, with its first event. */
export function subscribe(
  plan: { readonly interval: Interval; readonly trialDays: number; readonly mandateDeadlineHours: number },
  now: Date,
): SubscriptionStep {
  const trialEnd = plan.trialDays > 0 ? after(now, plan.trialDays * DAY_MS) : null;
  const authorizeBy = trialEnd ? null : after(now, plan.mandateDeadlineHours * HOUR_MS);
  const reminderAt = trialEnd && after(trialEnd, -TRIAL_REMINDER_MS);
  const remind = reminderAt !== null && reminderAt > now;
  const next: SubscriptionState = {
    status: trialEnd ? 'trialing' : 'active',
    mandateStatus: 'pending',
    interval: plan.interval,
    anchorAt: trialEnd ?? now,
    trialEnd,
    trialReminderSent: !remind,
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
    cancelRequestedAt: null,
    cancelledAt: null,
    cancelReason: null,
    nextActionAt: remind ? reminderAt : (trialEnd ?? authorizeBy),
  };
  return { ...stay(next), events: ['subscription.created'] };
}
