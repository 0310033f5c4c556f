import { after, DAY_MS } from '../../lib/clock.ts';
import { FRESH, NOT_HELD } from './hold.ts';
import type { Paused } from './subscription-events.ts';

/** How often a charge is reconsidered while its merchant is frozen; unfreezing triggers it at once. */
const PAUSE_CHECK_MS = DAY_MS;
/** A customer has this long to agree after a pause in which the deadline passed. */
const AGREE_AGAIN_MS = DAY_MS;

type Pausable = { readonly pausedSince: Date | null };

/** What a pause changes: it goes on until the merchant may collect again, or the network and the token are listed. */
export const pauseOf = ({ pausedSince }: Pausable, now: Date) => ({
  pausedSince: pausedSince ?? now,
  nextActionAt: after(now, PAUSE_CHECK_MS),
});

/** A pause is over. The customer could not pay meanwhile, so the retries start over. */
export const RESUMED = { ...FRESH, ...NOT_HELD, pausedSince: null } as const;

/** What changes where nothing is to be charged before `at`: a pause that is over ends here, too. */
export const waitUntil = (at: Date | null, paused: Paused) => ({
  nextActionAt: at,
  ...(paused ? {} : { pausedSince: null }),
});

/**
 * What keeps a subscription alive whose deadline for agreeing is over; null: nothing does. During a pause its customer
 * can't agree. See decision subscriptions/no-deadline-while-paused.
 */
export function graceOf(subscription: Pausable, paused: Paused, now: Date) {
  if (paused && paused !== 'unlisted') return pauseOf(subscription, now);
  if (!paused && subscription.pausedSince === null) return null;
  const authorizeBy = after(now, AGREE_AGAIN_MS);
  return { ...waitUntil(authorizeBy, paused), authorizeBy };
}
