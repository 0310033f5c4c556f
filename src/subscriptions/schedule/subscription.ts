import { type Interval, periodStart } from '../../lib/calendar.ts';
import { after, DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import { conflict, unreachable } from '../../lib/errors.ts';
import { collect, defer, fail, skip, succeed } from './collecting.ts';
import { catchUpPeriods } from './mandate-window.ts';
import { end, isOpen, move, order, stay, WATCH_MS, withdraw } from './moves.ts';
import type { CancelReason, SubscriptionInput, SubscriptionState, SubscriptionStep } from './types.ts';

/** So long before a longer trial ends, the merchant is told. */
const TRIAL_REMINDER_MS = 3 * DAY_MS;

/** A new subscription, as of `now`, and its first event. */
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

/**
 * What `input` does to a subscription at `now`. Pure; throws CONFLICT for what the state does not allow.
 *
 *     trialing ── trial's end, charge ok ──▶ active ◀── a retry succeeds ── past_due
 *        │                                   │  ▲ │                          ▲  │
 *        │                                   │  └─┘ period's end, charge ok  │  │ retries used up, cancel
 *        └── charge fails, no mandate ───────┴── charge fails ───────────────┘  ▼
 *            cancel ────────────────────────▶ cancel, nobody signed ────────▶ cancelled ── period's end ──▶ expired
 *
 * A charge is ordered only by the clock; other inputs just say when it shall look. What was missed is decided then:
 * - We came late (an outage): each period that was not charged is made up for, oldest first, as far back as `catchUpPeriods` says; what is
 *   older is skipped. A daily plan makes up for six days; a monthly one charges only the month that contains now, late.
 * - Its charge had failed, or the merchant was frozen: only the period that contains now is charged, the others are skipped.
 * - A charge that was sent is never given up for a later one: its number stays until the chain has answered.
 */
export function step(subscription: SubscriptionState, input: SubscriptionInput, now: Date): SubscriptionStep {
  const from = stay(subscription);
  switch (input.kind) {
    case 'clock':
      return isDue(subscription, now) ? look(from, input.paused, now) : from;
    case 'mandate_authorized':
      return authorize(from, now);
    case 'mandate_reverted':
      return revertMandate(from, now);
    case 'mandate_revoked':
      return move(from, { mandateStatus: 'revoked' });
    case 'mandate_expired':
      return move(from, { mandateStatus: 'expired' });
    case 'charge_started':
      return isOpen(subscription, input.number) ? move(from, { charge: 'in_flight', ...watch(from, now) }) : from;
    case 'charge_succeeded':
      return succeed(from, input.number);
    case 'charge_failed':
      return isOpen(subscription, input.number) ? fail(from, input, now) : from;
    case 'charge_deferred':
      return isOpen(subscription, input.number) ? defer(from, input.until, now) : from;
    case 'charge_reverted':
      return isOpen(subscription, input.number) ? order(from, 'in_flight', now) : from;
    case 'funds_seen':
      return subscription.mandateStatus === 'active' ? retrySoon(from, now) : from;
    case 'retry':
      return retry(from, now);
    case 'cancel':
      return cancel(from, input.reason, now);
    default:
      return unreachable(input);
  }
}

/** A charge that is sent as soon as it was ordered is looked at when it would have been, which leaves the index as it is. */
function watch({ next: { nextActionAt } }: SubscriptionStep, now: Date): { readonly nextActionAt?: Date } {
  return nextActionAt && nextActionAt > after(now, WATCH_MS / 2) && nextActionAt <= after(now, WATCH_MS)
    ? {}
    : { nextActionAt: after(now, WATCH_MS) };
}

const isDue = ({ nextActionAt }: SubscriptionState, now: Date): boolean => nextActionAt !== null && nextActionAt <= now;

/** What the time that passed means in each state. */
function look(from: SubscriptionStep, paused: boolean, now: Date): SubscriptionStep {
  const { status, charge, everCharged, mandateStatus, trialEnd, currentPeriodEnd, interval } = from.next;
  if (charge === 'in_flight') return move(from, { nextActionAt: after(now, WATCH_MS) });
  switch (status) {
    case 'trialing':
      return trialEnd && now < trialEnd ? remind(from, trialEnd) : collect(from, catchUpPeriods(interval), paused, now);
    case 'active':
      return everCharged || mandateStatus === 'active'
        ? collect(from, catchUpPeriods(interval), paused, now)
        : awaitMandate(from, now);
    case 'past_due':
      return collect(from, 0, paused, now);
    case 'cancelled':
      return now >= currentPeriodEnd
        ? move(from, { status: 'expired', nextActionAt: null }, 'subscription.expired')
        : move(from, { nextActionAt: currentPeriodEnd });
    case 'expired':
      return from;
    default:
      return unreachable(status);
  }
}

function remind(from: SubscriptionStep, trialEnd: Date): SubscriptionStep {
  const told = move(from, { nextActionAt: trialEnd });
  return from.next.trialReminderSent ? told : move(told, { trialReminderSent: true }, 'subscription.trial_will_end');
}

/** Nothing was ever charged and nothing may be: it ends when the time to sign is over. */
function awaitMandate(from: SubscriptionStep, now: Date): SubscriptionStep {
  const { authorizeBy } = from.next;
  if (authorizeBy && now < authorizeBy) return move(withdraw(from), { nextActionAt: authorizeBy });
  return end(from, 'not_authorized', now, now);
}

function authorize(from: SubscriptionStep, now: Date): SubscriptionStep {
  const authorized = move(from, { mandateStatus: 'active' });
  const { status, everCharged, charge } = from.next;
  if (status !== 'active' || everCharged || charge === 'in_flight') return retrySoon(authorized, now);
  return move(skip(authorized, 0, 'not_authorized', now), { nextActionAt: now });
}

/** A reorg took the mandate from the chain; it usually comes back within minutes, so nothing is asked for before an hour is over. */
function revertMandate(from: SubscriptionStep, now: Date): SubscriptionStep {
  const pending = move(from, { mandateStatus: 'pending' });
  const { status, charge, nextActionAt } = from.next;
  if (charge === 'in_flight' || status === 'cancelled' || status === 'expired') return pending;
  const waited = after(now, HOUR_MS);
  const waiting = nextActionAt && nextActionAt > waited ? nextActionAt : waited;
  return move(withdraw(pending), { nextActionAt: waiting });
}

/** Looks again at once, if a charge failed and nothing is on its way already. */
function retrySoon(from: SubscriptionStep, now: Date): SubscriptionStep {
  const { status, charge } = from.next;
  return status === 'past_due' && charge !== 'in_flight' ? move(from, { nextActionAt: now }) : from;
}

function retry(from: SubscriptionStep, now: Date): SubscriptionStep {
  const { status } = from.next;
  if (status !== 'past_due')
    throw conflict(`This subscription is ${status}; only one that is past_due can be retried.`);
  return retrySoon(from, now);
}

function cancel(from: SubscriptionStep, reason: CancelReason, now: Date): SubscriptionStep {
  const { status, charge, cancelRequestedAt } = from.next;
  if (status === 'cancelled' || status === 'expired') throw conflict(`This subscription is ${status} already.`);
  if (cancelRequestedAt) throw conflict('This subscription is being cancelled; a charge that was sent is waited for.');
  if (charge === 'in_flight') return move(from, { cancelRequestedAt: now, cancelReason: reason });
  return end(from, reason, now, null);
}
