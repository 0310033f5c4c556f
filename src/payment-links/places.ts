import type { Db, Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { countWithAPlace } from '../payments/queries.ts';
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
 * Throws CONFLICT (`sold_out`) unless another payment of the link can be started. The link's row has to be locked; see
 * decision payment-links/never-oversold.
 */
export async function requirePlace(trx: Trx, link: Limited): Promise<void> {
  const places = await findPlaces(trx, link);
  if (places === null || places.left > 0) return;
  const { open } = places;
  const rest =
    open === 0
      ? 'All of them are paid.'
      : `${open} of them ${open === 1 ? 'is' : 'are'} still open and may give a place back.`;
  const count = link.maxPayments === 1 ? '1 payment' : `${link.maxPayments} payments`;
  throw conflict(`This payment link takes ${count}, and none is left. ${rest}`, 'sold_out');
}
