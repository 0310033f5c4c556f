import { has, type MovePayout, placeAnew } from '../payouts/misplaced.ts';
import { type NarrowPayout, narrowedColumns } from '../payouts/narrow.ts';
import { isAsLookedAt, type PayoutOwner } from '../payouts/payout.ts';
import { lockRefund } from './queries.ts';
import { heldMicro } from './refund.ts';
import { moveRefund, type RefundDeps } from './service.ts';

/** What becomes of refunds when their payouts are looked at again. */
export const refundPayouts = (deps: RefundDeps): PayoutOwner => ({
  markFinal: async (db, { id, txHash }, { height, hash }, now) => {
    await db
      .updateTable('refunds')
      .set({ tx_block: BigInt(height), tx_block_hash: hash, final_at: now })
      .where('id', '=', id)
      .where('status', '=', 'completed')
      .where('tx_hash', '=', txHash)
      .where('final_at', 'is', null)
      .execute();
  },
  takeBack: async (trx, payout, now) => {
    const { id } = payout;
    const locked = await lockRefund(trx, { id });
    if (!locked || !isAsLookedAt(payout, locked)) return null;
    const refund = await moveRefund(trx, deps, { id }, { kind: 'revert' }, now);
    return { merchantId: refund.merchantId, heldMicro: heldMicro(refund) };
  },
});

/** Keeps these transfers of what had all of its transaction. The trigger gives the others back. */
export const narrowRefund: NarrowPayout = async (trx, { id, txHash, ...kept }) => {
  const narrowed = await trx
    .updateTable('refunds')
    .set(narrowedColumns(kept))
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .where('tx_hash', '=', txHash)
    .where('tx_transfers', 'is', null)
    .returning('merchant_id')
    .executeTakeFirst();
  return narrowed?.merchant_id ?? null;
};

/** Gives it other transfers of its transaction. The trigger gives up those of before. */
export const moveRefundPayout: MovePayout = async (trx, { id, txHash, from, transfers }) => {
  await placeAnew(trx, id);
  const moved = await trx
    .updateTable('refunds')
    .set({ tx_transfers: [...transfers] })
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .where('tx_hash', '=', txHash)
    .where(has(from))
    .returning('merchant_id')
    .executeTakeFirst();
  return moved?.merchant_id ?? null;
};
