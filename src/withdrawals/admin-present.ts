import type { components } from '../../generated/api.ts';
import { formatCents } from '../lib/money.ts';
import type { OwnedWithdrawal } from './admin-queries.ts';
import { isBank, netMinor, referenceOf, type Withdrawal } from './withdrawal.ts';

type Schemas = components['schemas'];

/** One line of the list. */
export const presentOwnedSummary = ({ withdrawal, merchant }: OwnedWithdrawal): Schemas['AdminWithdrawalSummary'] => ({
  id: withdrawal.id,
  merchantId: withdrawal.merchantId,
  merchantName: merchant.name,
  method: isBank(withdrawal) ? 'bank' : 'crypto',
  amount: formatCents(withdrawal.amountMinor),
  currency: withdrawal.currency,
  destinationAddress: withdrawal.destinationAddress,
  network: withdrawal.network,
  status: withdrawal.status,
  txHash: withdrawal.txHash,
  reference: referenceOf(withdrawal),
  reviewedBy: withdrawal.reviewedBy,
  notes: withdrawal.notes,
  requestedAt: withdrawal.createdAt.toISOString(),
  updatedAt: withdrawal.updatedAt.toISOString(),
});

/** The detail view of administrators. `bankAccountNumber` is as much of the number as the reader may see. */
export function presentOwned(owned: OwnedWithdrawal, bankAccountNumber: string | null): Schemas['AdminWithdrawal'] {
  const { withdrawal, merchant } = owned;
  const { bank, status } = withdrawal;
  return {
    ...presentOwnedSummary(owned),
    fee: formatCents(withdrawal.feeMinor),
    netAmount: formatCents(netMinor(withdrawal)),
    merchantStatus: merchant.status,
    bankAccountNumber,
    bankName: bank?.name ?? null,
    bankBranch: bank?.branch ?? null,
    cancelled: withdrawal.cancelled,
    reason: withdrawal.reason,
    txVerified: withdrawal.txVerified,
    txBlock: withdrawal.txBlock?.height ?? null,
    txFinalAt: iso(withdrawal.finalAt),
    reverts: withdrawal.reverts,
    reviewedAt: iso(withdrawal.reviewedAt),
    processingAt: iso(withdrawal.processingAt),
    processedBy: withdrawal.processedBy,
    failRequestedBy: withdrawal.failRequest?.by ?? null,
    failRequestedAt: iso(withdrawal.failRequest?.at ?? null),
    completedAt: status === 'completed' ? iso(withdrawal.finishedAt) : null,
    closedBy: withdrawal.finishedBy,
    closedAt: iso(withdrawal.finishedAt),
  };
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A time that the last move has set. */
function since(date: Date | null): string {
  if (!date) throw new Error('a withdrawal was moved and did not write down when');
  return date.toISOString();
}

/** The answer to `approve` and `reject`. */
export const presentReview = ({ id, status, reviewedBy, reviewedAt }: Withdrawal): Schemas['WithdrawalReview'] => ({
  id,
  status,
  reviewedBy: reviewedBy ?? '',
  reviewedAt: since(reviewedAt),
  message: status === 'approved' ? 'Withdrawal approved.' : `Withdrawal rejected; ${RETURNED}`,
});

/** The answer to `process`. */
export const presentProcessing = ({ id, status, processingAt }: Withdrawal): Schemas['WithdrawalProcessing'] => ({
  id,
  status,
  processingAt: since(processingAt),
  message: 'Withdrawal is being paid.',
});

/** The answer to `fail-request`. */
export const presentFailRequest = ({ id, status, failRequest }: Withdrawal): Schemas['WithdrawalFailureAsked'] => ({
  id,
  status,
  failRequestedBy: failRequest?.by ?? '',
  failRequestedAt: since(failRequest?.at ?? null),
  message: 'Noted. Another administrator can fail the withdrawal now.',
});

/** The answer to `fail`. */
export const presentFailure = ({ id, status, finishedAt }: Withdrawal): Schemas['WithdrawalFailure'] => ({
  id,
  status,
  failedAt: since(finishedAt),
  message: `Withdrawal failed; ${RETURNED}`,
});

/** The answer to `complete`. */
export const presentCompletion = (withdrawal: Withdrawal): Schemas['WithdrawalCompletion'] => ({
  id: withdrawal.id,
  status: withdrawal.status,
  txHash: withdrawal.txHash ?? '',
  reference: referenceOf(withdrawal),
  completedAt: since(withdrawal.finishedAt),
  message: 'Withdrawal completed.',
});

const RETURNED = "the money is back in the merchant's balance.";
