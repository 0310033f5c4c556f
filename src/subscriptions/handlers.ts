import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { requireMayCollect, requireMayCreate } from '../merchants/guard.ts';
import type { Call, HandlersOf } from '../ports/operation.ts';
import { listAttempts } from './attempt-queries.ts';
import { countCharges, listCharges } from './charge-queries.ts';
import { type PlanHandlerDeps, planHandlers } from './plans/handlers.ts';
import { presentCancellation, presentCharge, presentSubscription, presentSummary } from './present.ts';
import { type PublicHandlerDeps, publicSubscriptionHandlers } from './public-handlers.ts';
import { countSubscriptions, findSubscription, listSubscriptions, type SubscriptionFilter } from './queries.ts';
import { shownStatus } from './schedule/outlook.ts';
import { moveSubscription, type SubscribeDeps, subscribeWallet } from './service.ts';
import { nameIn, planNames, viewOf } from './views.ts';

export type SubscriptionHandlerDeps = SubscribeDeps & PlanHandlerDeps & PublicHandlerDeps & { readonly db: Db };

type PlanOperation = 'createPlan' | 'listPlans' | 'getPlan' | 'updatePlan';
type Change = 'subscribeToPlan' | 'cancelSubscription' | 'retrySubscription';
type Reading = 'listSubscriptions' | 'getSubscription' | 'listCharges';
type CustomerOperation = 'getPublicSubscription' | 'submitMandate';

/** The most tries that a charge shows. */
const ATTEMPTS_SHOWN = 20;

/** The operations of the tag `subscriptions`. */
export function subscriptionHandlers(
  deps: SubscriptionHandlerDeps,
): HandlersOf<PlanOperation | Change | Reading | CustomerOperation> {
  return { ...planHandlers(deps), ...changes(deps), ...readings(deps), ...publicSubscriptionHandlers(deps) };
}

function changes(deps: SubscriptionHandlerDeps): HandlersOf<Change> {
  const move = async (
    { principal, params, now, trx, audit }: Call<'cancelSubscription'> | Call<'retrySubscription'>,
    input: Parameters<typeof moveSubscription>[3],
  ) => {
    const ref = { id: params.id, merchantId: principal.merchantId };
    const view = await moveSubscription(trx, deps, ref, input, now);
    audit.note({ metadata: { status: shownStatus(view.subscription) } });
    return view;
  };
  return {
    subscribeToPlan: async ({ principal, params, body, now, trx, audit }) => {
      requireMayCreate(principal.status);
      requireMayCollect(principal.status, await deps.settings.current());
      const view = await subscribeWallet(trx, deps, { id: params.id, merchantId: principal.merchantId }, body, now);
      audit.note({ metadata: { planId: params.id } });
      return { status: 200, body: presentSubscription(view, deps) };
    },
    cancelSubscription: async (call) => {
      const { subscription } = await move(call, { kind: 'cancel', reason: 'requested' });
      return { status: 200, body: presentCancellation(subscription) };
    },
    retrySubscription: async (call) => ({
      status: 200,
      body: presentSubscription(await move(call, { kind: 'retry' }), deps),
    }),
  };
}

function readings(deps: SubscriptionHandlerDeps): HandlersOf<Reading> {
  const { db } = deps;
  const find = async ({ principal, params }: Call<'getSubscription'> | Call<'listCharges'>) => {
    const found = await findSubscription(db, { id: params.id, merchantId: principal.merchantId });
    if (!found) throw notFound('subscription');
    return found;
  };
  return {
    listSubscriptions: async ({ principal, query }) => {
      const { status, planId } = query;
      const filter: SubscriptionFilter = {
        merchantId: principal.merchantId,
        ...(status && { status }),
        ...(planId === undefined ? {} : { planId }),
      };
      const [subscriptions, total] = await Promise.all([
        listSubscriptions(db, filter, windowOf(query)),
        countSubscriptions(db, filter),
      ]);
      const names = await planNames(db, [...new Set(subscriptions.map((each) => each.planId))]);
      const shown = subscriptions.map((each) => presentSummary({ subscription: each, planName: nameIn(names, each) }));
      return { status: 200, body: { subscriptions: shown, pagination: presentPagination(query, total) } };
    },
    getSubscription: async (call) => ({
      status: 200,
      body: presentSubscription(await viewOf(db, await find(call)), deps),
    }),
    listCharges: async (call) => {
      const { id } = await find(call);
      const [charges, total] = await Promise.all([listCharges(db, id, windowOf(call.query)), countCharges(db, id)]);
      const ids = charges.map((charge) => charge.id);
      const attempts = await listAttempts(db, ids, ATTEMPTS_SHOWN);
      const data = charges.map((charge) => presentCharge(charge, attempts.get(charge.id) ?? []));
      return { status: 200, body: { data, pagination: presentPagination(call.query, total) } };
    },
  };
}
