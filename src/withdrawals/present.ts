import type { components } from '../../generated/api.ts';
import { presentFiat, presentMicro } from '../lib/money.ts';
import type { Limits } from './limits.ts';
import {
  isBank,
  netMinor,
  referenceOf,
  type StableToken,
  type Withdrawal,
  type WithdrawalMethod,
} from './withdrawal.ts';

type Schemas = components['schemas'];

/**
 * The merchant's view, also the `data` of events. `bankAccountNumber` is as much of the number as the reader may see.
 */
export function presentWithdrawal(withdrawal: Withdrawal, bankAccountNumber: string | null): Schemas['Withdrawal'] {
  const { bank } = withdrawal;
  return {
    id: withdrawal.id,
    ...presentAmounts(withdrawal),
    ...presentState(withdrawal),
    statusMessage: withdrawal.reason,
    method: isBank(withdrawal) ? 'bank' : 'crypto',
    bankAccountNumber,
    bankName: bank?.name ?? null,
    bankBranch: bank?.branch ?? null,
    currency: withdrawal.currency,
    network: withdrawal.network,
    // The crypto leg of a bank withdrawal is internal to the platform.
    destinationAddress: bank ? null : withdrawal.destinationAddress,
    txHash: withdrawal.txHash,
    reference: referenceOf(withdrawal),
    createdAt: withdrawal.createdAt.toISOString(),
    processedAt: withdrawal.finishedAt?.toISOString() ?? null,
  };
}

/** Merchants see four states; `statusReason` tells apart the internal states behind one of them. */
function presentState({ status, cancelled }: Withdrawal): Pick<Schemas['Withdrawal'], 'status' | 'statusReason'> {
  switch (status) {
    case 'processing':
      return { status: 'approved', statusReason: 'processing' };
    case 'failed':
      return { status: 'rejected', statusReason: 'failed' };
    case 'rejected':
      return { status, statusReason: cancelled ? 'cancelled' : 'declined' };
    default:
      return { status, statusReason: null };
  }
}

const presentAmounts = (amounts: Pick<Withdrawal, 'amountMinor' | 'feeMinor'>) => ({
  amount: presentFiat(amounts.amountMinor),
  fee: presentFiat(amounts.feeMinor),
  netAmount: presentFiat(netMinor(amounts)),
});

/** A withdrawal that has not been requested yet. */
export type Quote = {
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly method: WithdrawalMethod;
  readonly currency: StableToken;
  readonly network: string;
  readonly availableMicro: bigint;
  readonly limits: Limits;
};

/** The answer to a request for a quote. */
export const presentQuote = (quote: Quote): Schemas['WithdrawalQuote'] => ({
  ...presentAmounts(quote),
  method: quote.method,
  currency: quote.currency,
  network: quote.network,
  availableBalance: presentMicro(quote.availableMicro),
  minAmount: presentFiat(quote.limits.minMinor),
  maxAmount: presentFiat(quote.limits.maxMinor),
  dailyRemaining: presentFiat(quote.limits.dailyRemainingMinor),
  openRemaining: quote.limits.openRemaining,
});
