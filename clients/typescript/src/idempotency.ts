import type { IdempotentRoute, Route } from './contract.ts';
import { idempotentRoutes } from './generated/idempotent-routes.ts';

const routes: ReadonlySet<string> = new Set(idempotentRoutes);

/** Whether a request that came twice has the effect of one, so that it may be repeated when nobody knows whether it arrived. */
export function isRepeatable(route: Route): boolean {
  return /^(GET|PUT) /.test(route) || routes.has(route);
}

/**
 * The `Idempotency-Key` of one call, the same for all of its attempts: the caller's own, a new one where the operation takes one,
 * undefined where it takes none. Throws `TypeError` for a key that can't be sent.
 */
export function idempotencyKeyFor(route: Route, given: string | undefined): string | undefined {
  if (!routes.has(route)) {
    if (given === undefined) return undefined;
    throw new TypeError(`${route} takes no idempotencyKey.`);
  }
  if (given !== undefined && !/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw new TypeError('An idempotencyKey is 1 to 255 visible ASCII characters without spaces.');
  }
  return given ?? crypto.randomUUID();
}

type Listed = (typeof idempotentRoutes)[number];

/** The list that is used at run time is the one that the types know. */
true satisfies [Listed, IdempotentRoute] extends [IdempotentRoute, Listed] ? true : false;
