import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { AppError } from '../../src/lib/errors.ts';
import type { Charge } from '../../src/subscriptions/schedule/charge.ts';
import type { Paused } from '../../src/subscriptions/schedule/subscription-events.ts';
import {
  isChargeOpen,
  openNumber,
  type SubscriptionInput,
} from '../../src/subscriptions/schedule/subscription-state.ts';
import { at, numbersFrom } from './subscription-fixture.ts';
import {
  type Attempted,
  collect,
  confirm,
  look,
  mine,
  openWorld,
  type Plan,
  reorg,
  rowOf,
  tell,
  type World,
} from './subscription-world.ts';

const PLANS: readonly Plan[] = [
  { interval: 'daily', trialDays: 0 },
  { interval: 'daily', trialDays: 2 },
  { interval: 'weekly', trialDays: 0 },
  { interval: 'monthly', trialDays: 0 },
  { interval: 'monthly', trialDays: 14 },
];
const PAUSES: readonly Paused[] = [false, false, false, false, true, 'delisted', 'unlisted'];
const ATTEMPTS: readonly Attempted[] = [
  'send',
  'send',
  'send',
  'send',
  'network_unavailable',
  'gas_too_dear',
  'wait',
  'fail',
];
const INPUTS: readonly SubscriptionInput[] = [
  { kind: 'mandate_authorized' },
  { kind: 'mandate_authorized' },
  { kind: 'mandate_revoked' },
  { kind: 'mandate_reverted' },
  { kind: 'funds_seen' },
  { kind: 'retry' },
  { kind: 'cancel', reason: 'customer_requested' },
];

type Random = () => number;
const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

/** How long nothing happens: mostly what the jobs wait, at times an outage. */
const pass = (world: World, random: Random): void => {
  const longest = pick(random, [MINUTE_MS, MINUTE_MS, HOUR_MS, HOUR_MS, DAY_MS, 9 * DAY_MS]);
  const { nextActionAt } = world.of;
  const soon = after(world.now, random() * longest);
  world.now = nextActionAt && nextActionAt > world.now && random() < 0.4 ? nextActionAt : soon;
};

function ask(world: World, input: SubscriptionInput): void {
  try {
    tell(world, input);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** One of what may happen next; answers with the charge that was paid for good by it. */
function play(world: World, random: Random, paused: Paused): Charge | undefined {
  const kind = random();
  if (kind < 0.3) look(world, paused);
  else if (kind < 0.55) {
    if (!paused) collect(world, pick(random, ATTEMPTS));
  } else if (kind < 0.72) mine(world);
  else if (kind < 0.86) return confirm(world);
  else if (kind < 0.92) reorg(world, random() < 0.3);
  else ask(world, pick(random, INPUTS));
  return undefined;
}

const isOver = ({ of }: World): boolean => of.status === 'cancelled' || of.status === 'expired';

/** What holds whatever happened. */
function requireSound(world: World): void {
  const { of, charges } = world;
  const rows = [...charges.values()].sort((a, b) => a.number - b.number);
  // One that is charged again may be overtaken on its way: the chain refuses it once it is mined.
  const open = rows.filter(
    ({ status, reversedAt }) => status === 'due' || (status === 'sending' && reversedAt === null),
  );
  expect(open.length).toBeLessThanOrEqual(1);
  expect(of.nextActionAt === null).toBe(of.status === 'expired');
  expect(of.currentPeriodEnd >= of.currentPeriodStart).toBe(true);
  for (const { periodStart, periodEnd } of rows) expect(periodEnd > periodStart).toBe(true);
  for (const row of open) {
    // What is due is asked for, and what is sent may be of a subscription that has ended with nothing else.
    if (row.status === 'due') expect([isOver(world), isChargeOpen(of, row.number)]).toEqual([false, true]);
  }
  if (of.charge !== 'none') {
    expect(isOver(world)).toBe(false);
    expect(['due', 'sending', 'confirming']).toContain(rowOf(world, openNumber(of))?.status);
  }
  const paid = rows.filter(({ status }) => status === 'succeeded');
  for (const [i, { periodStart }] of paid.entries()) {
    const before = paid[i - 1];
    if (before) expect(periodStart >= before.periodEnd, 'a period that was paid twice').toBe(true);
  }
}

/** What is paid for good is given, unless that comes back more than a day after a reorg took it, and all was over. */
function requireGiven(world: World, before: World['of'], { number, periodEnd }: Charge): void {
  const { of } = world;
  if (number < before.nextNumber) return;
  const { takenAt, minedAt } = world;
  const isBackInTime = takenAt && minedAt && +minedAt < +takenAt + DAY_MS;
  if (before.status === 'expired' && !isBackInTime) return;
  expect([of.periodNumber, of.currentPeriodEnd]).toEqual([number, periodEnd]);
  expect(of.nextNumber).toBe(number + 1);
}

test('whatever is sent, waits, is paused and taken by reorgs, a period is paid once and given, and nothing stands still', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const random = numbersFrom(seed);
    const world = openWorld(pick(random, PLANS), at('2026-01-31'));
    if (random() < 0.9) tell(world, { kind: 'mandate_authorized' });
    let paused: Paused = false;
    for (let turn = 0; turn < 60; turn += 1) {
      pass(world, random);
      if (random() < 0.1) paused = pick(random, PAUSES);
      const before = world.of;
      try {
        const paid = play(world, random, paused);
        requireSound(world);
        expect([world.of.nextNumber >= before.nextNumber, world.of.periodNumber >= before.periodNumber]).toEqual([
          true,
          true,
        ]);
        if (paid) requireGiven(world, before, paid);
      } catch (error) {
        throw new Error(`seed ${seed}, turn ${turn}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
  }
});
