import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flowBetween, GRAIN_STEPS } from '../../src/chains/money-flow.ts';
import { judgePayout, type Sighting } from '../../src/chains/payout-rules.ts';
import { GRAINS_MAX, reckonFlow } from '../../src/chains/reckoning.ts';
import type { PayoutClaim } from '../../src/ports/chain.ts';
import { ladder } from '../support/ladder.ts';
import { leastOfFive } from '../support/least.ts';
import { turnsOf } from '../support/turns.ts';

type Asked = Parameters<typeof flowBetween>;

/** The flow in one go, however long that takes, and in how many grains of steps. */
function inOneGo(...asked: Asked): { readonly flow: bigint; readonly grains: number } {
  const steps = flowBetween(...asked);
  for (let grains = 1; ; grains += 1) {
    const next = steps.next();
    if (next.done) return { flow: next.value, grains };
  }
}

/** A ladder that ends at its own payer, so that it is like no other one. */
const rungsTo = (payer: string, rungs: number): Asked => [
  ladder(rungs, payer, 'd'),
  'd',
  new Map([[payer, 10n ** 18n]]),
];

test('what is reckoned grain by grain is what is reckoned in one go', async () => {
  const place = fc.constantFrom('d', 'a', 'b', 'x', 'y', 'z');
  const each = fc.record({ from: place, to: place, units: fc.bigInt(0n, 10n ** 24n) });
  await fc.assert(
    fc.asyncProperty(fc.array(each, { maxLength: 30 }), fc.bigInt(0n, 10n ** 24n), async (all, most) => {
      const asked: Asked = [all, 'd', new Map([['a', most]])];
      expect(await reckonFlow(...asked)).toBe(inOneGo(...asked).flow);
    }),
  );
  const long = rungsTo('p1', 800);
  const { flow, grains } = inOneGo(...long);
  expect(grains).toBeGreaterThan(3);
  expect(await reckonFlow(...long)).toBe(flow);
});

test('a ladder of ten thousand transfers gives way in each grain, and is given up', { timeout: 60_000 }, async () => {
  const asked = rungsTo('p2', 3_333);
  const { result, turns } = await turnsOf(() => reckonFlow(...asked));
  expect(result).toBeNull();
  expect(turns).toBeGreaterThanOrEqual(GRAINS_MAX - 1);
  // Asked again, as it is every half minute and of each endpoint, it costs its first grain.
  const again = await turnsOf(() => reckonFlow(...asked));
  expect(again.result).toBeNull();
  expect(again.turns).toBeLessThan(5);
});

test('of several at once each turn has one grain', { timeout: 60_000 }, async () => {
  const several = ['p3', 'p4', 'p5', 'p6'].map((payer) => rungsTo(payer, 900));
  const whole = several.map((asked) => inOneGo(...asked));
  const { result, turns } = await turnsOf(() => Promise.all(several.map((asked) => reckonFlow(...asked))));
  expect(result).toEqual(whole.map(({ flow }) => flow));
  // The first grain of each is at once, and the rest take turns.
  expect(turns).toBeGreaterThanOrEqual(whole.reduce((sum, { grains }) => sum + grains - 1, 0));
});

test('of too many at once the last are refused, and reckoned when they are asked for again', async () => {
  const many = Array.from({ length: 25 }, (_, i) => rungsTo(`q${i}`, 400));
  const flows = many.map((asked) => inOneGo(...asked).flow);
  const first = await Promise.allSettled(many.map((asked) => reckonFlow(...asked)));
  const refused = first.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map((each) => (each as PromiseRejectedResult).reason.code)).toEqual(
    refused.map(() => 'SERVICE_UNAVAILABLE'),
  );
  const second = await Promise.all(many.map((asked) => reckonFlow(...asked)));
  expect(second).toEqual(flows);
});

test('a grain is soon over, however many transfers there are', { timeout: 60_000 }, async () => {
  const longest = await leastOfFive(100, async () => {
    const steps = flowBetween(...rungsTo('p', 3_333));
    steps.next();
    let most = 0;
    for (let grain = 0; grain < 20; grain += 1) {
      const from = process.cpuUsage();
      steps.next();
      const { user, system } = process.cpuUsage(from);
      most = Math.max(most, (user + system) / 1_000);
    }
    return most;
  });
  expect(longest).toBeLessThan(100);
  expect(GRAIN_STEPS).toBeLessThan(1_000_000);
});

test('what can not come back, and goes around at the payer, gives way as well', () => {
  const units = 10n ** 24n;
  const around = Array.from({ length: 10_000 }, (_, i) => [
    { from: i === 0 ? 'p' : `a${i - 1}`, to: `a${i}`, units },
    { from: `a${i}`, to: 'p', units },
  ]);
  const moved = [{ from: 'p', to: 'd', units }, { from: 'd', to: 'elsewhere', units: 1n }, ...around.flat()];
  const { flow, grains } = inOneGo(moved, 'd', new Map([['p', units]]));
  expect(flow).toBe(0n);
  // Each of the eighty powers measures them all: fifty thousand steps.
  expect(grains).toBeGreaterThan(10);
});

const USDT = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
const CLAIM: PayoutClaim = {
  ...{ network: 'devnet', txHash: '0x1', token: 'USDT', destination: '0xd', minMicro: 10n, senders: [] },
  notBefore: new Date(0),
};
const BLOCK = { network: 'devnet', height: 7, hash: '0x7', parentHash: '0x6', time: new Date(1) };
const TANGLED: Sighting = {
  ...{ block: BLOCK, succeeded: true, shallow: null },
  transfers: ladder(3_333, '0xa', '0xd').map((each, index) => ({
    ...{ ...each, index, network: 'devnet', block: BLOCK, txHash: '0x1', token: USDT },
  })),
};

test('a payout that can not be reckoned is neither verified nor too small', { timeout: 60_000 }, async () => {
  const said = await judgePayout(CLAIM, USDT, TANGLED);
  expect(said).toEqual({
    outcome: 'refused',
    reason: 'payout_unclear',
    message: expect.stringContaining('do not fail the withdrawal, or it is paid twice'),
  });
  const shallow = await judgePayout(CLAIM, USDT, { ...TANGLED, shallow: 'its block is new' });
  expect(shallow).toMatchObject({ reason: 'payout_unclear', retryAfterSeconds: 5 });
  // What it takes no flow to see is said as ever.
  const reasons = await Promise.all([
    judgePayout(CLAIM, USDT, { ...TANGLED, succeeded: false }),
    judgePayout({ ...CLAIM, notBefore: new Date(60_000) }, USDT, TANGLED),
    judgePayout({ ...CLAIM, destination: '0xe' }, USDT, TANGLED),
  ]);
  expect(reasons.map((each) => each.outcome === 'refused' && each.reason)).toEqual([
    'payout_reverted',
    'payout_too_early',
    'payout_wrong_destination',
  ]);
});
