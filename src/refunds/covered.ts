import type { Db, Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { divideUp, formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import type { PaymentListener } from '../payments/announce.ts';
import { keptInLedger } from '../payments/move.ts';
import { lockObserved } from '../payments/returns.ts';
import { lockDebt } from '../payouts/may-be-paid.ts';
import type { Refund } from './refund.ts';
import type { RefundDeps } from './service.ts';

/**
 * Whether what a refund gives back is still there. The caller has locked the refund; this locks its payment, so that
 * what it finds stays true until the commit.
 */
export async function isCovered(trx: Trx, deps: RefundDeps, refund: Refund, now: Date): Promise<boolean> {
  const { payment, totals } = await lockObserved(trx, deps, { id: refund.paymentId }, now);
  const kept = keptInLedger(totals.inLedger, payment.returned);
  return (refund.counted ? kept.countedDeep : kept.wrongDeep) >= 0n;
}

/** Throws CONFLICT (`refund_uncovered`) when a reorg has taken what a refund gives back. */
export async function requireCovered(trx: Trx, deps: RefundDeps, refund: Refund, now: Date): Promise<void> {
  if (await isCovered(trx, deps, refund, now)) return;
  const message = `A transfer that this refund gives back was undone by the network, so there is nothing to pay. It fails \
by itself unless the transfer comes again.`;
  throw conflict(message, 'refund_uncovered');
}

/** Throws CONFLICT (`merchant_owes`) for a merchant that owes. */
export async function requireNoDebt(trx: Trx, { merchantId }: Refund): Promise<void> {
  const owed = await lockDebt(trx, merchantId);
  if (owed === 0n) return;
  const dollars = formatCents(divideUp(owed, MICRO_PER_CENT));
  const message = `The merchant owes ${dollars} USD, because a payment was taken back. Fail this refund: that repays the debt \
with what was credited of it. Once the debt is repaid in another way, it can go on.`;
  throw conflict(message, 'merchant_owes');
}

/** Notes the payments of which a reorg may have taken what was given back. */
export const doubtRefunds: PaymentListener = async (trx, moves) => {
  const doubted = moves.filter(
    ({ before, payment: { booked, returned } }) =>
      returned.counted + returned.wrong > 0n && booked.available < before.booked.available,
  );
  if (doubted.length === 0) return;
  await trx
    .insertInto('refund_doubts')
    .values(doubted.map(({ payment }) => ({ payment_id: payment.id, since: payment.updatedAt })))
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute();
};

/** Payments that were doubted up to a moment, oldest first. */
export async function listDoubts(db: Db, upTo: Date, limit: number): Promise<{ readonly paymentId: string }[]> {
  return await db
    .selectFrom('refund_doubts')
    .select('payment_id as paymentId')
    .where('since', '<=', upTo)
    .orderBy('since')
    .limit(limit)
    .execute();
}

/** When the oldest doubt began; null when there is none. */
export async function oldestDoubt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('refund_doubts')
    .select((eb) => eb.fn.min('since').as('since'))
    .executeTakeFirst();
  return row?.since ?? null;
}

/** Nothing is doubtful about a payment any more. */
export async function settleDoubt(trx: Trx, paymentId: string): Promise<void> {
  await trx.deleteFrom('refund_doubts').where('payment_id', '=', paymentId).execute();
}
