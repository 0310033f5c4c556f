import { max, min } from '../../lib/money.ts';
import type { Fees, Market } from '../../ports/operator.ts';

/**
 * The offer for a transaction that may wait some blocks: a base fee twice as high as now, but never more than the
 * limit.
 */
export function offerFor({ baseFee, tip }: Market, limit: bigint): Fees {
  const wanted = 2n * baseFee + tip;
  return { maxFee: min(wanted, limit), maxPriorityFee: tip };
}

/**
 * The offer that must replace `offered`: at least an eighth more of both fees, as nodes ask of a replacement. Undefined
 * when `offered` is good enough for the next block, or a better one would exceed the limit.
 */
export function outbid(offered: Fees, market: Market, limit: bigint): Fees | undefined {
  const tip = min(offered.maxFee - market.baseFee, offered.maxPriorityFee);
  if (tip >= market.tip) return undefined;
  const maxPriorityFee = max(raised(offered.maxPriorityFee), market.tip);
  const wanted = offerFor({ ...market, tip: maxPriorityFee }, limit).maxFee;
  const maxFee = max(raised(offered.maxFee), wanted);
  return maxFee > limit || maxFee < market.baseFee + market.tip || maxPriorityFee > maxFee
    ? undefined
    : { maxFee, maxPriorityFee };
}

const raised = (fee: bigint): bigint => max((fee * 9n + 7n) / 8n, fee + 1n);
