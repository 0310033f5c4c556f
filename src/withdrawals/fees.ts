import { invalidField } from '../lib/errors.ts';
import { BPS, divideUp, formatCents, MICRO_DECIMALS, MICRO_PER_CENT, max, parseUnits } from '../lib/money.ts';
import type { Settings } from '../settings/settings.ts';
import type { WithdrawalMethod } from './withdrawal.ts';

/** A setting in dollars as US cents, rounded up. */
export const centsOf = (dollars: string): bigint => divideUp(parseUnits(dollars, MICRO_DECIMALS), MICRO_PER_CENT);

export type FeeRequest = {
  readonly amountMinor: bigint;
  readonly method: WithdrawalMethod;
  readonly network: string;
};

/**
 * The platform's fee, in US cents, rounded up: a fixed sum per network, or a share with a minimum for banks. Throws
 * VALIDATION_ERROR for a network without a fee (decision withdrawals/no-fee-no-withdrawals) and for an amount that does
 * not exceed the fee.
 */
export function feeOf({ amountMinor, method, network }: FeeRequest, { withdrawalFees }: Settings): bigint {
  const fee =
    method === 'bank' ? bankFee(amountMinor, withdrawalFees.bank) : networkFee(network, withdrawalFees.networks);
  if (fee < amountMinor) return fee;
  throw invalidField('amount', `must be more than the fee, which is ${formatCents(fee)} USD`);
}

function bankFee(amountMinor: bigint, { bps, min }: Settings['withdrawalFees']['bank']): bigint {
  const share = divideUp(amountMinor * BigInt(bps), BPS);
  return max(share, centsOf(min));
}

function networkFee(network: string, fees: Settings['withdrawalFees']['networks']): bigint {
  const fee = Object.hasOwn(fees, network) ? fees[network] : undefined;
  if (fee !== undefined) return centsOf(fee);
  throw invalidField('network', `withdrawals on ${network} are not offered`);
}
