import { after, DAY_MS } from '../../lib/clock.ts';

/** How long the end of a cancelled subscription waits for a charge that a reorg has taken, or may take. */
const AGAIN_WITHIN_MS = DAY_MS;

type Ending = { readonly status: string; readonly nextActionAt: Date | null };

/**
 * What changes where a charge that gives a cancelled subscription its period may come back: it does not expire
 * meanwhile, because what is confirmed after the end pays for nothing.
 */
export function awaitReturn({ status, nextActionAt }: Ending, now: Date): { readonly nextActionAt?: Date } {
  const earliest = after(now, AGAIN_WITHIN_MS);
  return status !== 'cancelled' || nextActionAt === null || nextActionAt >= earliest ? {} : { nextActionAt: earliest };
}
