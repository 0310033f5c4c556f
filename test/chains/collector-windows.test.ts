import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Charge, encodeRevoke, type Mandate, mandateId } from '../../src/chains/evm/collector.ts';
import { type Interval, periodStart } from '../../src/lib/calendar.ts';
import type { CollectReason } from '../../src/ports/collector.ts';
import { type MandateTerms, mandateTerms } from '../../src/subscriptions/schedule/mandate-window.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send } from '../support/evm.ts';
import { type Collecting, DAY, HOUR, openCollector, type Payer, STRANGER, UNIT } from './collector-fixture.ts';

const MAX = 10n * UNIT;
const FIRST_DUE = new Date('2028-01-31T00:00:00Z');
let node: Anvil;
let world: Collecting;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
});
afterAll(() => node.stop());

async function agreed(change: Partial<Mandate> = {}, payer?: Payer): Promise<Mandate> {
  const by = payer ?? (await world.payer(change.token));
  const mandate = await world.mandate(by, change);
  expect((await world.authorize(by, mandate)).status).toBe('success');
  return mandate;
}

/** The outcome of a charge in a block at that second. */
async function chargeAt(seconds: number, charge: Charge): Promise<CollectReason | undefined> {
  await world.at(seconds);
  return world.fates(await world.collectMany([charge]), [charge])[0];
}

test('every reason is reported correctly in one batch, and the preview predicts it', async () => {
  const [poor, stingy, over, revoker] = await Promise.all([
    world.payer(world.usdc, 1n),
    world.payer(world.usdc, MAX, 1n),
    world.payer(),
    world.payer(),
  ]);
  const now = await world.now();
  const charges: Record<CollectReason, Charge> = {
    Ok: chargeOf(await agreed()),
    AlreadyCharged: chargeOf(await agreed()),
    MandateMissing: chargeOf(await world.mandate(over)),
    MandateRevoked: chargeOf(await agreed({}, revoker)),
    NotStarted: chargeOf(await agreed({ start: now + 10 * HOUR })),
    Ended: chargeOf(await agreed({ end: now + HOUR })),
    PeriodLimit: { ...chargeOf(await agreed()), amount: MAX + 1n },
    InsufficientBalance: chargeOf(await agreed({}, poor)),
    InsufficientAllowance: chargeOf(await agreed({}, stingy)),
    TokenRefused: chargeOf(await agreed({ token: STRANGER })),
  };
  await world.collect(charges.AlreadyCharged);
  await send(revoker.wallet, { to: world.collector, data: encodeRevoke(mandateId(charges.MandateRevoked.mandate)) });
  await world.sleepUntil(now + HOUR);
  const batch = Object.values(charges);
  const foreseen = await world.preview(batch);
  expect(foreseen).toEqual(Object.keys(charges));
  expect(world.fates(await world.collectMany(batch), batch)).toEqual(foreseen);
  for (const [reason, charge] of Object.entries(charges)) {
    if (reason !== 'Ok') expect((await world.collect(charge)).status, reason).toBe('reverted');
  }
});

test('windows, start and end are exact to the second', async () => {
  const start = (await world.now()) + HOUR;
  const mandate = await agreed({ start, end: start + 3 * DAY, period: DAY, carry: 0 });
  const [first, second, third] = [1, 2, 3].map((number) => ({ mandate, amount: MAX, number })) as [
    Charge,
    Charge,
    Charge,
  ];
  expect(await chargeAt(start - 1, first)).toBe('NotStarted');
  expect(await chargeAt(start, first)).toBe('Ok');
  expect(await chargeAt(start + DAY - 1, second)).toBe('PeriodLimit');
  expect(await chargeAt(start + DAY, second)).toBe('Ok');
  expect(await chargeAt(start + 3 * DAY - 1, third)).toBe('Ok');
  const late = { ...third, number: 4, amount: 1n };
  expect(await chargeAt(start + 3 * DAY, late)).toBe('Ended');
});

test('carries unused windows up to the limit', async () => {
  const start = (await world.now()) + HOUR;
  const mandate = await agreed({ start, end: start + 8 * DAY, period: DAY, carry: 2 });
  expect(await chargeAt(start + 5, { mandate, amount: 4n * UNIT, number: 1 })).toBe('Ok');
  expect(await chargeAt(start + 6 * DAY + 1, { mandate, amount: 30n * UNIT + 1n, number: 2 })).toBe('PeriodLimit');
  expect(await chargeAt(start + 6 * DAY + 2, { mandate, amount: 30n * UNIT, number: 2 })).toBe('Ok');
});

/** The retries of a failed charge, and those of a daily plan: each is a delay of a charge after its due time. */
const DELAYS = [0, HOUR, 6 * HOUR, DAY, 3 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, 14 * DAY];

test.each<Interval>(['daily', 'weekly', 'monthly', 'yearly'])(
  'a %s charge collected late by any retry delay leaves the next ones on time',
  async (interval) => {
    const terms = mandateTerms({ interval, currency: 'USD', tokenAmount: MAX, firstDue: nextFirstDue() });
    const due = (number: number) => periodStart(firstDueOf(terms), interval, number - 1).getTime() / 1000;
    const plays: { at: number; charge: Charge }[] = [];
    for (const delay of DELAYS) {
      const mandate = await agreed(terms);
      const late = due(2) + delay;
      // A retry may fall into a later period: that period is charged then, and the missed one is void.
      let number = 2;
      while (due(number + 1) <= late) number += 1;
      const at = [due(1), late, due(number + 1), due(number + 2), due(number + 3)];
      at.forEach((seconds, i) => {
        plays.push({ at: seconds, charge: { mandate, amount: MAX, number: i === 0 ? 1 : number + i - 1 } });
      });
    }
    for (const [seconds, group] of inOrder(plays)) {
      await world.at(seconds);
      const fates = world.fates(await world.collectMany(group), group);
      expect(fates, `${interval}, ${seconds - due(1)} s after the first`).toEqual(group.map(() => 'Ok'));
    }
  },
);

test('calendar months never fall twice into one window, leap years included, from the last day of January on', async () => {
  const terms = mandateTerms({ interval: 'monthly', currency: 'USD', tokenAmount: MAX, firstDue: nextFirstDue() });
  const mandate = await agreed({ ...terms, carry: 0 });
  for (let number = 1; number <= 26; number += 1) {
    const seconds = periodStart(firstDueOf(terms), 'monthly', number - 1).getTime() / 1000;
    expect(await chargeAt(seconds, { mandate, amount: MAX, number }), `charge ${number}`).toBe('Ok');
  }
});

let years = 0;
/** Later than any earlier test got: the chain's time only moves forward. */
function nextFirstDue(): Date {
  years += 16;
  return periodStart(FIRST_DUE, 'yearly', years);
}

const firstDueOf = (terms: MandateTerms): Date => new Date((terms.start + HOUR) * 1000);

function inOrder(plays: readonly { at: number; charge: Charge }[]): [number, Charge[]][] {
  const groups = Map.groupBy(plays, ({ at }) => at);
  return [...groups].sort(([a], [b]) => a - b).map(([at, group]) => [at, group.map(({ charge }) => charge)]);
}

const chargeOf = (mandate: Mandate): Charge => ({ mandate, amount: MAX, number: 1 });
