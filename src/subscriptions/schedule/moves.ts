import { periodIndexAt, periodStart } from '../../lib/calendar.ts';
import { after, HOUR_MS } from '../../lib/clock.ts';
import type { CancelReason, ChargeOrder, SubscriptionState, SubscriptionStep } from './types.ts';

/** While a charge is open its own row is what is worked on; so often we look whether it was forgotten. */
export const WATCH_MS = HOUR_MS;

/**
 * Whether the charge of this number is asked for or in flight: only then may it be given to the chain. To be asked with the subscription locked,
 * in the transaction that stores the signed bytes.
 */
export const isOpen = (subscription: SubscriptionState, number: number): boolean =>
  subscription.charge !== 'none' && subscription.nextNumber === number;

/** Changes nothing. */
export const stay = (next: SubscriptionState): SubscriptionStep => ({
  next,
  events: [],
  charge: null,
  refused: null,
  withdrawn: null,
  skipped: null,
});

/** Goes on from a step by a change, and announces `events` after those before. */
export const move = (
  from: SubscriptionStep,
  change: Partial<SubscriptionState>,
  ...events: SubscriptionStep['events']
): SubscriptionStep => ({ ...from, next: { ...from.next, ...change }, events: [...from.events, ...events] });

/** Takes back a charge that was asked for and not sent. */
export const withdraw = (from: SubscriptionStep): SubscriptionStep =>
  from.next.charge === 'due' ? { ...move(from, { charge: 'none' }), withdrawn: from.next.nextNumber } : from;

/** Asks for the charge of `nextNumber`, and looks again later whether it was forgotten. */
export const order = (from: SubscriptionStep, charge: 'due' | 'in_flight', now: Date): SubscriptionStep => ({
  ...move(from, { charge, nextActionAt: after(now, WATCH_MS) }),
  charge: orderOf(from.next, from.next.nextNumber),
});

/** No more charges. Access lasts to the period's end; where the period was never paid and we end it, to `unpaidUntil`. */
export function end(
  from: SubscriptionStep,
  reason: CancelReason,
  at: Date,
  unpaidUntil: Date | null,
): SubscriptionStep {
  const { everCharged, currentPeriodEnd } = from.next;
  const cut = unpaidUntil && !everCharged && unpaidUntil < currentPeriodEnd ? unpaidUntil : currentPeriodEnd;
  return move(
    withdraw(from),
    {
      status: 'cancelled',
      currentPeriodEnd: cut,
      cancelledAt: at,
      cancelReason: reason,
      cancelRequestedAt: null,
      pausedSince: null,
      nextActionAt: cut,
    },
    'subscription.cancelled',
  );
}

/** The number of the period that contains `at`; 0 or less in the trial. */
export const numberAt = ({ anchorAt, interval }: SubscriptionState, at: Date): number =>
  periodIndexAt(anchorAt, interval, at) + 1;

/** The charge of a number: its period, counted from the anchor. */
export const orderOf = ({ anchorAt, interval }: SubscriptionState, number: number): ChargeOrder => ({
  number,
  periodStart: periodStart(anchorAt, interval, number - 1),
  periodEnd: periodStart(anchorAt, interval, number),
});
