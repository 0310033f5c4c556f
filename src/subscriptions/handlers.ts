import type { Db } from '../lib/db-types.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { requireMayCollect, requireMayCreate } from '../merchants/guard.ts';
import type { Call, HandlersOf } from '../ports/operation.ts';
import { listAttempts } from './attempts.ts';
import { countCharges, listCharges, readPaid } from './charge-queries.ts';
import { type PublicViewDeps, presentPublicSubscription, readPublicView } from './mandates/public-view.ts';
import { submitSignature } from './mandates/signing.ts';
import { type PlanHandlerDeps, planHandlers } from './plans/handlers.ts';
import { planNames } from './plans/queries.ts';
import { presentCancellation, presentCharge, presentSubscription, presentSummary } from './present.ts';
import { countSubscriptions, getSubscription, listSubscriptions, type SubscriptionFilter } from './queries.ts';
import { shownStatus } from './schedule/subscription-state.ts';
import { changeSubscription, type SubscribeDeps, subscribeWallet } from './service.ts';
import { nameIn, viewOf } from './views.ts';

export type SubscriptionHandlerDeps = SubscribeDeps &
  PlanHandlerDeps &
  PublicViewDeps & { readonly db: Db; readonly livemode: boolean };

type PlanOperation = 'createPlan' | 'listPlans' | 'getPlan' | 'updatePlan' | 'getPublicPlan';
type Change = 'subscribeToPlan' | 'cancelSubscription' | 'retrySubscription';
type Reading = 'listSubscriptions' | 'getSubscription' | 'listCharges';
type CustomerOperation = 'getPublicSubscription' | 'submitMandate';

/** The most attempts that a charge shows. */
const ATTEMPTS_SHOWN = 20;

/** The operations of the tag `subscriptions`. */
export function subscriptionHandlers(
  deps: SubscriptionHandlerDeps,
): HandlersOf<PlanOperation | Change | Reading | CustomerOperation> {
  return { ...planHandlers(deps), ...changes(deps), ...readings(deps), ...customerHandlers(deps) };
}

function changes(deps: SubscriptionHandlerDeps): HandlersOf<Change> {
  const change = async (
    { principal, params, now, trx, audit }: Call<'cancelSubscription'> | Call<'retrySubscription'>,
    input: Parameters<typeof changeSubscription>[3],
  ) => {
    const ref = { id: params.id, merchantId: principal.merchantId };
    const view = await changeSubscription(trx, deps, ref, input, now);
    audit.note({ metadata: { status: shownStatus(view.subscription) } });
    return view;
  };
  return {
    subscribeToPlan: async ({ principal, params, body, now, trx, audit }) => {
      requireMayCreate(principal.status);
      requireMayCollect(principal, await deps.settings.current());
      const view = await subscribeWallet(trx, deps, { id: params.id, merchantId: principal.merchantId }, body, now);
      audit.note({ metadata: { planId: params.id } });
      return { status: 200, body: presentSubscription(view, deps) };
    },
    cancelSubscription: async (call) => {
      const { subscription } = await change(call, { kind: 'cancel', reason: 'requested' });
      return { status: 200, body: presentCancellation(subscription, await readPaid(call.trx, subscription)) };
    },
    retrySubscription: async (call) => ({
      status: 200,
      body: presentSubscription(await change(call, { kind: 'retry' }), deps),
    }),
  };
}

function readings(deps: SubscriptionHandlerDeps): HandlersOf<Reading> {
  const { db } = deps;
  const get = ({ principal, params }: Call<'getSubscription'> | Call<'listCharges'>) =>
    getSubscription(db, { id: params.id, merchantId: principal.merchantId });
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
      const names = await planNames(db, [...new Set(subscriptions.rows.map((each) => each.planId))]);
      const shown = subscriptions.rows.map((each) =>
        presentSummary({ subscription: each, planName: nameIn(names, each) }),
      );
      return {
        status: 200,
        body: { subscriptions: shown, pagination: presentPagination(query, total, subscriptions) },
      };
    },
    getSubscription: async (call) => ({
      status: 200,
      body: presentSubscription(await viewOf(db, await get(call)), deps),
    }),
    listCharges: async (call) => {
      const { id } = await get(call);
      const [charges, total] = await Promise.all([listCharges(db, id, windowOf(call.query)), countCharges(db, id)]);
      const ids = charges.rows.map((charge) => charge.id);
      const attempts = await listAttempts(db, ids, ATTEMPTS_SHOWN);
      const data = charges.rows.map((charge) => presentCharge(charge, attempts.get(charge.id) ?? []));
      return { status: 200, body: { data, pagination: presentPagination(call.query, total, charges) } };
    },
  };
}

function customerHandlers(deps: SubscriptionHandlerDeps): HandlersOf<CustomerOperation> {
  return {
    getPublicSubscription: async ({ params, now }) => {
      const view = await readPublicView(deps, params.id, now);
      return { status: 200, body: presentPublicSubscription(view, deps) };
    },
    submitMandate: async ({ params, body, now, audit }) => {
      await submitSignature(deps, { subscriptionId: params.id, signature: body.signature }, { now, audit });
      const view = await readPublicView(deps, params.id, now);
      return { status: 200, body: presentPublicSubscription(view, deps) };
    },
  };
}
