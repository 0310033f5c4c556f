import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';

/** What is kept of a hold. See decision subscriptions/held-while-the-list-is-mended. */
export type Held = {
  /** Since when every look has found it held; null: the last one did not. */
  readonly heldSince: Date | null;
  /** When its retries last started over after a hold; null once nothing is unpaid. */
  readonly retriesAnewAt: Date | null;
};

/** How often it is looked whether a list has been mended: seldom where that has lasted. */
const HOLD_MS = { least: 5 * MINUTE_MS, most: HOUR_MS };
/** What of the time that it has lasted is waited until the next look. */
const HOLD_SHARE = 12;

/** A hold that lasts so long starts the retries over, whatever was before. */
const LASTING_MS = DAY_MS;

/** Not held, and no retries of before to bound. */
export const NOT_HELD: Held = { heldSince: null, retriesAnewAt: null };

/** The retries start over. */
export const FRESH = { firstFailedAt: null, failures: 0 } as const;

/** What is due waits for a list that may still be mended, and its retries for the end of that. */
export const hold = ({ heldSince }: Held, now: Date) => ({
  heldSince: heldSince ?? now,
  nextActionAt: nextLookAt(heldSince ?? now, now),
});

/** When to look again at what has waited since then for a list to be mended. */
export function nextLookAt(since: Date, now: Date): Date {
  const lastedMs = now.getTime() - since.getTime();
  return after(now, Math.min(HOLD_MS.most, Math.max(HOLD_MS.least, lastedMs / HOLD_SHARE)));
}

/**
 * What a hold that is over has changed; empty where there was none. The retries start over once, and again after a hold
 * that lasted. Otherwise they have only stood still: looks of two lists in turn would start them over for ever.
 */
export function release(
  { heldSince, retriesAnewAt, firstFailedAt }: Held & { readonly firstFailedAt: Date | null },
  now: Date,
): Partial<Held> & { readonly firstFailedAt?: Date | null; readonly failures?: number } {
  if (heldSince === null) return {};
  if (firstFailedAt === null) return { heldSince: null };
  const heldMs = now.getTime() - heldSince.getTime();
  if (retriesAnewAt === null || heldMs >= LASTING_MS) return { ...FRESH, heldSince: null, retriesAnewAt: now };
  const moved = after(firstFailedAt, heldMs);
  return { heldSince: null, firstFailedAt: moved < now ? moved : now };
}
