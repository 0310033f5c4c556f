import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { requireMayWithdraw } from '../merchants/guard.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import type { PaymentHandlerDeps } from '../payments/handlers.ts';
import { planNextWaiting } from './plan.ts';
import { claimUrlOf, describeRefund, presentCreated } from './present.ts';
import {
  type Asker,
  confirmAsker,
  type MadeRefund,
  type Moment,
  makeRefund,
  type RefundDraft,
  type RefundRequestDeps,
} from './service.ts';

/**
 * How a decision gives back all that waits on a payment: in a refund for each token, together or not at all. Throws as
 * `createRefund`, and CONFLICT when nothing waits.
 */
export const givingBack =
  (deps: RefundRequestDeps): PaymentHandlerDeps['refundsOf']['giveBack'] =>
  async (trx, { now, real, ...resolution }) => {
    const made = await giveBackWaiting(trx, deps, resolution, { now, real });
    const [secondFactor] = made.map((each) => each.secondFactor);
    return {
      made: made.map(({ refund, secret }) => presentCreated(refund, secret && claimUrlOf(deps, secret))),
      note: { refunds: made.map(({ refund }) => ({ id: refund.id, ...describeRefund(refund) })), ...secondFactor },
    };
  };

type Resolution = Asker & Pick<RefundDraft, 'merchantId' | 'paymentId' | 'reason'>;

async function giveBackWaiting(
  trx: Trx,
  deps: RefundRequestDeps,
  { merchantId, paymentId, reason, ...asker }: Resolution,
  { now, real }: Moment,
): Promise<MadeRefund[]> {
  requireMayWithdraw((await lockMerchantShared(trx, merchantId)).status);
  const secondFactor = await confirmAsker(trx, deps, merchantId, asker, real);
  const draft = { merchantId, paymentId, reason, destinationAddress: null, offered: false };
  const made: MadeRefund[] = [];
  for (;;) {
    const next = await makeRefund(trx, deps, { ...draft, plan: planNextWaiting }, now);
    if (next === null) break;
    made.push({ ...next, secondFactor });
  }
  if (made.length === 0) throw conflict('No money waits for a decision on this payment, or it is not deep enough yet.');
  return made;
}
