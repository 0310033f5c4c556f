import type { Db, Trx } from '../lib/db-types.ts';
import { listCharges } from './charge-queries.ts';
import type { SubscriptionView } from './present.ts';
import type { Subscription } from './records.ts';

/** What the detail view of a subscription shows besides itself. */
export async function viewOf(db: Db | Trx, subscription: Subscription): Promise<SubscriptionView> {
  // One after the other, because a transaction has one connection.
  const names = await planNames(db, [subscription.planId]);
  const [latestCharge = null] = await listCharges(db, subscription.id, { offset: 0, limit: 1 });
  return { subscription, planName: nameIn(names, subscription), latestCharge };
}

/** The names of plans, by their ids. */
export async function planNames(db: Db | Trx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('plans').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The name of a subscription's plan. */
export function nameIn(names: ReadonlyMap<string, string>, { id, planId }: Subscription): string {
  const name = names.get(planId);
  if (name === undefined) throw new Error(`subscription ${id} has no plan`);
  return name;
}
