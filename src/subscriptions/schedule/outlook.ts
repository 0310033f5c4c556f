import type { Charge, Subscription } from '../records.ts';
import { orderOf } from './moves.ts';
import type { SubscriptionStatus } from './types.ts';

/** When a subscription is charged next, as far as that can be said. */
export type Outlook = {
  readonly nextChargeAt: Date | null;
  /** When a charge that failed is tried again. */
  readonly nextRetryAt: Date | null;
  /** Until when a due charge waits for the windows of its mandate. */
  readonly earliestChargeAt: Date | null;
};

/** The state to show: once its cancellation was taken, it is cancelled for everybody, though a charge may still be on its way. */
export const shownStatus = ({ status, cancelRequestedAt }: Subscription): SubscriptionStatus =>
  cancelRequestedAt ? 'cancelled' : status;

/** What is ahead of a subscription whose newest charge is `latest`. */
export function outlookOf(subscription: Subscription, latest: Charge | null): Outlook {
  const status = shownStatus(subscription);
  const none: Outlook = { nextChargeAt: null, nextRetryAt: null, earliestChargeAt: null };
  if (status === 'cancelled' || status === 'expired' || subscription.pausedSince) return none;
  const putOff = latest && deferredTo(latest);
  if (putOff) {
    const isOurs = latest?.failureCode === 'network_unavailable';
    return { nextChargeAt: putOff, nextRetryAt: isOurs ? putOff : null, earliestChargeAt: isOurs ? null : putOff };
  }
  if (status === 'past_due' && subscription.charge === 'none') {
    return { ...none, nextChargeAt: subscription.nextActionAt, nextRetryAt: subscription.nextActionAt };
  }
  if (status === 'active' && !subscription.everCharged && subscription.mandateStatus !== 'active') return none;
  return { ...none, nextChargeAt: orderOf(subscription, subscription.nextNumber).periodStart };
}

/** Until when a charge was put off; null when it was not. One that was only ordered is due at once. */
export const deferredTo = ({ status, dueAt, updatedAt }: Charge): Date | null =>
  status === 'due' && dueAt !== null && dueAt > updatedAt ? dueAt : null;
