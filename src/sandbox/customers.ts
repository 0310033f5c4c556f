import type { components } from '../../generated/api.ts';
import { recordAudit } from '../audit/record.ts';
import type { PlayWallet } from '../chains/evm/play-wallet.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../lib/errors.ts';
import { requireCollects, requireMayCollect, requireMayCreate } from '../merchants/guard.ts';
import { getMerchant } from '../merchants/queries.ts';
import type { AuditTrail } from '../ports/operation.ts';
import type { MerchantPrincipal, Origin } from '../ports/security.ts';
import { presentPublicSubscription, readPublicView } from '../subscriptions/mandates/public-view.ts';
import { submitSignature } from '../subscriptions/mandates/signing.ts';
import { getOfferedPlan } from '../subscriptions/plans/queries.ts';
import { presentSubscription } from '../subscriptions/present.ts';
import { getSubscription } from '../subscriptions/queries.ts';
import type { MandateStatus } from '../subscriptions/schedule/subscription-state.ts';
import { subscribeWallet } from '../subscriptions/service.ts';
import { viewOf } from '../subscriptions/views.ts';
import { presentWallet } from './present.ts';
import type { Sandbox } from './sandbox.ts';
import { until, waitUntilQuiet } from './sync.ts';
import { createSandboxWallet, findSandboxWallet } from './wallets.ts';

type Schemas = components['schemas'];

/** Which subscription; of any merchant when `merchantId` is absent. */
export type SubscriptionRef = { readonly subscriptionId: string; readonly merchantId?: string };
/** Where and when a customer of play acts. */
export type Moment = { readonly origin: Origin; readonly now: Date };

/** The deadline for the service to see it; after that the call answers all the same. */
const SEEN_WITHIN_MS = 10_000;

/**
 * Lets a subscription's wallet agree to it: sets the allowance that the page recommends, signs the mandate, submits the
 * signature as the page does, and waits some seconds until the chain has it. For a mandate that is active already it
 * only renews the allowance. Throws NOT_FOUND, and CONFLICT when the wallet is not one of the sandbox's, there is
 * nothing to agree to, or the merchant may not collect.
 */
export async function authorizeInSandbox(sandbox: Sandbox, ref: SubscriptionRef, moment: Moment): Promise<void> {
  const { wallet, view } = await find(sandbox, ref);
  requireCollects(view.collects);
  const { typedData, mandateStatus, allowance } = presentPublicSubscription(view, customerDeps(sandbox));
  if (!typedData && mandateStatus !== 'active') {
    throw new AppError('CONFLICT', 'This subscription is over, so there is nothing to agree to.');
  }
  await wallet.approve(view.mandate.tokenContract, view.mandate.collector, BigInt(allowance.recommended));
  if (!typedData) return waitUntilQuiet(sandbox);
  const { subscriptionId } = ref;
  const signature = await wallet.signTypedData(typedData);
  await submitSignature(
    customerDeps(sandbox),
    { subscriptionId, signature },
    { now: moment.now, audit: trailOf(moment) },
  );
  await untilMandateIs(sandbox, subscriptionId, 'active');
}

/**
 * Lets the wallet of a subscription revoke its mandate, and waits some seconds until the service has seen it. Throws
 * like `authorizeInSandbox`.
 */
export async function revokeInSandbox(sandbox: Sandbox, ref: SubscriptionRef): Promise<void> {
  const { wallet, view } = await find(sandbox, ref);
  const { id, collector, authorizedAt, revokedAt } = view.mandate;
  if (authorizedAt === null || revokedAt !== null) {
    const cure = 'so there is nothing to revoke. Agree first, with POST /v1/sandbox/subscriptions/{id}/authorize.';
    throw new AppError('CONFLICT', `This subscription has no mandate on the chain, ${cure}`);
  }
  await wallet.revoke(collector, id);
  await untilMandateIs(sandbox, ref.subscriptionId, 'revoked');
}

/** The merchant's view of a subscription. Throws NOT_FOUND. */
export async function readSubscription(
  sandbox: Sandbox,
  { subscriptionId: id, merchantId }: SubscriptionRef,
): Promise<Schemas['Subscription']> {
  const found = await getSubscription(sandbox.db, { id, ...(merchantId && { merchantId }) });
  return presentSubscription(await viewOf(sandbox.db, found), sandbox.subscribing);
}

export type CustomerDraft = Schemas['SubscribeSandboxCustomerRequest'];

/**
 * Makes a customer (see decision sandbox/customer-is-an-operation): a funded wallet, subscribed to the plan, which
 * agrees unless the draft says otherwise. Throws like `subscribeWallet` and `createSandboxWallet`.
 */
export async function subscribeInSandbox(
  sandbox: Sandbox,
  planId: string,
  draft: CustomerDraft,
  caller: Moment & { readonly principal: MerchantPrincipal; readonly audit: AuditTrail },
): Promise<Schemas['SandboxCustomer']> {
  const { principal, audit, now } = caller;
  const { merchantId } = principal;
  requireMayCreate(principal.status);
  requireMayCollect(principal, await sandbox.subscribing.settings.current());
  const wallet = await createSandboxWallet(sandbox, draft.amount);
  const { customerEmail = 'customer@example.com', customerName = 'Test Customer', authorize = true } = draft;
  const subscriptionId = await inTransaction(sandbox.db, async (trx) => {
    const customer = { customerEmail, customerName, walletAddress: wallet.address };
    const { subscription } = await subscribeWallet(trx, sandbox.subscribing, { id: planId, merchantId }, customer, now);
    await audit.record(trx, { resourceId: subscription.id, metadata: { planId } });
    return subscription.id;
  });
  if (authorize) await authorizeInSandbox(sandbox, { subscriptionId, merchantId }, caller);
  return {
    subscription: await readSubscription(sandbox, { subscriptionId }),
    wallet: presentWallet(sandbox.network, wallet),
  };
}

/** What somebody types on the page of a plan. */
export type Newcomer = { readonly customerEmail: string; readonly customerName: string };

/**
 * Subscribes a new, funded wallet as its owner would on the page of a plan; it has not agreed yet. Throws like
 * `subscribeWallet`, and FORBIDDEN for a merchant who may not collect.
 */
export async function joinInSandbox(
  sandbox: Sandbox,
  planId: string,
  newcomer: Newcomer,
  { origin, now }: Moment,
): Promise<{ readonly id: string }> {
  const { merchantId } = await getOfferedPlan(sandbox.db, planId);
  requireMayCollect(await getMerchant(sandbox.db, merchantId), await sandbox.subscribing.settings.current());
  const wallet = await createSandboxWallet(sandbox, undefined);
  return inTransaction(sandbox.db, async (trx) => {
    const draft = { ...newcomer, walletAddress: wallet.address, subscribedBy: 'customer' } as const;
    const { subscription } = await subscribeWallet(trx, sandbox.subscribing, { id: planId, merchantId }, draft, now);
    const { id: resourceId } = subscription;
    const actor = { actorType: 'system', actorId: 'payer', action: 'subscription.create' } as const;
    const from = { ip: '', userAgent: '', requestId: origin.requestId };
    await recordAudit(trx, { ...actor, resourceId, merchantId, origin: from, metadata: { planId } }, now);
    return { id: resourceId };
  });
}

async function find(sandbox: Sandbox, { subscriptionId: id, merchantId }: SubscriptionRef) {
  const found = await getSubscription(sandbox.db, { id, ...(merchantId && { merchantId }) });
  const wallet = await findSandboxWallet(sandbox, found.wallet);
  if (!wallet) throw notOurs();
  return { wallet, view: await readPublicView(customerDeps(sandbox), id, sandbox.clock.now()) } satisfies {
    wallet: PlayWallet;
    view: object;
  };
}

const notOurs = (): AppError =>
  new AppError(
    'CONFLICT',
    "The sandbox did not make the wallet of this subscription, so it has no key to act for it. Subscribe one of POST /v1/sandbox/wallets, or let the customer's own wallet do it.",
  );

async function untilMandateIs(sandbox: Sandbox, id: string, status: MandateStatus): Promise<void> {
  sandbox.poke?.();
  await until(SEEN_WITHIN_MS, async () => (await getSubscription(sandbox.db, { id })).mandateStatus === status);
}

/** The dependencies for seeing and signing a subscription as its customer. */
const customerDeps = ({ db, subscribing }: Sandbox) => ({ ...subscribing, db, livemode: false });

/** The customer signs as on the page, so the entry names the customer, not the caller. */
const trailOf = ({ origin, now }: Moment): Pick<AuditTrail, 'record'> => ({
  record: (trx, draft) =>
    recordAudit(
      trx,
      {
        actorType: draft?.actor?.type ?? 'system',
        actorId: draft?.actor?.id ?? 'payer',
        action: 'subscription.sign',
        resourceId: draft?.resourceId ?? '',
        merchantId: draft?.merchantId ?? null,
        origin: { ip: '', userAgent: '', requestId: origin.requestId },
        metadata: draft?.metadata ?? {},
      },
      now,
    ),
});
