import type { components } from '../../../generated/api.ts';
import { presentFiat } from '../../lib/money.ts';
import { presentPagination, windowOf } from '../../lib/paging.ts';
import { requireMayCreate } from '../../merchants/guard.ts';
import type { HandlersOf } from '../../ports/operation.ts';
import { type PublicPlanDeps, readPublicPlan } from './public-plan.ts';
import { type CountedPlan, countPlans, getPlan, listPlans, type PlanFilter } from './queries.ts';
import { createPlan, updatePlan } from './service.ts';

export type PlanHandlerDeps = PublicPlanDeps;
type Operation = 'createPlan' | 'listPlans' | 'getPlan' | 'updatePlan' | 'getPublicPlan';

/** The operations on plans, of the tag `subscriptions`. */
export function planHandlers(deps: PlanHandlerDeps): HandlersOf<Operation> {
  return {
    createPlan: async ({ principal, body, now, trx }) => {
      requireMayCreate(principal.status);
      return { status: 200, body: presentPlan(await createPlan(trx, deps, principal.merchantId, body, now), deps) };
    },
    listPlans: async ({ principal, query }) => {
      const { active } = query;
      const filter: PlanFilter = { merchantId: principal.merchantId, ...(active === undefined ? {} : { active }) };
      const [plans, total] = await Promise.all([
        listPlans(deps.db, filter, windowOf(query)),
        countPlans(deps.db, filter),
      ]);
      return {
        status: 200,
        body: {
          plans: plans.rows.map((plan) => presentPlan(plan, deps)),
          pagination: presentPagination(query, total, plans),
        },
      };
    },
    getPlan: async ({ principal, params }) => {
      const found = await getPlan(deps.db, { id: params.id, merchantId: principal.merchantId });
      return { status: 200, body: presentPlan(found, deps) };
    },
    updatePlan: async ({ principal, params, body, now, trx, audit }) => {
      const ref = { id: params.id, merchantId: principal.merchantId };
      const updated = await updatePlan(trx, deps, ref, body, now);
      audit.note({ metadata: { ...body } });
      return { status: 200, body: presentPlan(updated, deps) };
    },
    getPublicPlan: async ({ params }) => ({ status: 200, body: await readPublicPlan(deps, params.id) }),
  };
}

/** The merchant's view, the same in lists. */
const presentPlan = (
  { plan, subscriberCount }: CountedPlan,
  { checkoutUrl }: Pick<PlanHandlerDeps, 'checkoutUrl'>,
): components['schemas']['Plan'] => ({
  id: plan.id,
  name: plan.name,
  amount: presentFiat(plan.amountMinor),
  currency: plan.currency,
  interval: plan.interval,
  trialDays: plan.trialDays,
  description: plan.description,
  active: plan.active,
  subscriberCount,
  token: plan.token,
  network: plan.network,
  url: `${checkoutUrl}/plan/${plan.id}`,
  createdAt: plan.createdAt.toISOString(),
});
