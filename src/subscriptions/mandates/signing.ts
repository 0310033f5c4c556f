import { nodeAnswers } from '../../chains/node-answers.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type AppError, conflict, invalidField } from '../../lib/errors.ts';
import { requireCollects } from '../../merchants/guard.ts';
import type { Collector } from '../../ports/collector.ts';
import type { AuditTrail } from '../../ports/operation.ts';
import { lockSubscription, type Subscription } from '../queries.ts';
import { shownStatus } from '../schedule/subscription-state.ts';
import { isReverted, isToSign, onChain, type StoredMandate } from './mandate.ts';
import { type PublicViewDeps, readPublicView } from './public-view.ts';
import { getCurrentMandate, saveMandate } from './queries.ts';

export type Submission = { readonly subscriptionId: string; readonly signature: string };

/**
 * Verifies a customer's signature over the current mandate of a subscription and stores it, for a job to relay. May
 * call the node, so it opens its own transaction. Idempotent for the same signature. Throws NOT_FOUND,
 * VALIDATION_ERROR for a signature that the collector would refuse, CONFLICT when there is nothing to sign or the
 * merchant may not collect, and
 * SERVICE_UNAVAILABLE when the node does not answer. See decision subscriptions/store-signatures-before-relaying.
 */
export async function submitSignature(
  deps: PublicViewDeps,
  { subscriptionId, signature: given }: Submission,
  { now, audit }: { readonly now: Date; readonly audit: Pick<AuditTrail, 'record'> },
): Promise<void> {
  const { subscription, mandate, collecting, collects } = await readPublicView(deps, subscriptionId, now);
  requireToSign(subscription, mandate);
  requireCollects(collects);
  const { collector } = collecting;
  const signature = collector.normalizeSignature(given.toLowerCase());
  if (!(await isSigned(collector, mandate, signature))) {
    throw invalidField(
      'signature',
      `must be a signature of ${mandate.payer} over typedData as it is now; read the subscription again and sign that`,
    );
  }
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockSubscription(trx, { id: subscriptionId });
    if (locked.mandateId !== mandate.id) throw changedMeanwhile();
    const current = await getCurrentMandate(trx, locked);
    requireToSign(locked, current);
    if (isReverted(current)) throw refusedByChain();
    // A relay under way carries the signature that it was sent with.
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

function isSigned(collector: Collector, mandate: StoredMandate, signature: string): Promise<boolean> {
  const asked = collector.verifySignature(mandate.collector, onChain(mandate), signature);
  return nodeAnswers(collector.network.name, asked, 'the signature could not be checked');
}

function requireToSign(subscription: Subscription, mandate: StoredMandate): void {
  if (isToSign(subscription, mandate)) return;
  const status = shownStatus(subscription);
  const why =
    status === 'cancelled' || status === 'expired'
      ? `This subscription is ${status}`
      : `The mandate is ${mandate.revokedAt ? 'revoked' : 'on the chain already'}`;
  throw conflict(`${why}, so there is nothing to sign.`);
}

const refusedByChain = (): AppError =>
  conflict(
    'The chain refused what this wallet had signed, so its signatures are not brought there again. ' +
      'Agree by a transaction of the wallet.',
  );

const changedMeanwhile = (): AppError =>
  conflict('The mandate has changed meanwhile. Read the subscription again and sign what it shows.');
