import type { components } from '../../generated/api.ts';
import type { Events } from '../events/record.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, invalidField, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { RateReader } from '../rates/quote.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { findChargeId, lockCharges, saveCharges } from './charge-queries.ts';
import { newMandate } from './mandates/mandate.ts';
import { insertMandate } from './mandates/queries.ts';
import type { Plan } from './plans/plan.ts';
import { type CollectingToken, findCollecting } from './plans/plan-network.ts';
import { holdPlan, type PlanRef } from './plans/queries.ts';
import { presentSubscription, type SubscriptionPresentDeps, type SubscriptionView } from './present.ts';
import { insertSubscription, lockSubscription, type SubscriptionRef, saveSubscriptions } from './queries.ts';
import type { Subscription } from './records.ts';
import { step as stepCharge } from './schedule/charge.ts';
import { mandateTerms } from './schedule/mandate-window.ts';
import { step, subscribe } from './schedule/subscription.ts';
import type { SubscriptionEvent, SubscriptionInput } from './schedule/types.ts';
import { viewOf } from './views.ts';

export type AnnounceDeps = SubscriptionPresentDeps & { readonly events: Events };

export type SubscribeDeps = AnnounceDeps & {
  readonly networks: readonly Network[];
  readonly settings: SettingsReader;
  readonly rates: RateReader;
  /** Whether this is an address of an enabled network, with a right checksum. */
  readonly isAddress: (address: string) => boolean;
  /** Whether somebody other than the platform can own the address. */
  readonly isForeign: (trx: Trx, address: string) => Promise<boolean>;
};

export type SubscribeDraft = components['schemas']['SubscribeToPlanRequest'];

/**
 * Subscribes a wallet to a merchant's plan, with the mandate that its owner is to sign, and announces it. Throws NOT_FOUND for the plan,
 * VALIDATION_ERROR for the wallet, RATE_UNAVAILABLE, and CONFLICT when the plan takes nobody, can not be collected or has the wallet.
 */
export async function subscribeWallet(
  trx: Trx,
  deps: SubscribeDeps,
  ref: PlanRef,
  draft: SubscribeDraft,
  now: Date,
): Promise<SubscriptionView> {
  const plan = await holdPlan(trx, ref);
  if (!plan) throw notFound('subscription plan');
  if (!plan.active) {
    const message = 'This plan takes no new subscribers. Switch it on first.';
    throw new AppError('CONFLICT', message, { reason: 'plan_inactive' });
  }
  const collecting = requireCollecting(deps, plan);
  await requireWallet(trx, deps, draft.walletAddress);
  const { mandateDeadlineHours, manualRates } = await deps.settings.current();
  const { amountMicro } = await deps.rates.toMicro(plan.amountMinor, plan.currency, manualRates);
  const begun = subscribe({ ...plan, mandateDeadlineHours }, now);
  const who = { id: newId('subscription', now), wallet: draft.walletAddress.toLowerCase() };
  const terms = mandateTerms({
    ...plan,
    tokenAmount: rescaleUp(amountMicro, MICRO_DECIMALS, collecting.token.decimals),
    firstDue: begun.next.anchorAt,
  });
  const mandate = newMandate(who, collecting, terms, now);
  const subscription: Subscription = {
    ...begun.next,
    ...who,
    merchantId: plan.merchantId,
    planId: plan.id,
    customerEmail: draft.customerEmail,
    customerName: draft.customerName,
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
    throw new AppError('CONFLICT', message, { reason: 'already_subscribed' });
  }
  await insertMandate(trx, mandate);
  await announce(trx, deps, view, begun.events, now);
  trx.wake('kasi_subscriptions');
  return view;
}

function requireCollecting({ networks }: SubscribeDeps, plan: Plan): CollectingToken {
  const collecting = findCollecting(networks, plan);
  if (collecting) return collecting;
  const message = `${plan.token} can not be collected on ${plan.network} any more. Create a plan on another network.`;
  throw new AppError('CONFLICT', message, { reason: 'no_collector' });
}

async function requireWallet(trx: Trx, deps: SubscribeDeps, address: string): Promise<void> {
  if (!deps.isAddress(address)) {
    throw invalidField('walletAddress', 'must be an address of an enabled network; check it for typing mistakes');
  }
  if (await deps.isForeign(trx, address)) return;
  throw invalidField(
    'walletAddress',
    'belongs to the platform or to nobody; ask the customer for a wallet of their own',
  );
}

/**
 * Does to a merchant's subscription what they ask for, and announces it. Throws NOT_FOUND, and CONFLICT when its state does not allow it.
 */
export async function moveSubscription(
  trx: Trx,
  deps: AnnounceDeps,
  ref: Required<SubscriptionRef>,
  input: Extract<SubscriptionInput, { kind: 'retry' | 'cancel' }>,
  now: Date,
): Promise<SubscriptionView> {
  const before = await lockSubscription(trx, ref);
  if (!before) throw notFound('subscription');
  const taken = step(before, input, now);
  const subscription = counted({ ...before, ...taken.next, updatedAt: now }, taken.events);
  await saveSubscriptions(trx, [subscription]);
  if (taken.withdrawn !== null) await withdrawCharge(trx, subscription.id, taken.withdrawn, now);
  const view = await viewOf(trx, subscription);
  await announce(trx, deps, view, taken.events, now);
  trx.wake('kasi_subscriptions');
  return view;
}

/** A charge that was asked for and is not sent goes the way of its subscription, whose lock is held. */
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

/** The sequence of the last event is the one that the subscription has reached. */
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
