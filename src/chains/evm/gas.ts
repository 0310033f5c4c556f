import { max, min } from '../../lib/money.ts';

/** EIP-7825: no transaction may have more gas. */
export const TRANSACTION_GAS_MAX = 16_777_216n;

/**
 * The gas of a transaction that works through items, of which a failing one does not revert the rest. A node's estimate
 * is the least gas with which the transaction succeeds, and it succeeds without the items that ran out of gas. So
 * `enough`, which covers the dearest items, counts, and the estimate (plus a tenth) only where it is higher: on
 * networks whose gas also pays for data. Unused gas costs nothing.
 */
export function batchGas(enough: bigint, estimate: bigint): bigint {
  return min(max((estimate * 11n) / 10n, enough), TRANSACTION_GAS_MAX);
}
