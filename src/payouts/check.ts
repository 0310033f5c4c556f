import { sqlState } from '../db/transaction.ts';
import { listRecordedTokens } from '../deployment/unlisted.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import type { Asset, BlockPlace, CheckPayout, PayoutClaim } from '../ports/chain.ts';
import type { PayoutMoney } from '../ports/placed.ts';
import type { Settings } from '../settings/settings.ts';
import type { CompleteInput, PaidIn } from './payout.ts';

/** What a payout has to show on its chain; null in `destination` or `notBefore`: the chain can't be asked. */
export type PayoutFacts = Omit<PayoutClaim, 'txHash' | 'senders' | 'destination' | 'notBefore' | 'everListed'> & {
  readonly destination: string | null;
  readonly notBefore: Date | null;
};

/** What the chain shows of a payout. */
export type Shown = { readonly block: BlockPlace; readonly asset: Asset } & PayoutMoney;

/**
 * What the chain shows of a payout; null if the settings or the network provide for no check. Throws CONFLICT
 * (`payout_…`) for what the chain does not show, and SERVICE_UNAVAILABLE when it does not answer. Takes up to 15
 * seconds, so never inside a transaction.
 */
export async function verifyPayout(
  { db, checkPayout }: { readonly db: Db; readonly checkPayout: CheckPayout },
  { destination, notBefore, ...facts }: PayoutFacts,
  txHash: string,
  { verifyPayoutOnChain, payoutWallets }: Settings,
): Promise<Shown | null> {
  if (!verifyPayoutOnChain || destination === null || notBefore === null) return null;
  const everListed = await listRecordedTokens(db, facts.network);
  const verdict = await checkPayout({ ...facts, destination, notBefore, txHash, senders: payoutWallets, everListed });
  switch (verdict.outcome) {
    case 'verified': {
      const { block, asset, transfers, kept, due } = verdict;
      return { block: { height: block.height, hash: block.hash }, asset, transfers, kept, due };
    }
    case 'unwatched':
      return null;
    case 'refused': {
      const { reason, message, retryAfterSeconds } = verdict;
      throw new AppError('CONFLICT', message, {
        reason,
        ...later({ retryAfterSeconds }),
      });
    }
  }
}

/**
 * Throws CONFLICT where another process, with another list, has just begun a payout in another contract than the chain
 * was asked about: what that one hands out would pay it once more.
 */
export function requireBegunInPaid(
  { begunIn }: { readonly begunIn: PaidIn | null },
  { paidIn }: Pick<CompleteInput, 'paidIn'>,
): void {
  if (begunIn === null || paidIn === null || begunIn.contract === paidIn.contract) return;
  const message = `It has just been begun in ${begunIn.contract}, and was paid in ${paidIn.contract}. Look at it again.`;
  throw new AppError('CONFLICT', message, { retryAfterSeconds: 1 });
}

/**
 * The refusal of a transaction that has completed other payouts, and has nothing left for this one. Where each of
 * several to one address got less than was due, the first of them took what the next one got.
 */
export const hashTaken = (network: string): AppError =>
  conflict(
    `What this transaction moved there has completed another payout on ${network}. If another transaction paid this one, complete it \
with that. If this transaction did, too, do not fail this one, or it is paid twice: send once what is missing of all that it paid there, in as \
many transactions as payouts are refused so, have the setting verifyPayoutOnChain turned off, complete each with one of these, and turn \
that on again.`,
    'tx_hash_used',
  );

/** The same of a bank's reference. */
export const referenceTaken = (): AppError =>
  conflict('This reference has completed another payout. Compare it with what the bank wrote.', 'tx_hash_used');

/** The same of a transaction that is named for what a bank pays. No chain can show which accounts it paid. */
export const takenOfBank = (network: string): AppError =>
  conflict(
    `This transaction has paid other payouts on ${network}. If its money went to this account as well, do not fail this one: \
complete it with the bank's reference of its own transfer.`,
    'tx_hash_used',
  );

/**
 * The same where the one that has it, as one endpoint said, is not shown to be paid by that. `said`: what is shown of
 * that one instead.
 */
export const heldWrongly = (network: string, holder: string, said: Saying): AppError =>
  new AppError(
    'CONFLICT',
    `What this transaction moved there has completed ${holder} on ${network}, as an endpoint showed then. By now it is not shown \
to have paid that one: ${said.message} Do not fail this one, or it is paid twice: try again, and compare ${holder} with the chain.`,
    { reason: 'tx_hash_used', ...later(said) },
  );

/** Why the chain does not show something, and when it may be worth asking again. */
type Saying = { readonly message: string; readonly retryAfterSeconds?: number | undefined };

/**
 * The same where no chain was asked about the other one: all that it moved is that one's, until the chain shows what
 * paid it. `said`: why it does not.
 */
export const wholeTaken = (network: string, said?: Saying): AppError =>
  new AppError(
    'CONFLICT',
    `This transaction has completed another payout on ${network}, about which no chain was asked, with all that it moved. \
${said ? `The chain does not show which of its transfers paid that one: ${said.message}` : IF_PAID} Look at what it paid \
before you fail this one.`,
    { reason: 'tx_hash_used', ...later(said) },
  );

const later = ({ retryAfterSeconds }: Partial<Saying> = {}) =>
  retryAfterSeconds === undefined ? {} : { retryAfterSeconds };

const IF_PAID = `If it paid this one, too, do not fail this one: complete it while the chain is asked (the setting \
verifyPayoutOnChain, and the network listed), which shows what paid each.`;

/** The same of the coin that the chain shows to have paid this one, where no chain was asked about the other one. */
export const coinTaken = (network: string): AppError =>
  conflict(
    `The coin of this transaction has completed another payout on ${network}, about which no chain was asked, and paid this one. \
Do not fail this one, or it is paid twice: have the setting verifyPayoutOnChain turned off, let two administrators complete it with \
notes, one who begins to pay it (process) and another one, and turn that on again.`,
    'tx_hash_used',
  );

/** The same where the chain is not asked now, and some of what it moved is others'. */
export const partTaken = (network: string): AppError =>
  conflict(
    `This transaction has paid other payouts on ${network}, and the chain is not asked whether it paid this one, too. If it \
did, do not fail this one: complete it while the chain is asked (the setting verifyPayoutOnChain, and the network listed).`,
    'tx_hash_used',
  );

/** The same of one that it paid before the chain took that back: nothing of it can pay this one any more. */
export const lostToOthers = (network: string): AppError =>
  conflict(
    `What this transaction moved there for this one has completed other payouts on ${network} since it was taken back. Pay it \
anew and complete it with that transaction, or fail it.`,
    'tx_hash_used',
  );

/** Whether another request has just completed another payout with the same transaction. */
export const isTwin = (error: unknown): boolean =>
  sqlState(error) === '23505' && TWINS.includes((error as { constraint?: string }).constraint ?? '');

const TWINS: readonly string[] = ['payout_transfer_once'];
