import type { components } from '../../../generated/api.ts';
import type { Trx } from '../../lib/db-types.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { parseFiat } from '../../lib/money.ts';
import { requireAskable } from '../../payments/amount.ts';
import type { Network } from '../../ports/chain.ts';
import { changed, differingTerms, type Plan, type PlanChange } from './plan.ts';
import { resolveCollecting } from './plan-network.ts';
import { type CountedPlan, hasSubscribers, insertPlan, lockPlan, type PlanRef, savePlan } from './queries.ts';

type Schemas = components['schemas'];

export type PlanDeps = { readonly networks: readonly Network[] };

/** Stores a plan. Throws VALIDATION_ERROR for what can not be asked or collected, CONFLICT when no network can collect. */
export async function createPlan(
  trx: Trx,
  { networks }: PlanDeps,
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
    network: resolveCollecting(networks, { network: body.network, token }).network.name,
    active: true,
    createdAt: now,
    updatedAt: now,
  };
  await insertPlan(trx, plan);
  return { plan, subscriberCount: 0 };
}

/**
 * Changes a merchant's plan; what changes nothing leaves it as it is. Throws NOT_FOUND, VALIDATION_ERROR as createPlan does, and CONFLICT
 * when the terms would change that somebody has agreed to.
 */
export async function updatePlan(
  trx: Trx,
  { networks }: PlanDeps,
  ref: PlanRef,
  body: Schemas['UpdatePlanRequest'],
  now: Date,
): Promise<CountedPlan> {
  const before = await lockPlan(trx, ref);
  if (!before) throw notFound('subscription plan');
  const plan = changed(before.plan, parseChange(body), now);
  if (plan === before.plan) return before;
  const terms = differingTerms(before.plan, plan);
  if (terms.length > 0) {
    requireAskable(plan.amountMinor, plan.currency);
    if (terms.includes('token') || terms.includes('network')) resolveCollecting(networks, plan);
    if (await hasSubscribers(trx, plan.id)) throw subscribed(terms);
  }
  await savePlan(trx, plan);
  return { ...before, plan };
}

const subscribed = (terms: readonly string[]): AppError =>
  new AppError(
    'CONFLICT',
    `Customers subscribe to this plan, so ${terms.join(', ')} can't change. Switch it off and create another.`,
  );

const parseChange = (body: Schemas['UpdatePlanRequest']): PlanChange => {
  const { amount, description, ...rest } = body;
  return {
    ...rest,
    ...(amount === undefined ? {} : { amountMinor: parseFiat(amount) }),
    ...(description === undefined ? {} : { description: description || null }),
  };
};
