import { expect, test } from 'vitest';
import { outbid } from '../../src/chains/operator/fees.ts';

const LIMIT = 1_000n;

test.each([
  ['good enough', [100n, 5n], { baseFee: 90n, tip: 5n }, undefined],
  ['good enough, as its effective tip is just what is asked', [100n, 50n], { baseFee: 90n, tip: 10n }, undefined],
  ['below the base fee', [100n, 5n], { baseFee: 101n, tip: 0n }, { maxFee: 208n, maxPriorityFee: 6n }],
  ['too low a tip', [1000n - 200n, 8n], { baseFee: 90n, tip: 9n }, { maxFee: 900n, maxPriorityFee: 9n }],
  [
    'just too low, and can be raised up to the limit',
    [800n, 8n],
    { baseFee: 795n, tip: 6n },
    { maxFee: 1000n, maxPriorityFee: 9n },
  ],
  ['too low, but an eighth more exceeds the limit', [900n, 5n], { baseFee: 950n, tip: 5n }, undefined],
  ['too low, but the market exceeds the limit', [100n, 5n], { baseFee: 999n, tip: 5n }, undefined],
  ['without a tip', [10n, 0n], { baseFee: 20n, tip: 0n }, { maxFee: 41n, maxPriorityFee: 1n }],
] as const)('an offer that is %s, is replaced as listed', (_, [maxFee, maxPriorityFee], market, better) => {
  expect(outbid({ maxFee, maxPriorityFee }, market, LIMIT)).toEqual(better);
});
