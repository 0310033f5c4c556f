import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { mayCollect } from '../merchants/guard.ts';
import { getMerchantAtWork } from '../merchants/queries.ts';
import { listCredits } from './credits.ts';
import { presentPublicPayment, TRANSACTIONS_SHOWN } from './present.ts';
import { getPayment } from './queries.ts';
import { listReplaced } from './replaced.ts';
import type { Payment } from './types.ts';

type PresentDeps = Parameters<typeof presentPublicPayment>[2];

export type PublicViewDeps = Omit<PresentDeps, 'face' | 'collects' | 'replaced' | 'refundOffer'> &
  Parameters<typeof getMerchantAtWork>[2] & {
    readonly db: Db;
    readonly refundsOf: {
      /** What the merchant's rules offer its payer back. */
      readonly offer: (db: Db | Trx, payment: Payment) => Promise<components['schemas']['RefundOffer'] | null>;
    };
  };

/** What a payer may see of a payment. Throws NOT_FOUND. */
export async function readPublicPayment(
  deps: PublicViewDeps,
  id: string,
): Promise<components['schemas']['PublicPayment']> {
  return presentPublic(deps, deps.db, await getPayment(deps.db, { id }));
}

/** The same of a payment that was read already. */
export async function presentPublic(
  deps: PublicViewDeps,
  db: Db | Trx,
  payment: Payment,
): Promise<components['schemas']['PublicPayment']> {
  const [{ face, ...merchant }, credits, replaced, refundOffer] = await Promise.all([
    getMerchantAtWork(db, payment.merchantId, deps),
    payment.creditCount > 0 ? listCredits(db, payment.id, TRANSACTIONS_SHOWN) : [],
    listReplaced(db, payment),
    deps.refundsOf.offer(db, payment),
  ]);
  const collects = mayCollect(merchant, deps.settings.latest());
  return presentPublicPayment(payment, credits, { ...deps, face, collects, replaced, refundOffer });
}
