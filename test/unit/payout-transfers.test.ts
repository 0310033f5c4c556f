import { expect, test } from 'vitest';
import { choose } from '../../src/payouts/transfers.ts';

const shown = (units: readonly bigint[], due: bigint, sentOn = 0n) => ({
  transfers: units.map((each, index) => ({ index, units: each })),
  kept: units.reduce((sum, each) => sum + each, 0n) - sentOn,
  due,
});
const taken = (...indexes: readonly number[]) => new Set(indexes);

test.each<[string, readonly bigint[], bigint, readonly number[], number[] | null]>([
  ['the only transfer', [10n], 10n, [], [0]],
  ['the smallest that is enough', [50n, 10n, 11n], 10n, [], [1]],
  ['another one than those that are taken', [10n, 10n], 10n, [0], [1]],
  ['a larger one where the right one is taken', [50n, 10n], 10n, [1], [0]],
  ['several that are enough together, the largest first', [3n, 5n, 4n], 9n, [], [1, 2]],
  ['nothing where all are taken', [10n, 10n], 10n, [0, 1], null],
  ['nothing where one transfer that is taken was large enough for two', [20n], 10n, [0], null],
  ['nothing where what is free is too little', [10n, 4n, 5n], 10n, [0], null],
])('takes %s', (_what, units, due, of, wanted) => {
  expect(choose(shown(units, due), taken(...of))).toEqual(wanted);
});

test('what paid it before pays it again, unless that is taken or is not enough any more', () => {
  expect(choose(shown([10n, 11n], 10n), taken(), [1])).toEqual([1]);
  expect(choose(shown([5n, 5n, 10n], 10n), taken(), [0, 1])).toEqual([0, 1]);
  expect(choose(shown([10n, 11n, 10n], 10n), taken(1), [1])).toEqual([2]);
  expect(choose(shown([10n, 9n], 10n), taken(), [1])).toEqual([0]);
});

test('what the destination sent on pays nothing', () => {
  expect(choose(shown([10n, 10n], 10n, 10n), taken())).toEqual([1]);
  expect(choose(shown([10n, 10n], 10n, 10n), taken(0))).toBeNull();
  expect(choose(shown([10n, 10n], 10n, 11n), taken())).toBeNull();
});
