import { after, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import { conflict, unreachable } from '../../lib/errors.ts';
import { beginAnew, beginsWhenSent, isFirstDue } from './first-period.ts';
import { FRESH, hold, NOT_HELD, release } from './hold.ts';
import { catchUpPeriods } from './mandate-window.ts';
import { graceOf, pauseOf, RESUMED, waitUntil } from './pause.ts';
import { nextRetryAt } from './renewal-retries.ts';
import { type Look, news, type Paused } from './subscription-events.ts';
import type {
  CancelReason,
  Failure,
  Reversal,
  SkipReason,
  SubscriptionInput,
  SubscriptionState,
  SubscriptionStep,
} from './subscription-state.ts';
import { isChargeOpen, numberAt, openNumber, orderOf } from './subscription-state.ts';
import { isPast, lookAtTrial } from './trial.ts';
import { WATCH_MS, watch } from './watch.ts';

/**
 * What `input` does to a subscription at `now`. Pure; throws CONFLICT for what the state does not allow.
 *
 *     trialing ── trial ends, charge ok ──▶ active ◀── a retry succeeds ── past_due
 *        │                                  │  ▲ │                          ▲  │
 *        │                                  │  └─┘ period ends, charge ok   │  │ retries used up, cancel
 *        └── charge fails, no mandate ──────┴── charge fails ───────────────┘  ▼
 *            cancel ───────────────────────▶ cancel, never authorized ────▶ cancelled ── period ends ──▶ expired
 *
 * Only the clock orders a charge; other inputs just set `nextActionAt`. It then decides about missed periods:
 * - We were late (an outage): each uncharged period is charged, oldest first, as far back as `catchUpPeriods` says;
 *   older ones are skipped. A daily plan catches up on six days; a monthly one charges only the current month, late.
 * - The charge had failed, or the merchant was frozen: only the current period is charged, the others are skipped.
 *   See decision subscriptions/catch-up-after-an-outage.
 * - A charge that was sent is never given up for a later one: its number stays until the chain has answered.
 */
export function step(subscription: SubscriptionState, input: SubscriptionInput, now: Date): SubscriptionStep {
  const from = stay(subscription);
  const isOpen = 'number' in input && isChargeOpen(subscription, input.number);
  switch (input.kind) {
    case 'clock':
      return isPast(subscription.nextActionAt, now) ? passTime(from, input, now) : from;
    case 'mandate_authorized':
      return authorize(from, input, now);
    case 'mandate_reverted':
      return revertMandate(from, now);
    case 'mandate_revoked':
      return change(from, { mandateStatus: 'revoked' });
    case 'mandate_expired':
      return change(from, { mandateStatus: 'expired' });
    case 'charge_started':
      // What is sent is not held: what becomes of it counts from now on.
      return isOpen
        ? change(from, { charge: 'in_flight', ...release(from.next, now), ...watch(from.next, now) })
        : from;
    case 'charge_succeeded':
      return succeed(from, input.number, input.again ?? false);
    case 'charge_failed':
      return isOpen ? fail(from, input, now) : from;
    case 'charge_deferred':
      return isOpen ? defer(from, input.until, now) : from;
    case 'charge_reverted':
      return isOpen ? order(from, 'in_flight', now) : from;
    case 'charge_reversed':
      return recharge(from, input, now);
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

function passTime(seen: SubscriptionStep, look: Look, now: Date): SubscriptionStep {
  const { paused, confirming, unsent } = look;
  const { charge, cancelRequestedAt } = seen.next;
  // What is to be sent again may never be: nothing claims it where its network is closed, or in no list any more.
  const isLeft = unsent && (paused || cancelRequestedAt);
  // What was given up, as in a pause, and is collected all the same is on its way as well: its period stays.
  const isOnItsWay = (charge === 'in_flight' && !isLeft) || (confirming === true && isLive(seen.next));
  if (isOnItsWay) return change(seen, { nextActionAt: after(now, WATCH_MS) });
  const before = charge === 'in_flight' ? defer(seen, now, now) : seen;
  if (before.next.cancelledAt !== seen.next.cancelledAt) return before;
  const { status, everCharged, mandateStatus, currentPeriodEnd, interval } = before.next;
  const from = paused === 'unlisted' ? before : change(before, release(before.next, now));
  switch (status) {
    case 'trialing':
      return passTrial(from, paused, now) ?? collect(from, catchUpPeriods(interval), look, now);
    case 'active':
      return everCharged || mandateStatus === 'active'
        ? collect(from, catchUpPeriods(interval), look, now)
        : awaitMandate(from, paused, now);
    case 'past_due':
      return collect(from, 0, look, now);
    case 'cancelled':
      if (confirming) return change(from, { nextActionAt: after(now, WATCH_MS) });
      return now >= currentPeriodEnd
        ? change(from, { status: 'expired', nextActionAt: null }, 'subscription.expired')
        : change(from, { nextActionAt: currentPeriodEnd });
    case 'expired':
      return from;
    default:
      return unreachable(status);
  }
}

const isLive = ({ status }: SubscriptionState): boolean => status !== 'cancelled' && status !== 'expired';

function passTrial(from: SubscriptionStep, paused: Paused, now: Date): SubscriptionStep | null {
  const { found, nextActionAt } = lookAtTrial(from.next, now);
  if (found === 'over') return null;
  if (found === 'unagreed') return giveUp(from, paused, now);
  const waiting = change(from, waitUntil(nextActionAt, paused));
  return found === 'reminder' ? change(waiting, { trialReminderSent: true }, 'subscription.trial_will_end') : waiting;
}

/** Without a mandate and a first charge, the subscription ends at its deadline for authorizing. */
function awaitMandate(from: SubscriptionStep, paused: Paused, now: Date): SubscriptionStep {
  const { authorizeBy } = from.next;
  if (authorizeBy && now < authorizeBy) return change(withdraw(from), waitUntil(authorizeBy, paused));
  return giveUp(from, paused, now);
}

function giveUp(from: SubscriptionStep, paused: Paused, now: Date): SubscriptionStep {
  const grace = graceOf(from.next, paused, now);
  return grace ? change(withdraw(from), grace, ...news(paused, from)) : end(from, 'not_authorized', now, now);
}

type Agreed = Omit<Extract<SubscriptionInput, { readonly kind: 'mandate_authorized' }>, 'kind'>;

function authorize(from: SubscriptionStep, { at: agreedAt, confirming }: Agreed, now: Date): SubscriptionStep {
  const at = agreedAt ?? now;
  const authorized = change(from, { mandateStatus: 'active' });
  // What is collected has its period already.
  if (confirming || !isFirstDue(from.next, now)) return retrySoon(authorized, now);
  const begun = restart(authorized, at < now ? at : now);
  // What has passed since `at` is ours: we saw it late.
  const reason = numberAt(begun.next, at) > begun.next.nextNumber ? 'not_authorized' : 'late';
  return change(skip(begun, 0, reason, now), { nextActionAt: now });
}

/** A reorg removed the mandate. It usually returns within minutes, so nothing is charged or ended for an hour. */
function revertMandate(from: SubscriptionStep, now: Date): SubscriptionStep {
  const pending = change(from, { mandateStatus: 'pending' });
  const { status, charge, nextActionAt } = from.next;
  if (charge === 'in_flight' || status === 'cancelled' || status === 'expired') return pending;
  const earliest = after(now, HOUR_MS);
  return change(withdraw(pending), { nextActionAt: nextActionAt && nextActionAt > earliest ? nextActionAt : earliest });
}

/** Retries at once if a charge failed and none is in flight. */
function retrySoon(from: SubscriptionStep, now: Date): SubscriptionStep {
  const { status, charge } = from.next;
  return status === 'past_due' && charge !== 'in_flight' ? change(from, { nextActionAt: now }) : from;
}

function retry(from: SubscriptionStep, now: Date): SubscriptionStep {
  const { status } = from.next;
  if (status !== 'past_due')
    throw conflict(`This subscription is ${status}; only one that is past_due can be retried.`);
  return retrySoon(from, now);
}

function cancel(from: SubscriptionStep, reason: CancelReason, now: Date): SubscriptionStep {
  const { status, charge, cancelRequestedAt, mandateStatus, authorizeBy } = from.next;
  if (status === 'cancelled' || status === 'expired') throw conflict(`This subscription is ${status} already.`);
  if (cancelRequestedAt) throw conflict('This subscription is being cancelled; a charge that was sent is waited for.');
  if (charge === 'in_flight') return change(from, { cancelRequestedAt: now, cancelReason: reason });
  // See decision subscriptions/free-only-for-who-agrees.
  const isUnagreed = status === 'trialing' && mandateStatus === 'pending' && authorizeBy !== null;
  return end(from, reason, now, isUnagreed ? now : null);
}

/**
 * Orders the next charge, or fails it without a mandate. Catches up on at most `behind` periods before the current one.
 */
function collect(from: SubscriptionStep, behind: number, { paused, ours }: Look, now: Date): SubscriptionStep {
  if (paused === 'unlisted') return change(restart(from, now), hold(from.next, now));
  if (paused) return change(withdraw(from), pauseOf(from.next, now), ...news(paused, from));
  // It begins when it is sent, so it is never too late: see decision subscriptions/first-period-begins-anew.
  const isToBegin = ours === true && beginsWhenSent(from.next);
  const kept = isToBegin ? from : skip(from, behind, lateness(from.next), now);
  const resumed = from.next.pausedSince ? resume(from, now) : kept;
  const { mandateStatus } = resumed.next;
  const ordered = orderOf(resumed.next, openNumber(resumed.next));
  if (ordered.periodStart > now) return change(resumed, { nextActionAt: ordered.periodStart });
  if (mandateStatus === 'active') return order(resumed, 'due', now);
  const code = mandateStatus === 'pending' ? 'mandate_missing' : 'mandate_revoked';
  const refused = { ...ordered, code } as const;
  return { ...fail(resumed, { code, previousAttemptAt: null }, now), refused };
}

const lateness = ({ status }: SubscriptionState): SkipReason => (status === 'past_due' ? 'unpaid' : 'late');

/** The merchant may collect again. The customer could not pay meanwhile, so the retries start over. */
const resume = (from: SubscriptionStep, now: Date): SubscriptionStep =>
  change(skip(restart(from, now), 0, 'paused', now), RESUMED);

/** Begins a first period anew, if it is one. A charge that waits is for the period of before. */
function restart(from: SubscriptionStep, at: Date): SubscriptionStep {
  const anew = beginAnew(from.next, at);
  return change('anchorAt' in anew ? withdraw(from) : from, anew);
}

/** Gives up the periods that lie more than `behind` before the current one; never one that is charged again. */
function skip(from: SubscriptionStep, behind: number, reason: SkipReason, now: Date): SubscriptionStep {
  const { nextNumber, recharge: again } = from.next;
  const kept = numberAt(from.next, now) - behind;
  if (kept <= nextNumber) return from;
  const left = again === null ? withdraw(from) : from;
  return { ...change(left, { nextNumber: kept }), skipped: { from: nextNumber, to: kept - 1, reason } };
}

/** Orders the charge of `openNumber`, and checks later that it was not forgotten. */
const order = (from: SubscriptionStep, charge: 'due' | 'in_flight', now: Date): SubscriptionStep => ({
  ...change(from, { charge, nextActionAt: after(now, WATCH_MS) }),
  charge: orderOf(from.next, openNumber(from.next)),
});

/**
 * Charges a period again, before any other: a reorg took its money back. Whatever waits to be sent makes way and is
 * ordered again afterwards. See decision subscriptions/reversed-charges-are-due-again.
 */
function recharge(from: SubscriptionStep, { number, isNew, collectable }: Reversal, now: Date): SubscriptionStep {
  const { status, charge, nextNumber, recharge: before } = from.next;
  const told = isNew ? change(from, {}, 'subscription.charge_reversed') : from;
  const isOver = status === 'cancelled' || status === 'expired' || number >= nextNumber;
  if (before === number && !collectable) return settle(told); // Collected again; that money is doubted, too.
  if (isOver || !collectable || (before !== null && before <= number)) return told;
  const way = charge === 'none' ? told : { ...told, withdrawn: openNumber(from.next) };
  return order(change(way, { recharge: number }), 'in_flight', now);
}

/**
 * The period of this number is paid and becomes the current one, even if we had given it up: a reorg can bring back a
 * charge that had failed. A cancelled subscription then lasts to the end of the paid period.
 */
function succeed(from: SubscriptionStep, number: number, again: boolean): SubscriptionStep {
  const { status, everCharged, nextNumber, charge, recharge: lost } = from.next;
  // The chain takes no number after a greater one, so what was to be charged again before it never can be.
  const passed = lost !== null && lost < number ? { ...from, withdrawn: lost } : null;
  if (number === lost || (passed && number < nextNumber)) return settle(passed ?? from, RECOVERED);
  if (number < nextNumber || status === 'expired') return again ? change(from, {}, RECOVERED) : from;
  const { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd } = orderOf(from.next, number);
  const left = passed ?? (charge === 'due' && nextNumber !== number ? withdraw(from) : from);
  const rolled = change(left, {
    periodNumber: number,
    currentPeriodStart,
    currentPeriodEnd,
    nextNumber: number + 1,
    everCharged: true,
    ...UP_TO_DATE,
    nextActionAt: currentPeriodEnd,
  });
  if (status === 'cancelled') return rolled;
  return goOn(change(rolled, { status: 'active' }, everCharged ? 'subscription.renewed' : 'subscription.activated'));
}

const RECOVERED = 'subscription.charge_recovered';
/** Nothing is owed, nothing on its way. */
const UP_TO_DATE = { charge: 'none', recharge: null, ...FRESH, ...NOT_HELD, lastFailure: null } as const;

/** Nothing is charged again any more. Its period was counted before, so the subscription goes on where it was. */
function settle(from: SubscriptionStep, ...events: SubscriptionStep['events']): SubscriptionStep {
  const nextActionAt = orderOf(from.next, from.next.nextNumber).periodStart;
  return goOn(change(from, { ...UP_TO_DATE, status: 'active', nextActionAt }, ...events));
}

/** Ends a subscription that was cancelled while its charge was on its way. */
function goOn(from: SubscriptionStep): SubscriptionStep {
  const { cancelRequestedAt, cancelReason } = from.next;
  return cancelRequestedAt ? end(from, cancelReason ?? 'requested', cancelRequestedAt, null) : from;
}

/** The period does not roll. Schedules the next retry, or ends the subscription when none is left. */
function fail(before: SubscriptionStep, { code, previousAttemptAt }: Failure, now: Date): SubscriptionStep {
  const from = change(before, release(before.next, now));
  const { status, failures, lastFailure, cancelRequestedAt, cancelReason } = from.next;
  const firstFailedAt = from.next.firstFailedAt ?? now;
  const counted = change(from, { charge: 'none', firstFailedAt, failures: failures + 1, lastFailure: code });
  const announced = change(counted, {}, 'subscription.charge_failed');
  if (cancelRequestedAt) return end(announced, cancelReason ?? 'requested', cancelRequestedAt, null);
  const dueNext = orderOf(from.next, numberAt(from.next, firstFailedAt)).periodEnd;
  const nextActionAt = nextRetryAt(firstFailedAt, dueNext, now);
  if (!nextActionAt) return end(announced, 'payment_failed', now, now);
  if (status !== 'past_due') return change(announced, { status: 'past_due', nextActionAt }, 'subscription.past_due');
  // See decision subscriptions/announce-only-new-failures.
  const scheduled = previousAttemptAt && nextRetryAt(firstFailedAt, dueNext, previousAttemptAt);
  const isNews = code !== lastFailure || !scheduled || scheduled <= now;
  return change(isNews ? announced : counted, { nextActionAt });
}

/** The charge stays ordered, and is attempted again at `until`. A pending cancellation does not wait for that. */
function defer(from: SubscriptionStep, until: Date, now: Date): SubscriptionStep {
  const { cancelRequestedAt, cancelReason } = from.next;
  const earliest = after(now, MINUTE_MS);
  const deferred = change(from, { charge: 'due', nextActionAt: until > earliest ? until : earliest });
  return cancelRequestedAt ? end(deferred, cancelReason ?? 'requested', cancelRequestedAt, null) : deferred;
}

/** Withdraws a charge that was ordered and not sent. */
const withdraw = (from: SubscriptionStep): SubscriptionStep =>
  from.next.charge === 'due' ? { ...change(from, { charge: 'none' }), withdrawn: openNumber(from.next) } : from;

/**
 * No more charges. Access lasts to the end of the period; to `unpaidUntil` where nothing was ever paid and we end it.
 * See decision subscriptions/unpaid-access-ends-at-once.
 */
function end(from: SubscriptionStep, reason: CancelReason, at: Date, unpaidUntil: Date | null): SubscriptionStep {
  const { everCharged, currentPeriodEnd } = from.next;
  const cut = unpaidUntil && !everCharged && unpaidUntil < currentPeriodEnd ? unpaidUntil : currentPeriodEnd;
  const ended = {
    status: 'cancelled',
    currentPeriodEnd: cut,
    cancelledAt: at,
    cancelReason: reason,
    cancelRequestedAt: null,
    pausedSince: null,
    ...NOT_HELD,
    recharge: null,
    nextActionAt: cut,
  } as const;
  return change(withdraw(from), ended, 'subscription.cancelled');
}

/** A step that changes nothing yet. */
export const stay = (next: SubscriptionState): SubscriptionStep => ({
  next,
  events: [],
  charge: null,
  refused: null,
  withdrawn: null,
  skipped: null,
});

/** Continues a step by `changes`, and announces `events` after those before. */
const change = (
  from: SubscriptionStep,
  changes: Partial<SubscriptionState>,
  ...events: SubscriptionStep['events']
): SubscriptionStep => ({ ...from, next: { ...from.next, ...changes }, events: [...from.events, ...events] });
