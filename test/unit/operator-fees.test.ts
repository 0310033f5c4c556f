import { expect, test } from 'vitest';
import { outbid } from '../../src/chains/operator/repairs.ts';

const LIMIT = 1_000n;

test.each([
  ['good enough', [100n, 5n], { baseFee: 90n, tip: 5n }, undefined],
  [
    'good enough, because it leaves less of a tip than it could, but as much as is wanted',
    [100n, 50n],
    { baseFee: 90n, tip: 10n },
    undefined,
  ],
  ['below the base fee', [100n, 5n], { baseFee: 101n, tip: 0n }, { maxFee: 208n, maxPriorityFee: 6n }],
  ['too low a tip', [1000n - 200n, 8n], { baseFee: 90n, tip: 9n }, { maxFee: 900n, maxPriorityFee: 9n }],
  [
    'only just too low, and is bettered up to the limit',
    [800n, 8n],
    { baseFee: 795n, tip: 6n },
    { maxFee: 1000n, maxPriorityFee: 9n },
  ],
  ['an eighth more than which is beyond the limit', [900n, 5n], { baseFee: 950n, tip: 5n }, undefined],
  ['to be bettered only beyond the limit', [100n, 5n], { baseFee: 999n, tip: 5n }, undefined],
  ['of nothing for the block’s maker', [10n, 0n], { baseFee: 20n, tip: 0n }, { maxFee: 41n, maxPriorityFee: 1n }],
] as const)('an offer that is %s', (_, [maxFee, maxPriorityFee], market, better) => {
  expect(outbid({ maxFee, maxPriorityFee }, market, LIMIT)).toEqual(better);
});
