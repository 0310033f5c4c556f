import type { IdempotentRoute, Route } from './contract.ts';
import { idempotentRoutes } from './generated/idempotent-routes.ts';

const routes: ReadonlySet<string> = new Set(idempotentRoutes);

/**
 * Whether a repeated request has the effect of one, so that it may be sent again when it is unknown whether it arrived.
 */
export function isRepeatable(route: Route): boolean {
  return /^(GET|PUT) /.test(route) || routes.has(route);
}

/**
 * The `Idempotency-Key` of one call, the same for all its attempts: the caller's key, or a new one, or undefined when
 * the operation takes none. Throws `TypeError` for a key that can't be sent.
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

/** The runtime list and the types must agree. */
true satisfies [Listed, IdempotentRoute] extends [IdempotentRoute, Listed] ? true : false;
