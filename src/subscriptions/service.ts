import type { components } from '../../generated/api.ts';
import type { Events } from '../events/record.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { requireName } from '../lib/remarks.ts';
import { type Closures, requireOpen } from '../payments/options.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { RateReader } from '../rates/quote.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { findChargeId, isTakenBack, lockCharges, saveCharges } from './charge-queries.ts';
import { trialDaysFor } from './first-trial.ts';
import { newMandate } from './mandates/mandate.ts';
import { insertMandate } from './mandates/queries.ts';
import { type CollectingToken, findCollecting, type Plan } from './plans/plan.ts';
import { lockPlanShared, type PlanRef } from './plans/queries.ts';
import { presentSubscription, type SubscriptionPresentDeps } from './present.ts';
import {
  insertSubscription,
  lockSubscription,
  type Subscription,
  type SubscriptionRef,
  saveSubscriptions,
} from './queries.ts';
import { step as stepCharge } from './schedule/charge.ts';
import { awaitReturn } from './schedule/coming-back.ts';
import { mandateTerms } from './schedule/mandate-window.ts';
import { type SubscribedBy, subscribe } from './schedule/new-subscription.ts';
import { step } from './schedule/subscription.ts';
import type { SubscriptionEvent } from './schedule/subscription-events.ts';
import type { SubscriptionInput } from './schedule/subscription-state.ts';
import { type SubscriptionView, viewOf } from './views.ts';

export type AnnounceDeps = SubscriptionPresentDeps & { readonly events: Events };

export type SubscribeDeps = AnnounceDeps & {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'isAddressOn' | 'kindOf' | 'openCollector'>;
  readonly reach: Closures;
  readonly settings: SettingsReader;
  readonly rates: RateReader;
  /** Whether a customer can own the address: it is neither the platform's nor the zero address. */
  readonly isForeign: (trx: Trx, address: string) => Promise<boolean>;
};

export type SubscribeDraft = components['schemas']['SubscribeToPlanRequest'] & {
  /** The merchant, where nothing is said. */
  readonly subscribedBy?: SubscribedBy;
};

/**
 * Subscribes a wallet to a merchant's plan, creates the mandate for its owner to sign, and announces the
 * subscription. Throws NOT_FOUND for the plan, VALIDATION_ERROR for the wallet, RATE_UNAVAILABLE, SERVICE_UNAVAILABLE
 * while the plan's network cannot be reached, and CONFLICT when the plan is inactive, cannot be collected, or already
 * has the wallet.
 */
export async function subscribeWallet(
  trx: Trx,
  deps: SubscribeDeps,
  ref: PlanRef,
  draft: SubscribeDraft,
  now: Date,
): Promise<SubscriptionView> {
  const customerName = requireName('customerName', draft.customerName);
  const plan = await lockPlanShared(trx, ref);
  if (!plan.active) throw conflict('This plan takes no new subscribers. Switch it on first.', 'plan_inactive');
  const collecting = requireCollecting(deps, plan);
  requireOpen(plan.network, deps.reach);
  await requireWallet(trx, deps, collecting.collector.network, draft.walletAddress);
  const { mandateDeadlineHours, manualRates } = await deps.settings.current();
  const { amountMicro } = await deps.rates.toMicro(plan.amountMinor, plan.currency, manualRates);
  const { subscribedBy = 'merchant' } = draft;
  const wallet = deps.chains.kindOf(collecting.collector.network).addresses.canonical(draft.walletAddress);
  const trialDays = subscribedBy === 'customer' ? await trialDaysFor(trx, plan, wallet) : plan.trialDays;
  const begun = subscribe({ ...plan, trialDays, mandateDeadlineHours, subscribedBy }, now);
  const who = { id: newId('subscription', now), wallet };
  const terms = mandateTerms({
    ...plan,
    tokenAmount: rescaleUp(amountMicro, MICRO_DECIMALS, collecting.token.decimals),
    firstDue: begun.next.anchorAt,
  });
  const mandate = newMandate(who, collecting, terms, 1, now);
  const subscription: Subscription = {
    ...begun.next,
    ...who,
    merchantId: plan.merchantId,
    planId: plan.id,
    customerEmail: draft.customerEmail,
    customerName,
    locale: null,
    subscribedBy,
    amountMinor: plan.amountMinor,
    currency: plan.currency,
    token: plan.token,
    network: plan.network,
    mandateId: mandate.id,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
  const view = { subscription: counted(subscription, begun.events), planName: plan.name, latestCharge: null };
  if (!(await insertSubscription(trx, view.subscription))) {
    const message =
      'This wallet subscribes to the plan already. Cancel that subscription first, or use another wallet.';
    throw conflict(message, 'already_subscribed');
  }
  await insertMandate(trx, mandate);
  await announce(trx, deps, view, begun.events, now);
  trx.wake('kasi_subscriptions');
  return view;
}

function requireCollecting(deps: SubscribeDeps, plan: Plan): CollectingToken {
  const collecting = findCollecting(deps, plan);
  if (collecting) return collecting;
  const message = `${plan.token} can not be collected on ${plan.network} any more. Create a plan on another network.`;
  throw conflict(message, 'no_collector');
}

async function requireWallet(trx: Trx, deps: SubscribeDeps, network: Network, address: string): Promise<void> {
  if (!deps.chains.isAddressOn(network, address)) {
    throw invalidField('walletAddress', `must be an address of ${network.name}; check it for typing mistakes`);
  }
  if (await deps.isForeign(trx, address)) return;
  throw invalidField(
    'walletAddress',
    'belongs to the platform or to nobody; ask the customer for a wallet of their own',
  );
}

/**
 * Retries or cancels a merchant's subscription, and announces it. Throws NOT_FOUND, and CONFLICT from a wrong state.
 */
export async function changeSubscription(
  trx: Trx,
  deps: AnnounceDeps,
  ref: Required<SubscriptionRef>,
  input: Extract<SubscriptionInput, { kind: 'retry' | 'cancel' }>,
  now: Date,
): Promise<SubscriptionView> {
  const before = await lockSubscription(trx, ref);
  const taken = step(before, input, now);
  const later = (await isTakenBack(trx, { ...before, ...taken.next })) ? awaitReturn(taken.next, now) : {};
  const subscription = counted({ ...before, ...taken.next, ...later, updatedAt: now }, taken.events);
  await saveSubscriptions(trx, [subscription]);
  if (taken.withdrawn !== null) await withdrawCharge(trx, subscription.id, taken.withdrawn, now);
  const view = await viewOf(trx, subscription);
  await announce(trx, deps, view, taken.events, now);
  trx.wake('kasi_subscriptions');
  return view;
}

/** Voids a charge that was ordered and not sent. The subscription is locked. */
async function withdrawCharge(trx: Trx, subscriptionId: string, number: number, now: Date): Promise<void> {
  const id = await findChargeId(trx, subscriptionId, number);
  const [charge] = await lockCharges(trx, id === undefined ? [] : [id]);
  if (!charge) return;
  const { next } = stepCharge(charge, { kind: 'withdrawn', reason: 'cancelled' }, now);
  await saveCharges(trx, [{ ...charge, ...next, updatedAt: now }]);
}

const counted = (subscription: Subscription, events: readonly SubscriptionEvent[]): Subscription => ({
  ...subscription,
  eventSequence: subscription.eventSequence + events.length,
});

/** The last event gets the sequence that the subscription has reached. */
async function announce(
  trx: Trx,
  deps: AnnounceDeps,
  view: SubscriptionView,
  types: readonly SubscriptionEvent[],
  now: Date,
): Promise<void> {
  const { id: resourceId, merchantId, eventSequence } = view.subscription;
  const first = eventSequence - types.length + 1;
  const data = presentSubscription(view, deps);
  const drafts = types.map((type, i) => ({ merchantId, type, resourceId, sequence: first + i, data }));
  await deps.events.recordMany(trx, drafts, now);
}
