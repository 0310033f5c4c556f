import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/** A mail that nobody took for so long is given up. */
export const GIVEN_UP_AFTER_MS = DAY_MS;

/** Between the attempts of a mail that its server asks us to bring again. */
const DELAYS_MS = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * MINUTE_MS);
/** No mail waits longer than this for a server that took nothing: it may be back before. */
const TROUBLE_MAX_MS = 15 * MINUTE_MS;
/** Between looks at a server that takes nothing. */
const LOOK_FIRST_MS = 15 * SECOND_MS;
const LOOK_MAX_MS = 5 * MINUTE_MS;
/** A server that has taken nothing for so long is an incident. */
export const INCIDENT_AFTER_MS = 10 * MINUTE_MS;
/** A mail that was taken so recently says more about its server than refusals of others. */
export const DOUBT_MS = 5 * MINUTE_MS;
/** A mail that could not be written, which is our own fault, is written anew so much later. */
export const REWRITE_AFTER_MS = 5 * MINUTE_MS;

type Tried = { readonly attempt: number; readonly createdAt: Date };

const delayOf = ({ attempt }: Tried): number => DELAYS_MS[attempt - 1] ?? DELAYS_MS.at(-1)!;

/** When a mail is brought again that was not taken this time; null: it is given up. */
export function nextAttempt(tried: Tried, now: Date): Date | null {
  const at = after(now, delayOf(tried));
  return at > after(tried.createdAt, GIVEN_UP_AFTER_MS) ? null : at;
}

/** When a mail is brought again that failed because of its server. Only its age gives it up. */
export const afterTrouble = (tried: Tried, now: Date): Date => after(now, Math.min(delayOf(tried), TROUBLE_MAX_MS));

/** When a server is looked at again that has failed `failures` times in a row. */
export const nextLook = (failures: number, now: Date): Date =>
  after(now, Math.min(LOOK_FIRST_MS * 2 ** Math.min(failures - 1, 10), LOOK_MAX_MS));

/** Whether a look is still to come. One further ahead than any was planned by a clock that was wrong, and is due. */
export const isLookLater = (at: Date, now: Date): boolean => at > now && at <= after(now, LOOK_MAX_MS);
