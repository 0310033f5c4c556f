import { inTransaction } from '../db/transaction.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import { requireMayCollect } from '../merchants/guard.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import type { AuditTrail } from '../ports/operation.ts';
import { getOfferedPlan, lockPlanShared } from '../subscriptions/plans/queries.ts';
import { findLiveSubscription, type Subscription } from '../subscriptions/queries.ts';
import { shownStatus } from '../subscriptions/schedule/subscription-state.ts';
import { type SubscribeDeps, subscribeWallet } from '../subscriptions/service.ts';
import { type AskingDeps, sayingOfPlan } from './asking.ts';
import { type Challenge, messageOf } from './challenge.ts';
import { type Proof, requireProof, spend } from './proof.ts';

export type SubscribingDeps = AskingDeps & SubscribeDeps;

export type Subscriber = Proof & {
  readonly planId: string;
  readonly customerEmail: string;
  readonly customerName: string;
};

type Moment = { readonly now: Date; readonly real: Date; readonly audit: Pick<AuditTrail, 'record'> };

/** A wallet's subscription to a plan; `isNew` is false when it had one. */
export type Subscribed = { readonly subscription: Subscription; readonly isNew: boolean };

/**
 * Subscribes who has signed a text of `subscribe`. Throws NOT_FOUND for the plan, FORBIDDEN when its merchant may not
 * collect, what `requireProof` and `subscribeWallet` throw, and CONFLICT (`plan_changed`) when the plan is no longer
 * what was signed. A wallet that subscribes already gets what it has. Never inside a transaction.
 */
export async function subscribeByWallet(
  deps: SubscribingDeps,
  subscriber: Subscriber,
  { now, real, audit }: Moment,
): Promise<Subscribed> {
  const { planId, customerEmail, customerName } = subscriber;
  const { merchantId } = await getOfferedPlan(deps.db, planId);
  const { challenge } = await requireProof(deps, subscriber, { purpose: 'subscribe', subject: planId }, real);
  return inTransaction(deps.db, async (trx) => {
    requireMayCollect(await lockMerchantShared(trx, merchantId), await deps.settings.current());
    await spend(trx, challenge, real);
    // The plan stays as it is from here on until the subscription has it: it is compared with what was signed.
    await lockPlanShared(trx, { id: planId, merchantId });
    await requireSame(trx, deps, challenge, planId);
    const walletAddress = deps.chains.presentAddress(challenge.wallet);
    const draft = { customerEmail, customerName, walletAddress, subscribedBy: 'customer' } as const;
    const made = await subscribeWallet(trx, deps, { id: planId, merchantId }, draft, now).catch(refusedAsSecond);
    const subscription = made?.subscription ?? (await findLiveSubscription(trx, { planId, wallet: challenge.wallet }));
    // The one that stood in the way has ended meanwhile, or waits for a charge that was sent before it was cancelled.
    if (!subscription || shownStatus(subscription) === 'cancelled')
      throw conflict('This wallet is just leaving the plan. Try again in a moment.', 'already_subscribed');
    await audit.record(trx, {
      actor: { type: 'system', id: 'payer' },
      resourceId: subscription.id,
      merchantId,
      metadata: { planId, isNew: made !== undefined },
    });
    return { subscription, isNew: made !== undefined };
  });
}

/** `subscribeWallet` refuses a second subscription of a wallet before it has changed anything. */
function refusedAsSecond(error: unknown): undefined {
  if (error instanceof AppError && error.reason === 'already_subscribed') return undefined;
  throw error;
}

/** Throws CONFLICT (`plan_changed`) unless the plan, as it is now, makes the text that was signed. */
async function requireSame(trx: Trx, deps: SubscribingDeps, challenge: Challenge, planId: string): Promise<void> {
  const saying = await sayingOfPlan(trx, deps, await getOfferedPlan(trx, planId), challenge.wallet);
  const address = deps.chains.presentAddress(challenge.wallet);
  const message = messageOf({ ...challenge, ...saying, address, checkoutUrl: deps.checkoutUrl });
  if (message === challenge.message) return;
  throw conflict('The plan has changed since this was signed. Read it again, and sign that.', 'plan_changed');
}
