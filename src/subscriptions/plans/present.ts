import type { components } from '../../../generated/api.ts';
import { presentFiat } from '../../lib/money.ts';
import type { CountedPlan } from './queries.ts';

/** The view of its merchant, in lists as everywhere. */
export const presentPlan = ({ plan, subscriberCount }: CountedPlan): components['schemas']['Plan'] => ({
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
  createdAt: plan.createdAt.toISOString(),
});
