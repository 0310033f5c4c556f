import type { Db, Trx } from '../lib/db-types.ts';
import { listCharges } from './charge-queries.ts';
import { planNames } from './plans/queries.ts';
import type { Subscription } from './queries.ts';
import type { Charge } from './schedule/charge.ts';

/** A subscription with what its detail view shows of its plan and charges. */
export type SubscriptionView = {
  readonly subscription: Subscription;
  readonly planName: string;
  /** The newest charge; null before the first. */
  readonly latestCharge: Charge | null;
};

/** Completes a subscription with what its detail view shows. */
export async function viewOf(db: Db | Trx, subscription: Subscription): Promise<SubscriptionView> {
  // One after the other, because a transaction has one connection.
  const names = await planNames(db, [subscription.planId]);
  const { rows: newest } = await listCharges(db, subscription.id, { offset: 0, limit: 1 });
  const [latestCharge = null] = newest;
  return { subscription, planName: nameIn(names, subscription), latestCharge };
}

/** The name of a subscription's plan. */
export function nameIn(names: ReadonlyMap<string, string>, { id, planId }: Subscription): string {
  const name = names.get(planId);
  if (name === undefined) throw new Error(`subscription ${id} has no plan`);
  return name;
}
