import type { Db, Trx } from '../lib/db-types.ts';
import type { BlockPlace, PaidOut } from '../ports/chain.ts';

export type PayoutKind = 'withdrawal' | 'refund';

/** A payout that the chain showed, of a completed withdrawal or refund; `id` is its. */
export type Payout = PaidOut & { readonly kind: PayoutKind; readonly id: string; readonly network: string };

/** What was taken back. Micro-dollars. */
export type TakenBack = { readonly merchantId: string; readonly heldMicro: bigint };

/** What a feature does with its own rows when its payouts are looked at again. */
export type PayoutOwner = {
  /** The payout is in this block, which is final. One that is not as it was looked at stays as it is. */
  readonly markFinal: (db: Db, payout: Payout, block: BlockPlace, now: Date) => Promise<void>;
  /** Makes it unpaid again, with its money and its event; null if it is not as it was looked at: nothing is done. */
  readonly takeBack: (trx: Trx, payout: Payout, now: Date) => Promise<TakenBack | null>;
};

export type PayoutOwners = Readonly<Record<PayoutKind, PayoutOwner>>;

/** What a withdrawal or refund says of the transaction that paid it. */
export type PaidState = {
  readonly status: string;
  readonly finalAt: Date | null;
  readonly txHash: string | null;
  readonly txBlock: BlockPlace | null;
};

/** Whether a payout may still be taken back: it is as it was when the chain was asked. */
export const isAsLookedAt = ({ txHash, block }: Payout, locked: PaidState): boolean =>
  locked.status === 'completed' &&
  locked.finalAt === null &&
  locked.txHash === txHash &&
  locked.txBlock?.hash === block?.hash;

/** A payout, for a person. */
export const nameOf = ({ id, txHash, block }: Payout): string =>
  `Payout ${txHash} of ${id}${block === null ? '' : `, completed in block ${block.height}`}`;
