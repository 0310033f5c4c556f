import type { components } from '../../../generated/api.ts';
import type { Trx } from '../../lib/db-types.ts';
import { type AppError, conflict } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { parseFiat } from '../../lib/money.ts';
import { requireAskable } from '../../payments/amount.ts';
import { type CollectingDeps, changed, differingTerms, type Plan, type PlanChange, resolveCollecting } from './plan.ts';
import { type CountedPlan, hasSubscribers, insertPlan, lockPlan, type PlanRef, savePlan } from './queries.ts';

type Schemas = components['schemas'];

/**
 * Creates a plan. Throws VALIDATION_ERROR for an amount that cannot be charged or a network or token that cannot be
 * collected, CONFLICT when no network can collect.
 */
export async function createPlan(
  trx: Trx,
  deps: CollectingDeps,
  merchantId: string,
  body: Schemas['CreatePlanRequest'],
  now: Date,
): Promise<CountedPlan> {
  const { currency, interval, token = 'USDT' } = body;
  const amountMinor = parseFiat(body.amount);
  requireAskable(amountMinor, currency);
  const plan: Plan = {
    id: newId('plan', now),
    merchantId,
    name: body.name,
    description: body.description || null,
    amountMinor,
    currency,
    interval,
    trialDays: body.trialDays ?? 0,
    token,
    network: resolveCollecting(deps, { network: body.network, token }).collector.network.name,
    active: true,
    createdAt: now,
    updatedAt: now,
  };
  await insertPlan(trx, plan);
  return { plan, subscriberCount: 0 };
}

/**
 * Updates a merchant's plan. Throws NOT_FOUND, VALIDATION_ERROR as createPlan does, and CONFLICT when it would change
 * terms that subscribers have agreed to. See decision subscriptions/terms-stand-still.
 */
export async function updatePlan(
  trx: Trx,
  deps: CollectingDeps,
  ref: PlanRef,
  body: Schemas['UpdatePlanRequest'],
  now: Date,
): Promise<CountedPlan> {
  const before = await lockPlan(trx, ref);
  const plan = changed(before.plan, parseChange(body), now);
  if (plan === before.plan) return before;
  const terms = differingTerms(before.plan, plan);
  if (terms.length > 0) {
    requireAskable(plan.amountMinor, plan.currency);
    if (terms.includes('token') || terms.includes('network')) resolveCollecting(deps, plan);
    if (await hasSubscribers(trx, plan.id)) throw subscribed(terms);
  }
  await savePlan(trx, plan);
  return { ...before, plan };
}

const subscribed = (terms: readonly string[]): AppError =>
  conflict(`Customers subscribe to this plan, so ${terms.join(', ')} can't change. Switch it off and create another.`);

const parseChange = (body: Schemas['UpdatePlanRequest']): PlanChange => {
  const { amount, description, ...rest } = body;
  return {
    ...rest,
    ...(amount === undefined ? {} : { amountMinor: parseFiat(amount) }),
    ...(description === undefined ? {} : { description: description || null }),
  };
};
