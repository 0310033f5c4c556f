import { sql } from 'kysely';
import { lookUpOn } from '../db/look-ups.ts';
import { isContended } from '../db/transaction.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { JobRun } from '../ports/job.ts';
import type { Payment } from './types.ts';

/** Payments stay at least this long after they ended; `prune_payments` says so, too. */
const KEPT_MS = 30 * DAY_MS;

/** Where a run begins, how many payments a transaction looks at, and how many transactions it makes at most. */
export type PruneRun = { readonly afterId: string; readonly batch: number; readonly batches: number };

/** How many payments were taken away, and behind which one the next run goes on; '' when it begins anew. */
type Progress = { readonly pruned: number; readonly afterId: string };

type Batch = { readonly pruned: number; readonly looked_at: number; readonly last_id: string | null };

/**
 * Takes away payments that payers began through links and that nobody paid, with their deliveries and the bodies of
 * their events. The database function `prune_payments` (migration 0050) decides which, and does it in one transaction a
 * batch. Every batch begins behind the one before: what that left, and what is dead but not vacuumed, is read once a
 * run. A batch that takes longer than a statement may is halved, and a payment that does so alone is passed over. Its
 * merchant may have had its events sent again as often as they liked, and the same batch failed for all at each run.
 * See decision payments/unpaid-payments-of-links-go.
 */
export async function prunePayments(
  db: Db | Trx,
  { now, signal }: Pick<JobRun, 'now' | 'signal'>,
  { afterId, batch, batches }: PruneRun,
): Promise<Progress> {
  const before = firstIdAt('payment', after(now, -KEPT_MS));
  let progress = { pruned: 0, afterId };
  let size = batch;
  for (let made = 0; made < batches && !signal.aborted; made += 1) {
    const range = { now, afterId: progress.afterId, before };
    const done = await pruneBatch(db, range, size);
    if (done === null && size > 1) {
      size = Math.ceil(size / 2);
      continue;
    }
    if (done === null) {
      const passedOver = await findEnded(db, range);
      if (passedOver === undefined) return { ...progress, afterId: '' };
      progress = { ...progress, afterId: passedOver };
      continue;
    }
    const pruned = progress.pruned + done.pruned;
    if (done.last_id === null || done.looked_at < size) return { pruned, afterId: '' };
    progress = { pruned, afterId: done.last_id };
    size = Math.min(batch, 2 * size);
  }
  return progress;
}

type Range = { readonly now: Date; readonly afterId: string; readonly before: string };

/** Null: it took longer than a statement may, or something else holds what it needs. */
async function pruneBatch(db: Db | Trx, { now, afterId, before }: Range, size: number): Promise<Batch | null> {
  const query = sql<Batch>`
    select pruned, looked_at, last_id from prune_payments(${now}, ${size}, ${afterId}, ${before})`;
  try {
    return (await query.execute(db)).rows[0] as Batch;
  } catch (error) {
    if (!isContended(error)) throw error;
    return null;
  }
}

/** The first payment that `prune_payments` looks at. */
async function findEnded(db: Db | Trx, { now, afterId, before }: Range): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from payments
     where source = 'link' and status = 'expired' and credit_count = 0 and id > ${afterId} and id < ${before}
       and updated_at <= ${after(now, -KEPT_MS)}
       and expires_at + late_window_ms * interval '1 millisecond' <= ${now}
     order by id limit 1`.execute(db);
  return rows[0]?.id;
}

type Ref = { readonly id: string; readonly merchantId?: string };

/** NOT_FOUND for a payment that was pruned; undefined for one that never was, or belongs to another merchant. */
export async function pruned(db: Db | Trx, { id, merchantId }: Ref): Promise<AppError | undefined> {
  const query = db.selectFrom('pruned_payments').select('payment_id').where('payment_id', '=', id);
  const mine = merchantId === undefined ? query : query.where('merchant_id', '=', merchantId);
  const [row] = await lookUpOn(db, mine.where('revived_at', 'is', null));
  if (row === undefined) return undefined;
  return new AppError('NOT_FOUND', 'This payment ended more than 30 days ago without being paid, and was removed.', {
    reason: 'payment_removed',
  });
}

/**
 * Opens an incident when money is first booked for a payment that was pruned, and resolves it when none of it waits for
 * the merchant any more. Dust of which nothing is booked opens none: nobody could do anything about it. The trigger
 * `revive_payment` has brought the payment back.
 */
export async function followRevival(trx: Trx, before: Payment, payment: Payment, now: Date): Promise<void> {
  if (payment.source !== 'link') return;
  const isFirst = before.booked.suspense === 0n && before.booked.available === 0n;
  if (before.status === 'expired' && isFirst && payment.booked.suspense > 0n) {
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
