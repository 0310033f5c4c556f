import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Page, PageWindow, Total } from '../lib/paging.ts';
import type { LogoDeps } from '../merchants/logo.ts';
import { getMerchantFace, type MerchantFace } from '../merchants/queries.ts';
import { listNewestCharges } from '../subscriptions/charge-queries.ts';
import { planNames } from '../subscriptions/plans/queries.ts';
import { countOfWallet, listOfWallet, type Subscription, type WalletFilter } from '../subscriptions/queries.ts';
import { nameIn } from '../subscriptions/views.ts';
import { type CustomerPresentDeps, presentCustomerSubscription } from './present.ts';

/** The most charges that a subscription of the list shows. */
const CHARGES_SHOWN = 12;

export type ListDeps = LogoDeps & CustomerPresentDeps & { readonly db: Db };

type Shown = components['schemas']['CustomerSubscription'];

/** One page of a wallet's subscriptions, and how many there are. */
export async function listForCustomer(
  deps: ListDeps,
  filter: WalletFilter,
  page: PageWindow,
): Promise<{ readonly found: Page<Shown>; readonly total: Total }> {
  const [found, total] = await Promise.all([listOfWallet(deps.db, filter, page), countOfWallet(deps.db, filter, page)]);
  return { found: { ...found, rows: await showAll(deps.db, deps, found.rows) }, total };
}

/** Subscriptions as their customer sees them, in few queries. */
export async function showAll(
  db: Db | Trx,
  deps: LogoDeps & CustomerPresentDeps,
  subscriptions: readonly Subscription[],
): Promise<Shown[]> {
  const ids = subscriptions.map(({ id }) => id);
  // One after the other, because a transaction has one connection.
  const names = await planNames(db, [...new Set(subscriptions.map(({ planId }) => planId))]);
  const latest = await listNewestCharges(db, ids, { limit: 1, paid: false });
  const paid = await listNewestCharges(db, ids, { limit: CHARGES_SHOWN, paid: true });
  const faceOf = new Map<string, MerchantFace>();
  for (const { merchantId } of subscriptions) {
    if (!faceOf.has(merchantId)) faceOf.set(merchantId, await getMerchantFace(db, merchantId, deps));
  }
  return subscriptions.map((subscription) => {
    const { id, merchantId } = subscription;
    const face = faceOf.get(merchantId);
    if (!face) throw new Error(`subscription ${id} has no merchant`);
    const [latestCharge = null] = latest.get(id) ?? [];
    const view = { subscription, planName: nameIn(names, subscription), latestCharge };
    return presentCustomerSubscription({ ...view, face, charges: paid.get(id) ?? [] }, deps);
  });
}
