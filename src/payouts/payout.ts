import type { Db, Trx } from '../lib/db-types.ts';
import type { Asset, BlockPlace, PaidOut } from '../ports/chain.ts';

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

/** In which contract something was paid, and with which decimals. The symbol may be listed with others later. */
export type PaidIn = Pick<Asset, 'contract' | 'decimals'>;

/** What a withdrawal or refund says of the transaction that paid it, and of who ended it. */
export type PaidState = {
  readonly txHash: string | null;
  /** Which of its transfers paid it, by their places; null: all that it did, or nothing yet. */
  readonly txTransfers: readonly number[] | null;
  /** Whether the chain showed the payout before completion; null until then. */
  readonly txVerified: boolean | null;
  /** The block that the payout was found in; null until then, and where the chain was not asked. */
  readonly txBlock: BlockPlace | null;
  /** What it was paid in, as the chain showed it; null until then, where the chain was not asked, and of before. */
  readonly txPaidIn: PaidIn | null;
  /** When the payout was seen in a final block. Until then the chain may take it back. */
  readonly finalAt: Date | null;
  /** The administrator who ended it; null if the merchant or we did. */
  readonly finishedBy: string | null;
  readonly finishedAt: Date | null;
};

/** Before anything has ended it, and again when the chain has taken the payout back. */
export const UNPAID = {
  txHash: null,
  txTransfers: null,
  txVerified: null,
  txBlock: null,
  txPaidIn: null,
  finalAt: null,
  finishedBy: null,
  finishedAt: null,
} as const satisfies PaidState;

/** An administrator says which transaction paid a withdrawal or refund. */
export type CompleteInput = {
  readonly kind: 'complete';
  readonly by: string;
  readonly notes: string | null;
  readonly txHash: string;
  /** Which of its transfers, by their places; null: all that it did. */
  readonly transfers: readonly number[] | null;
  /** Where the chain shows the payout; null: it was not asked. */
  readonly block: BlockPlace | null;
  /** What the chain shows that it was paid in; null: it was not asked. */
  readonly paidIn: PaidIn | null;
};

/** An administrator begins to pay a withdrawal or refund. */
export type BeginInput = {
  readonly kind: 'process';
  readonly by: string;
  readonly notes: string | null;
  /** What is listed for it. */
  readonly begunIn: PaidIn | null;
};

/** A file names what is processing once more. */
export type ExportAgainInput = {
  readonly kind: 'export_again';
  /** What is listed for it. */
  readonly begunIn: PaidIn | null;
};

/** What that writes. What a release before has begun is in what the file names from then on. */
export const exportedAgain = (before: { readonly begunIn: PaidIn | null }, { begunIn }: ExportAgainInput) => ({
  ...{ failRequest: null, begunIn: before.begunIn ?? begunIn },
});

/** What beginning writes. */
export const begunBy = ({ by, notes, begunIn }: BeginInput, now: Date) => ({
  ...{ processedBy: by, processingAt: now, begunIn },
  ...noted(notes),
});

/** What a completion writes. It ends a request to fail the payout. */
export const paidBy = ({ by, txHash, transfers, block, paidIn }: CompleteInput, now: Date) => ({
  failRequest: null,
  ...{ txHash, txTransfers: transfers, txVerified: block !== null, txBlock: block },
  txPaidIn: paidIn && { contract: paidIn.contract, decimals: paidIn.decimals },
  ...endedBy(by, now),
});

/** What something was begun in, as columns of whichever table. */
export const begunInColumns = ({ begunIn }: { readonly begunIn: PaidIn | null }) => ({
  begun_contract: begunIn?.contract ?? null,
  begun_decimals: begunIn?.decimals ?? null,
});

/** The same of a row. */
export const toBegunIn = (row: {
  readonly begun_contract: string | null;
  readonly begun_decimals: number | null;
}): PaidIn | null => paidInOf(row.begun_contract, row.begun_decimals);

/** An administrator asks another one to fail what is processing. */
export type FailRequest = { readonly by: string; readonly at: Date };

/** What something was paid in, as columns of whichever table. */
export const paidInColumns = ({ txPaidIn }: Pick<PaidState, 'txPaidIn'>) => ({
  tx_contract: txPaidIn?.contract ?? null,
  tx_decimals: txPaidIn?.decimals ?? null,
});

/** The same of a row. */
export const toPaidIn = (row: {
  readonly tx_contract: string | null;
  readonly tx_decimals: number | null;
}): PaidIn | null => paidInOf(row.tx_contract, row.tx_decimals);

/** Both are noted, or neither. */
export const paidInOf = (contract: string | null, decimals: number | null): PaidIn | null =>
  contract === null || decimals === null ? null : { contract, decimals };

/** The columns of a request to fail, in whichever table. */
export const toFailRequest = (row: {
  readonly fail_requested_by: string | null;
  readonly fail_requested_at: Date | null;
}): FailRequest | null =>
  row.fail_requested_by === null || row.fail_requested_at === null
    ? null
    : { by: row.fail_requested_by, at: row.fail_requested_at };

/** Who ended a withdrawal or refund; null: not an administrator. */
export const endedBy = (by: string | null, now: Date) => ({ finishedBy: by, finishedAt: now });

/** A note that is there replaces the one before. */
export const noted = (notes: string | null) => (notes ? { notes } : {});

/** What happens to the held money; `comes_back`: it had left and is held again. */
export type HeldMoney = 'stays' | 'returns' | 'leaves' | 'comes_back';

/** Whether a payout may still be taken back: it is as it was when the chain was asked. */
export const isAsLookedAt = (
  { txHash, block }: Payout,
  locked: Pick<PaidState, 'finalAt' | 'txHash' | 'txBlock'> & { readonly status: string },
): boolean =>
  locked.status === 'completed' &&
  locked.finalAt === null &&
  locked.txHash === txHash &&
  locked.txBlock?.hash === block?.hash;

/** A payout, for a person. */
export const nameOf = ({ id, txHash, block }: Payout): string =>
  `Payout ${txHash} of ${id}${block === null ? '' : `, completed in block ${block.height}`}`;
