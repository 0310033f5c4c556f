import { after, HOUR_MS } from '../../lib/clock.ts';

/** While a charge is open, its own row drives the work; this often we check that it was not forgotten. */
export const WATCH_MS = HOUR_MS;

/** Keeps `nextActionAt` of a charge that is sent right after it was ordered, to avoid an index update. */
export function watch(
  { nextActionAt }: { readonly nextActionAt: Date | null },
  now: Date,
): { readonly nextActionAt?: Date } {
  return nextActionAt && nextActionAt > after(now, WATCH_MS / 2) && nextActionAt <= after(now, WATCH_MS)
    ? {}
    : { nextActionAt: after(now, WATCH_MS) };
}
