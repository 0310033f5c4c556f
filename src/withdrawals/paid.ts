import { has, type MovePayout, placeAnew } from '../payouts/misplaced.ts';
import { type NarrowPayout, narrowedColumns } from '../payouts/narrow.ts';
import { isAsLookedAt, type PayoutOwner } from '../payouts/payout.ts';
import { lockWithdrawal } from './queries.ts';
import { type MoveDeps, moveWithdrawal } from './service.ts';
import { heldMicro } from './withdrawal.ts';

/** What becomes of withdrawals when their payouts are looked at again. */
export const withdrawalPayouts = (deps: MoveDeps): PayoutOwner => ({
  markFinal: async (db, { id, txHash }, { height, hash }, now) => {
    await db
      .updateTable('withdrawals')
      .set({ tx_block: BigInt(height), tx_block_hash: hash, final_at: now })
      .where('id', '=', id)
      .where('status', '=', 'completed')
      .where('tx_hash', '=', txHash)
      .where('final_at', 'is', null)
      .execute();
  },
  takeBack: async (trx, payout, now) => {
    const { id } = payout;
    const locked = await lockWithdrawal(trx, { id });
    if (!locked || !isAsLookedAt(payout, locked)) return null;
    const reverted = await moveWithdrawal(trx, deps, { id }, { kind: 'revert' }, now);
    return { merchantId: reverted.merchantId, heldMicro: heldMicro(reverted) };
  },
});

/** Keeps these transfers of what had all of its transaction. The trigger gives the others back. */
export const narrowWithdrawal: NarrowPayout = async (trx, { id, txHash, ...kept }) => {
  const narrowed = await trx
    .updateTable('withdrawals')
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
export const moveWithdrawalPayout: MovePayout = async (trx, { id, txHash, from, transfers }) => {
  await placeAnew(trx, id);
  const moved = await trx
    .updateTable('withdrawals')
    .set({ tx_transfers: [...transfers] })
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .where('tx_hash', '=', txHash)
    .where(has(from))
    .returning('merchant_id')
    .executeTakeFirst();
  return moved?.merchant_id ?? null;
};
