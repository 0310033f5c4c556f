import type { LimitRule } from '../../generated/operations.ts';
import { after, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import { countWithin } from '../limits/counters.ts';
import { countWithAPlace } from '../payments/queries.ts';
import type { LimitRules } from '../ports/security.ts';
import type { PaymentLink } from './link.ts';

/** How many payments of a limited link can be started, and how many are neither paid nor over. */
export type Places = { readonly left: number; readonly open: number };

type Limited = Pick<PaymentLink, 'id' | 'maxPayments'>;

/** The places of a link as of now; null where it takes as many payments as people make. */
export async function findPlaces(db: Db | Trx, { id, maxPayments }: Limited): Promise<Places | null> {
  if (maxPayments === null) return null;
  const { open, paid } = await countWithAPlace(db, id);
  // More than there were: one was paid late, or the merchant has lowered the limit.
  return { left: Math.max(0, maxPayments - open - paid), open };
}

/**
 * Throws CONFLICT (`sold_out`) unless another payment of the link can be started; returns its places, null where it has
 * no limit. The link's row has to be locked; see decision payment-links/never-oversold.
 */
export async function requirePlace(trx: Trx, link: Limited): Promise<Places | null> {
  const places = await findPlaces(trx, link);
  if (places === null || places.left > 0) return places;
  const { open } = places;
  const rest =
    open === 0
      ? 'All of them are paid.'
      : `${open} of them ${open === 1 ? 'is' : 'are'} still open and may give a place back.`;
  const count = link.maxPayments === 1 ? '1 payment' : `${link.maxPayments} payments`;
  throw conflict(`This payment link takes ${count}, and none is left. ${rest}`, 'sold_out');
}

/** A payment of a limited link holds its place for so long at most. See decision payment-links/never-oversold. */
const HOLD_MS = 15 * MINUTE_MS;

/** When a payment of a link that starts now is over; null: as any other. `lifeMs`: that of any other. */
export const endOfHold = ({ maxPayments }: Limited, lifeMs: number, now: Date): Date | null =>
  maxPayments === null ? null : after(now, Math.min(HOLD_MS, lifeMs));

/** Who starts a payment, and the limits in force. */
export type Starter = { readonly ip: string; readonly real: Date; readonly limits: LimitRules };

/** Counters of longer windows would be deleted before their end (limits/limits.ts). */
const WINDOW_MAX_SECONDS = 7200;

/**
 * In how many seconds an address may start so many payments of a link: in the limit's, or, where few places are unpaid,
 * in twice as many as it could hold all of those for.
 */
function windowOf({ max, windowSeconds }: LimitRule, { left, open }: Places): number {
  const held = (max * HOLD_MS) / SECOND_MS / (left + open);
  return Math.min(Math.max(windowSeconds, Math.ceil(2 * held)), WINDOW_MAX_SECONDS);
}

/** Throws RATE_LIMITED when an address has just started as many payments of a limited link as it may. */
export async function requireTurn(trx: Trx, linkId: string, places: Places | null, starter: Starter): Promise<void> {
  const { ip, real, limits } = starter;
  const rule = limits.place_hold;
  if (places === null || !rule) return;
  const windowSeconds = windowOf(rule, places);
  const key = `${addressKey(ip)} ${linkId}`;
  const retryAfterSeconds = await countWithin(trx, 'place_hold', key, { ...rule, windowSeconds }, real);
  if (retryAfterSeconds === null) return;
  const message =
    `This link takes only so many payments, and ${rule.max} of them were just started from your address. ` +
    `Pay those, or try again in ${retryAfterSeconds} seconds.`;
  throw new AppError('RATE_LIMITED', message, { retryAfterSeconds });
}
