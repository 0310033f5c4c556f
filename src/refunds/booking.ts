import { externalAccount, merchantAccount } from '../ledger/accounts.ts';
import { type JournalKind, postJournal } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { type Return, releaseReturn } from '../payments/returns.ts';
import type { PaymentDeps } from '../payments/service.ts';
import type { HeldMoney } from '../payouts/payout.ts';
import { heldMicro, type Refund } from './refund.ts';

/** What a refund takes of its payment. */
export const returnOf = ({ id: refundId, counted, fromSuspense, fromAvailable }: Refund): Return => ({
  refundId,
  counted,
  fromSuspense,
  fromAvailable,
});

/**
 * Posts what a move does to the held money; `refund` is as it is after the move. PostgreSQL lets a hold end once, and
 * once more for each payout that the chain took back (trigger `refund_is_booked`).
 */
export async function bookMove(
  trx: Trx,
  deps: PaymentDeps,
  refund: Refund,
  money: HeldMoney,
  now: Date,
): Promise<void> {
  if (money === 'returns') await releaseReturn(trx, deps, refund.paymentId, returnOf(refund), now);
  if (money === 'leaves') await post(trx, refund, 'refund.completed', 1n, now);
  if (money === 'comes_back') await post(trx, refund, 'refund.reverted', -1n, now);
}

async function post(trx: Trx, refund: Refund, kind: JournalKind, sign: 1n | -1n, now: Date): Promise<void> {
  const { id, merchantId, paymentId, network, token, reverts } = refund;
  const amount = sign * heldMicro(refund);
  const draft = {
    kind,
    ref: reverts === 0 ? id : `${id}#${reverts}`,
    merchantId,
    paymentId,
    refundId: id,
    postings: [
      { account: merchantAccount(merchantId, 'hold'), amount: -amount },
      { account: externalAccount(network, token), amount },
    ],
  };
  await postJournal(trx, draft, now);
}
