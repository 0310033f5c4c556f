import { sqlState } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import type { BlockPlace, BlockRef, CheckPayout, PayoutClaim } from '../ports/chain.ts';
import type { Settings } from '../settings/settings.ts';

/** What a payout has to show on its chain; null in `destination` or `notBefore`: the chain can't be asked. */
export type PayoutFacts = Omit<PayoutClaim, 'txHash' | 'senders' | 'destination' | 'notBefore'> & {
  readonly destination: string | null;
  readonly notBefore: Date | null;
};

/**
 * The block of a payout on the chain; null if the settings or the network provide for no check. Throws CONFLICT
 * (`payout_…`) for what the chain does not show, and SERVICE_UNAVAILABLE when it does not answer. Takes up to 15
 * seconds, so never inside a transaction.
 */
export async function verifyPayout(
  checkPayout: CheckPayout,
  { destination, notBefore, ...facts }: PayoutFacts,
  txHash: string,
  { verifyPayoutOnChain, payoutWallets }: Settings,
): Promise<BlockRef | null> {
  if (!verifyPayoutOnChain || destination === null || notBefore === null) return null;
  const verdict = await checkPayout({ ...facts, destination, notBefore, txHash, senders: payoutWallets });
  switch (verdict.outcome) {
    case 'verified':
      return verdict.block;
    case 'unwatched':
      return null;
    case 'refused': {
      const { reason, message, retryAfterSeconds } = verdict;
      throw new AppError('CONFLICT', message, {
        reason,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
    }
  }
}

/** What is stored of a block. */
export const placeOf = ({ height, hash }: BlockRef): BlockPlace => ({ height, hash });

/** Whether a transaction has completed a payout of its network. See decision payouts/one-transaction-one-payout. */
export async function isHashTaken(db: Db, network: string, txHash: string): Promise<boolean> {
  const taken = db.selectFrom('payout_transfers').select('payout_id').where('network', '=', network);
  return (await taken.where('tx_hash', '=', txHash).executeTakeFirst()) !== undefined;
}

/** The refusal of a transaction that has completed another payout. */
export const hashTaken = (network: string): AppError =>
  conflict(`This transaction has completed another payout on ${network}.`, 'tx_hash_used');

/** Whether another request has just completed another payout with the same transaction. */
export const isTwin = (error: unknown): boolean =>
  sqlState(error) === '23505' && TWINS.includes((error as { constraint?: string }).constraint ?? '');

const TWINS: readonly string[] = ['payout_transfer_once', 'withdrawal_tx_once'];
