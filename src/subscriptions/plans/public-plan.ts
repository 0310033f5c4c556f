import type { components } from '../../../generated/api.ts';
import type { Db } from '../../lib/db-types.ts';
import { presentFiat } from '../../lib/money.ts';
import { mayCollect } from '../../merchants/guard.ts';
import type { LogoDeps } from '../../merchants/logo.ts';
import { getMerchant, getMerchantFace } from '../../merchants/queries.ts';
import type { SettingsReader } from '../../settings/settings.ts';
import { type CollectingDeps, findCollecting } from './plan.ts';
import { getOfferedPlan } from './queries.ts';

export type PublicPlanDeps = CollectingDeps &
  LogoDeps & {
    readonly db: Db;
    readonly settings: SettingsReader;
    readonly checkoutUrl: string;
    readonly livemode: boolean;
  };

/** What everybody may see of a plan, also of one that takes nobody. Throws NOT_FOUND. */
export async function readPublicPlan(deps: PublicPlanDeps, id: string): Promise<components['schemas']['PublicPlan']> {
  const { db, livemode } = deps;
  const plan = await getOfferedPlan(db, id);
  const [merchant, face, settings] = await Promise.all([
    getMerchant(db, plan.merchantId),
    getMerchantFace(db, plan.merchantId, deps),
    deps.settings.current(),
  ]);
  const collecting = findCollecting(deps, plan);
  return {
    id: plan.id,
    ...face,
    name: plan.name,
    description: plan.description,
    amount: presentFiat(plan.amountMinor),
    currency: plan.currency,
    interval: plan.interval,
    trialDays: plan.trialDays,
    active: plan.active && collecting !== undefined && mayCollect(merchant, settings),
    token: plan.token,
    network: plan.network,
    chainId: collecting?.collector.chainId ?? null,
    livemode,
  };
}
