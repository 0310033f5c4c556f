import { inTransaction } from '../db/transaction.ts';
import type { AuditTrail } from '../ports/operation.ts';
import { type Paid, readPaid } from '../subscriptions/charge-queries.ts';
import { getSubscription, type Subscription } from '../subscriptions/queries.ts';
import { shownStatus } from '../subscriptions/schedule/subscription-state.ts';
import { type AnnounceDeps, changeSubscription } from '../subscriptions/service.ts';
import { type Proof, type ProofDeps, requireProof, spend } from './proof.ts';

type Moment = { readonly now: Date; readonly real: Date; readonly audit: Pick<AuditTrail, 'record'> };

/**
 * Cancels a subscription whose wallet has signed a text of `cancel`, as its merchant could. Throws NOT_FOUND, what
 * `requireProof` throws, and CONFLICT when it is over. Never inside a transaction.
 */
export async function cancelByWallet(
  deps: ProofDeps & AnnounceDeps,
  { id, ...proof }: Proof & { readonly id: string },
  { now, real, audit }: Moment,
): Promise<{ readonly subscription: Subscription; readonly paid: Paid }> {
  const { merchantId } = await getSubscription(deps.db, { id });
  const { challenge } = await requireProof(deps, proof, { purpose: 'cancel', subject: id }, real);
  return inTransaction(deps.db, async (trx) => {
    await spend(trx, challenge, real);
    const input = { kind: 'cancel', reason: 'customer_requested' } as const;
    const { subscription } = await changeSubscription(trx, deps, { id, merchantId }, input, now);
    await audit.record(trx, {
      actor: { type: 'system', id: 'payer' },
      resourceId: id,
      merchantId,
      metadata: { status: shownStatus(subscription) },
    });
    return { subscription, paid: await readPaid(trx, subscription) };
  });
}
