import { openReader } from '../../chains/evm/client.ts';
import { normalizeSignature, verifyMandateSignature } from '../../chains/evm/collector-reader.ts';
import type { EvmNetwork } from '../../chains/evm/network.ts';
import { chainIdOf } from '../../chains/operator/operator.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { AppError, invalidField, notFound } from '../../lib/errors.ts';
import { inTime } from '../../lib/in-time.ts';
import { getMerchantName } from '../../payments/queries.ts';
import type { Network } from '../../ports/chain.ts';
import type { AuditTrail } from '../../ports/operation.ts';
import { findCollecting } from '../plans/plan-network.ts';
import { findSubscription, lockSubscription } from '../queries.ts';
import type { StoredMandate, Subscription } from '../records.ts';
import { shownStatus } from '../schedule/outlook.ts';
import { viewOf } from '../views.ts';
import { isReverted, onChain } from './mandate.ts';
import { isToSign, type PublicView } from './public-view.ts';
import { findMandates, saveMandate } from './queries.ts';

/** However slowly a node answers. */
const WITHIN_MS = 10_000;
const RETRY_SECONDS = 5;

export type SigningDeps = { readonly db: Db; readonly networks: readonly Network[] };

/** What the customer's page shows of a subscription. Throws NOT_FOUND; SERVICE_UNAVAILABLE when its network is not configured. */
export async function readPublicView({ db, networks }: SigningDeps, id: string): Promise<PublicView> {
  const subscription = await findSubscription(db, { id });
  if (!subscription) throw notFound('subscription');
  const collecting = findCollecting(networks, subscription);
  if (!collecting) throw unconfigured(subscription);
  const [view, merchantName, description, mandate] = await Promise.all([
    viewOf(db, subscription),
    getMerchantName(db, subscription.merchantId),
    findDescription(db, subscription.planId),
    requireMandate(db, subscription),
  ]);
  return { ...view, merchantName, description, mandate, collecting };
}

async function findDescription(db: Db, planId: string): Promise<string | null> {
  const plan = db.selectFrom('plans').select('description').where('id', '=', planId);
  return (await plan.executeTakeFirstOrThrow()).description;
}

async function requireMandate(db: Db | Trx, { id, mandateId }: Subscription): Promise<StoredMandate> {
  const [mandate] = await findMandates(db, mandateId === null ? [] : [mandateId]);
  if (!mandate) throw new Error(`subscription ${id} has no mandate`);
  return mandate;
}

export type Submission = { readonly subscriptionId: string; readonly signature: string };

/**
 * Checks a customer's signature over the newest mandate of a subscription and stores it, for a job to bring it to the chain. The chain may
 * be asked, so it opens its transactions itself. The same signature may come again. Throws NOT_FOUND, VALIDATION_ERROR for a signature
 * that the collector would refuse, CONFLICT when there is nothing to sign and SERVICE_UNAVAILABLE when the node does not answer.
 */
export async function submitSignature(
  deps: SigningDeps,
  { subscriptionId, signature: given }: Submission,
  { now, audit }: { readonly now: Date; readonly audit: Pick<AuditTrail, 'record'> },
): Promise<void> {
  const { subscription, mandate, collecting } = await readPublicView(deps, subscriptionId);
  requireToSign(subscription, mandate);
  const signature = normalizeSignature(given.toLowerCase() as `0x${string}`);
  if (!(await isSigned(collecting.network, mandate, signature))) {
    throw invalidField(
      'signature',
      `must be a signature of ${mandate.payer} over typedData as it is now; read the subscription again and sign that`,
    );
  }
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockSubscription(trx, { id: subscriptionId });
    if (!locked || locked.mandateId !== mandate.id) throw changedMeanwhile();
    const current = await requireMandate(trx, locked);
    requireToSign(locked, current);
    if (isReverted(current)) throw refusedByChain();
    // One that is on its way to the chain stays as it is.
    if (current.relayedBy === null && current.signature !== signature) {
      await saveMandate(trx, { ...current, signature, submittedAt: now });
      trx.wake('kasi_subscriptions');
    }
    await audit.record(trx, {
      actor: { type: 'system', id: 'payer' },
      resourceId: subscriptionId,
      merchantId: locked.merchantId,
      metadata: { mandateId: mandate.id },
    });
  });
}

async function isSigned(network: Network, mandate: StoredMandate, signature: `0x${string}`): Promise<boolean> {
  const place = { collector: mandate.collector as `0x${string}`, chainId: chainIdOf(network) };
  try {
    const verdict = verifyMandateSignature(
      openReader((network as EvmNetwork).rpcUrl),
      place,
      onChain(mandate),
      signature,
    );
    return await inTime(verdict, WITHIN_MS);
  } catch (cause) {
    const message = `The node of ${network.name} did not answer, so the signature could not be checked. Try again.`;
    throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS, cause });
  }
}

function requireToSign(subscription: Subscription, mandate: StoredMandate): void {
  if (isToSign(subscription, mandate)) return;
  const status = shownStatus(subscription);
  const why =
    status === 'cancelled' || status === 'expired'
      ? `This subscription is ${status}`
      : `The mandate is ${mandate.revokedAt ? 'revoked' : 'on the chain already'}`;
  throw new AppError('CONFLICT', `${why}, so there is nothing to sign.`);
}

const refusedByChain = (): AppError =>
  new AppError(
    'CONFLICT',
    'The chain refused what this wallet had signed, so its signatures are not brought there again. Agree by a transaction of the wallet.',
  );

const changedMeanwhile = (): AppError =>
  new AppError('CONFLICT', 'The mandate has changed meanwhile. Read the subscription again and sign what it shows.');

const unconfigured = ({ network }: Subscription): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `The network ${network} can not be collected on at present.`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
