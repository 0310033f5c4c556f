import { expect, test } from 'vitest';
import { choose, holdersOfLost, takenOf } from '../../src/payouts/transfers.ts';
import { LOG_PLACES } from '../../src/ports/placed.ts';

const shown = (units: readonly bigint[], due: bigint, back = 0n) => ({
  transfers: units.map((each, index) => ({ index, units: each })),
  kept: units.reduce((sum, each) => sum + each, 0n) - back,
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

test('what came back from the destination pays nothing', () => {
  expect(choose(shown([10n, 10n], 10n, 10n), taken())).toEqual([1]);
  expect(choose(shown([10n, 10n], 10n, 10n), taken(0))).toBeNull();
  expect(choose(shown([10n, 10n], 10n, 11n), taken())).toBeNull();
  // A little that comes back is not all of the second one, which could never be completed.
  expect(choose(shown([10n, 10n], 10n, 1n), taken(0))).toEqual([1]);
  expect(choose(shown([10n, 10n, 10n], 10n, 11n), taken(0))).toEqual([2]);
  expect(choose(shown([10n, 10n, 10n], 10n, 11n), taken(0, 2))).toBeNull();
});

test('a place that a release before gave takes the largest transfer that it can be, to the same address in the same token', () => {
  const asset = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
  const placed = (units: readonly bigint[], ranges: readonly (readonly [number, number])[]) => ({
    transfers: units.map((each, i) => ({
      ...{ index: LOG_PLACES + i, units: each, former: { from: ranges[i]?.[0] ?? 0, to: ranges[i]?.[1] ?? 0 } },
    })),
    ...{ kept: 100n, due: 10n, asset, block: { height: 1, hash: '0x1' } },
  });
  const row = (index: number, changes = {}) => ({
    ...{ index, token: 'USDT', destination: '0xD', contract: '0xc', ...changes },
  });
  const free = (shown: ReturnType<typeof placed>, ...rows: ReturnType<typeof row>[]) => {
    const places = takenOf(shown, { destination: '0xd' }, rows);
    return shown.transfers.filter(({ index }) => !places.has(index)).map(({ units }) => units);
  };
  const alone = placed(
    [10n, 20n],
    [
      [0, 0],
      [1, 1],
    ],
  );
  expect(free(alone, row(0))).toEqual([20n]);
  expect(free(alone, row(1))).toEqual([10n]);
  expect(free(alone, row(1, { contract: null }))).toEqual([10n]);
  // Others' are not among those that count here.
  for (const other of [{ destination: '0xe' }, { contract: '0xb' }, { contract: null, token: 'USDC' }])
    expect(free(alone, row(1, other))).toEqual([10n, 20n]);
  const mixed = placed(
    [10n, 10n, 30n],
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  );
  expect(free(mixed, row(2))).toEqual([10n, 10n]);
  expect(free(mixed, row(1), row(2))).toEqual([10n]);
  expect(free(mixed, row(LOG_PLACES + 2), row(2))).toEqual([10n]);
});

test('what a release before gave leaves no more than was left, however its places can be told apart', () => {
  const asset = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
  const free = (all: readonly (readonly [units: bigint, from: number, to: number])[], places: readonly number[]) => {
    const transfers = all.map(([units, from, to], i) => ({ index: LOG_PLACES + i, units, former: { from, to } }));
    const shown = { transfers, kept: 100n, due: 10n, asset, block: { height: 1, hash: '0x1' } };
    const rows = places.map((index) => ({ index, token: 'USDT', destination: '0xd', contract: '0xc' }));
    const taken = takenOf(shown, { destination: '0xd' }, rows);
    return transfers.filter(({ index }) => !taken.has(index)).map(({ units }) => units);
  };
  // Both have paid: the larger one is not the first place's, because nothing else can be the second's.
  const two = [
    [10n, 0, 1],
    [30n, 1, 2],
  ] as const;
  expect(free(two, [1, 2])).toEqual([]);
  const three = [...two, [20n, 2, 3]] as const;
  expect(free(three, [1, 2, 3])).toEqual([]);
  expect(free(three, [1, 2])).toEqual([10n]);
  expect(free(three, [2])).toEqual([10n, 20n]);
});

test('a lost payout is lost to others where all that one of its places can be is theirs for certain', () => {
  const asset = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
  const held = (ranges: readonly (readonly [from: number, to: number])[], lost: readonly number[], rows: object) => {
    const transfers = ranges.map(([from, to], i) => ({ index: LOG_PLACES + i, units: 10n, former: { from, to } }));
    const taken = Object.entries(rows).map(([payoutId, changes]) => ({
      ...{ payoutId, token: 'USDT', destination: '0xD', contract: '0xc', index: 0, ...changes },
    }));
    return holdersOfLost({ transfers, asset }, { destination: '0xd' }, lost, taken);
  };
  const apart = [
    [0, 0],
    [1, 1],
  ] as const;
  expect(held(apart, [0], { a: { index: LOG_PLACES } })).toEqual(['a']);
  expect(held(apart, [0], { a: { index: LOG_PLACES + 1 } })).toBeNull();
  expect(held(apart, [LOG_PLACES + 1], { a: { index: 1 } })).toEqual(['a']);
  expect(held(apart, [0], {})).toBeNull();
  // A part of it has paid its own.
  expect(held(apart, [0, 1], { a: { index: LOG_PLACES } })).toBeNull();
  expect(held(apart, [0, 1], { a: { index: LOG_PLACES }, b: { index: LOG_PLACES + 1 } })).toEqual(['a', 'b']);
  expect(held(apart, [], {})).toBeNull();
  expect(held(apart, [2], { a: { index: LOG_PLACES } })).toBeNull();
  for (const other of [{ destination: '0xe' }, { contract: '0xb' }, { contract: null }])
    expect(held(apart, [0], { a: { index: LOG_PLACES, ...other } })).toBeNull();
  const mixed = [
    [0, 1],
    [1, 2],
  ] as const;
  expect(held(mixed, [1], { a: { index: LOG_PLACES } })).toBeNull();
  expect(held(mixed, [1], { a: { index: LOG_PLACES }, b: { index: LOG_PLACES + 1 } })).toEqual(['a', 'b']);
  // A place of before that can be either is certain of none.
  expect(held(mixed, [LOG_PLACES], { a: { index: 1 } })).toBeNull();
});
