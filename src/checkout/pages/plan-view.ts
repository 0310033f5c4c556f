import type { components } from '../../../generated/api.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { networkText } from './format.ts';
import { everyText, priceText } from './subscription-states.ts';
import type { Words } from './words.ts';

export type PublicPlan = components['schemas']['PublicPlan'];

type Promised = { readonly what: string; readonly means: string };

/** Everything that the page of a plan shows; the template decides nothing. */
export type PlanView = {
  readonly id: string;
  readonly title: string;
  readonly merchantName: string;
  readonly contact: readonly ContactLink[];
  readonly fiat: string;
  readonly every: string;
  readonly tokens: string;
  readonly planName: string;
  readonly description: string | null;
  readonly network: string;
  readonly chainId: number | null;
  /** Whether one can subscribe. */
  readonly open: boolean;
  /** What will happen, in the order in which people ask about it; empty where one can't subscribe. */
  readonly promises: readonly Promised[];
};

/** The view of a plan. */
export function planView(plan: PublicPlan, words: Words): PlanView {
  const { say } = words;
  const { name, merchantName: merchant, token } = plan;
  const network = networkText(plan.network);
  return {
    id: plan.id,
    title: say('plan.title', { plan: name, price: priceText(plan, words), merchant }),
    merchantName: merchant,
    contact: contactLinks(plan.merchantContact),
    fiat: words.fiat(plan.amount, plan.currency),
    every: everyText(plan, words),
    tokens: say('plan.paid_in', { token, network }),
    planName: name,
    description: plan.description,
    network,
    chainId: plan.chainId,
    open: plan.active,
    promises: plan.active ? promises(plan, words) : [],
  };
}

function promises(plan: PublicPlan, words: Words): Promised[] {
  const { say } = words;
  const { merchantName: merchant, trialDays: days, token } = plan;
  return [
    days > 0
      ? { what: say('plan.trial', { days }), means: say('plan.trial.means') }
      : { what: say('promise.first_now'), means: say('plan.agree.when', { price: priceText(plan, words), merchant }) },
    { what: say('plan.agree'), means: say('plan.agree.means', { token }) },
    { what: say('promise.stays'), means: say('promise.stays.means') },
    { what: say('promise.stop'), means: say('plan.stop.means') },
  ];
}
