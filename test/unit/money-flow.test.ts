import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flowBetween } from '../../src/chains/money-flow.ts';
import { flowOf, judgePayout, type Sighting } from '../../src/chains/payout-rules.ts';
import { choose } from '../../src/payouts/transfers.ts';
import type { PayoutClaim } from '../../src/ports/chain.ts';

type Asked = Parameters<typeof flowBetween>;
type Moved = Asked[0][number];
/** The whole flow in one go. */
const flowOfAll = (...asked: Asked): bigint => {
  const steps = flowBetween(...asked);
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
};
const moved = (from: string, to: string, units: bigint): Moved => ({ from, to, units });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const PLACES = ['d', 'a', 'b', 'x', 'y', 'z'] as const;

/** What separates `d` from those at the narrowest: no flow is larger, and the largest is as large. */
function narrowest(all: readonly Moved[], to: ReadonlyMap<string, bigint>): bigint {
  const cuts = times(2 ** (PLACES.length - 1), (set) => {
    const isNear = (place: string) => place === 'd' || ((set >> (PLACES.indexOf(place as 'a') - 1)) & 1) === 1;
    const across = all.filter(({ from, to: end }) => isNear(from) && !isNear(end)).map(({ units }) => units);
    const out = [...to].filter(([place]) => isNear(place)).map(([, most]) => most);
    return [...across, ...out].reduce((sum, units) => sum + units, 0n);
  });
  return cuts.reduce((one, other) => (one < other ? one : other));
}

test('the flow is as much as the narrowest cut lets through, whatever was moved', () => {
  const place = fc.constantFrom(...PLACES);
  const units = fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(0n, 10n ** 30n));
  const each = fc.record({ from: place, to: place, units });
  fc.assert(
    fc.property(fc.array(each, { maxLength: 20 }), units, units, (all, a, b) => {
      const to = new Map([
        ['a', a],
        ['b', b],
      ]);
      expect(flowOfAll(all, 'd', to)).toBe(narrowest(all, to));
    }),
    { numRuns: 2_000 },
  );
});

/** The largest flow from the first place to the last one, way by way: whatever the way, as long as there is one. */
function wayByWay(room: bigint[][]): bigint {
  const last = room.length - 1;
  const seek = (at: number, most: bigint, seen: Set<number>): bigint => {
    if (at === last) return most;
    seen.add(at);
    for (const [to, left] of room[at]!.entries()) {
      if (left === 0n || seen.has(to)) continue;
      const found = seek(to, left < most ? left : most, seen);
      if (found === 0n) continue;
      room[at]![to]! -= found;
      room[to]![at]! += found;
      return found;
    }
    return 0n;
  };
  const found = seek(0, 10n ** 40n, new Set());
  return found === 0n ? 0n : found + wayByWay(room);
}

test('the flow is that which is found way by way, also where ways are long and many are full', () => {
  const places = times(16, (i) => (i === 0 ? 'd' : `p${i}`));
  // Mostly to a place nearby: ways are long then.
  const each = fc.record({
    from: fc.nat({ max: 15 }),
    by: fc.integer({ min: -3, max: 4 }),
    units: fc.oneof(fc.bigInt(1n, 3n), fc.bigInt(0n, 100n)),
  });
  fc.assert(
    fc.property(fc.array(each, { minLength: 20, maxLength: 90 }), fc.bigInt(0n, 300n), (all, most) => {
      const ways = all.map(({ from, by, units }) => ({ from, to: Math.min(15, Math.max(0, from + by)), units }));
      const room = times(17, () => times(17, () => 0n));
      for (const { from, to, units } of ways) if (from !== to) room[from]![to]! += units;
      room[15]![16] = most;
      const flow = flowOfAll(
        ways.map(({ from, to, units }) => moved(places[from]!, places[to]!, units)),
        'd',
        new Map([['p15', most]]),
      );
      expect(flow).toBe(wayByWay(room));
    }),
    { numRuns: 1_000 },
  );
});

test('what passes one who paid on its way to another one counts once', () => {
  const [one, other] = [moved('d', 'x', 5n), moved('x', 'a', 5n)];
  const both = new Map([
    ['a', 5n],
    ['b', 5n],
  ]);
  // Had the flow to each been added, what others brought would have counted as well.
  const all = [one, other, moved('x', 'b', 5n), moved('d', 'y', 5n), moved('z', 'x', 5n)];
  expect(flowOfAll(all, 'd', both)).toBe(5n);
  expect(flowOfAll([moved('d', 'a', 9n), moved('a', 'b', 9n)], 'd', both)).toBe(9n);
});

const USDT = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
const CLAIM: PayoutClaim = {
  ...{ network: 'devnet', txHash: '0x1', token: 'USDT', destination: '0xD', minMicro: 10n, senders: [] },
  notBefore: new Date(0),
};
const BLOCK = { network: 'devnet', height: 7, hash: '0x7', parentHash: '0x6', time: new Date(1) };

/** A transaction in a final block. */
const sighting = (all: readonly Moved[], sweptTo: readonly string[] = []): Sighting => ({
  ...{ block: BLOCK, succeeded: true, shallow: null, sweptTo },
  transfers: all.map((each, index) => ({
    ...each,
    index,
    network: 'devnet',
    block: BLOCK,
    txHash: '0x1',
    token: USDT,
  })),
});

/** Shapes of up to 8,000 transfers in which a contract can have money go around within a payout. */
const SHAPES: Readonly<Record<string, readonly Moved[]>> = {
  'many who paid, and as many ways to each of them': [
    ...times(2_000, (i) => moved(`p${i}`, '0xd', 2_000n)),
    ...times(2_000, (i) => [moved('0xd', `h${i}`, 1n), moved(`h${i}`, 'hub', 1n)]).flat(),
    ...times(2_000, (i) => moved('hub', `p${i}`, 2_000n)),
  ],
  'many who paid, at the end of a long way': [
    ...times(2_700, (i) => moved(`p${i}`, '0xd', 10n)),
    ...times(2_600, (i) => moved(i === 0 ? '0xd' : `c${i - 1}`, `c${i}`, 10n ** 9n)),
    ...times(2_700, (i) => moved('c2599', `p${i}`, 1n)),
  ],
  // Each way is longer than the one before, and has another width.
  'a ladder': [
    moved('p', '0xd', 10n ** 18n),
    ...times(1_215, (i) => [
      moved(i === 0 ? '0xd' : `a${i - 1}`, `a${i}`, 10n ** 18n),
      moved(`a${i}`, `b${i}`, 2n ** BigInt(i % 45)),
      moved(`b${i}`, i === 0 ? 'p' : `b${i - 1}`, 10n ** 18n),
    ]).flat(),
  ],
};

const FLOWS: Readonly<Record<string, readonly bigint[]>> = {
  'many who paid, and as many ways to each of them': [4_000_000n, 2_000n],
  'many who paid, at the end of a long way': [27_000n, 2_700n],
  'a ladder': [10n ** 18n, 27n * (2n ** 45n - 1n)],
};

// One flow for each who paid took minutes of the first shape, in which the process did nothing else.
test.for(Object.keys(SHAPES))('thousands of transfers are judged at once: %s', { timeout: 10_000 }, async (shape) => {
  const { got, back } = await flowOf(CLAIM, USDT, sighting(SHAPES[shape] ?? []));
  expect([got, back]).toEqual(FLOWS[shape]);
});

test('a destination that has become a treasury was paid what arrived there', async () => {
  const paid = sighting([moved('0xa', '0xd', 10n)], ['0xd', '0xe']);
  for (const senders of [[], ['0xA'], ['0xA', '0xD']])
    expect(await judgePayout({ ...CLAIM, senders }, USDT, paid)).toMatchObject({ outcome: 'verified', kept: 10n });
});

test('what a destination sends itself pays nothing', async () => {
  const shown = await judgePayout(CLAIM, USDT, sighting([moved('0xa', '0xd', 11n), moved('0xd', '0xd', 10n)]));
  expect(shown).toMatchObject({ outcome: 'verified', kept: 11n, transfers: [{ index: 0, units: 11n }] });
  // The second one of two to one address had it.
  if (shown.outcome === 'verified') expect(choose(shown, new Set([0]))).toBeNull();
});
