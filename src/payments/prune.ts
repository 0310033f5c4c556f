import { sql } from 'kysely';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Payment } from './types.ts';

/**
 * Takes away up to `limit` payments that payers began through links and that nobody paid, with their deliveries and the
 * bodies of their events; returns how many. The database function `prune_payments` (migration 0050) decides which, and
 * does it in one transaction. See decision payments/unpaid-payments-of-links-go.
 */
export async function prunePayments(db: Db | Trx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`select prune_payments(${now}, ${limit}) as pruned`.execute(db);
  return rows[0]?.pruned ?? 0;
}

type Ref = { readonly id: string; readonly merchantId?: string };

/** NOT_FOUND for a payment that was pruned; undefined for one that never was, or belongs to another merchant. */
export async function pruned(db: Db | Trx, { id, merchantId }: Ref): Promise<AppError | undefined> {
  const query = db.selectFrom('pruned_payments').select('payment_id').where('payment_id', '=', id);
  const mine = merchantId === undefined ? query : query.where('merchant_id', '=', merchantId);
  if (!(await mine.where('revived_at', 'is', null).executeTakeFirst())) return undefined;
  return new AppError('NOT_FOUND', 'This payment ended more than 30 days ago without being paid, and was removed.', {
    reason: 'payment_removed',
  });
}

/**
 * Opens an incident when the first money comes to a payment that was pruned, and resolves it when none of it waits for
 * the merchant any more. The trigger `revive_payment` has brought the payment back.
 */
export async function followRevival(trx: Trx, before: Payment, payment: Payment, now: Date): Promise<void> {
  if (payment.source !== 'link') return;
  if (before.status === 'expired' && before.creditCount === 0 && payment.creditCount > 0) {
    const revived = await trx
      .selectFrom('pruned_payments')
      .select('pruned_at')
      .where('payment_id', '=', payment.id)
      .executeTakeFirst();
    if (!revived) return;
    const message = `Money came to a payment that was removed at ${revived.pruned_at.toISOString()}. The payment is back.`;
    await openIncident(trx, { kind: 'payment.revived', subject: payment.id, message }, now);
  } else if (before.booked.suspense > 0n && payment.booked.suspense === 0n) {
    await resolveIncidents(trx, 'payment.revived', [payment.id], now);
  }
}
