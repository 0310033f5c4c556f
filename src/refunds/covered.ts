import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { divideUp, formatUnits, MICRO_PER_CENT } from '../lib/money.ts';
import { keptInLedger } from '../payments/move.ts';
import { lockReturnable } from '../payments/returns.ts';
import { lockDebt } from '../payouts/may-be-paid.ts';
import type { Refund } from './refund.ts';
import type { RefundDeps } from './service.ts';

/**
 * Throws CONFLICT (`refund_uncovered`) when a reorg has taken what a refund gives back. The caller has locked the
 * refund; this locks its payment, so that what it finds stays true until the commit.
 */
export async function requireCovered(trx: Trx, deps: RefundDeps, refund: Refund, now: Date): Promise<void> {
  const { payment, totals } = await lockReturnable(trx, deps, { id: refund.paymentId }, now);
  const kept = keptInLedger(totals.inLedger, payment.returned);
  if ((refund.counted ? kept.countedDeep : kept.wrongDeep) >= 0n) return;
  const message = `A transfer that this refund gives back was undone by the network, so there is nothing to pay. Fail it, \
unless the transfer comes again.`;
  throw conflict(message, 'refund_uncovered');
}

/** Throws CONFLICT (`merchant_owes`) for a merchant that owes. */
export async function requireNoDebt(trx: Trx, { merchantId }: Refund): Promise<void> {
  const owed = await lockDebt(trx, merchantId);
  if (owed === 0n) return;
  const dollars = formatUnits(divideUp(owed, MICRO_PER_CENT), 2, true);
  const message = `The merchant owes ${dollars} USD, because a payment was taken back. Fail this refund: that repays the debt \
with what was credited of it. Once the debt is repaid in another way, it can go on.`;
  throw conflict(message, 'merchant_owes');
}
