import { zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Charge, mandateRef } from '../../src/chains/evm/collector.ts';
import { readCollector } from '../../src/chains/evm/collector-reader.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { type Collecting, DAY, OPERATOR, openCollector, STRANGER, UNIT } from './collector-fixture.ts';

/** What a thief of the operator's key can do with the numbers of charges. */
let node: Anvil;
let world: Collecting;
beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
});
afterAll(() => node.stop());

test('a stolen key can not end mandates: nothing is charged of nothing, and no number is used before its window', async () => {
  const payers = await Promise.all(Array.from({ length: 100 }, () => world.payer(world.usdc, 0n, 0n)));
  const mandates = [];
  for (const [i, payer] of payers.entries()) {
    const mandate = await world.mandate(payer, { ref: mandateRef(`sub_${i}`, 1) });
    await world.authorize(payer, mandate);
    mandates.push(mandate);
  }
  const spoiling: Charge[] = mandates.map((mandate) => ({ mandate, amount: 0n, number: 2 ** 32 - 1 }));
  const fates = world.fates(await world.collectMany(spoiling), spoiling);
  expect(new Set(fates)).toEqual(new Set(['PeriodLimit']));
  const due: Charge[] = mandates.map((mandate) => ({ mandate, amount: UNIT, number: 1 }));
  expect(new Set(await world.preview(due))).toEqual(new Set(['InsufficientBalance']));
});

test.each([
  ['the first charge of a subscription', 1],
  ['a mandate that replaces another at the fifth charge', 5],
])('the numbers of %s follow its windows', async (_, first) => {
  const payer = await world.payer();
  const start = (await world.now()) + 60;
  const mandate = await world.mandate(payer, { start, period: DAY, carry: 7, ref: mandateRef('sub_n', first) });
  await world.authorize(payer, mandate);
  const charge = (number: number): Charge => ({ mandate, amount: 1n, number });
  for (const [day, newest] of [
    [0, first],
    [1, first + 1],
    [9, first + 9],
  ] as const) {
    await world.sleepUntil(start + day * DAY);
    expect(await world.preview([charge(newest + 1), charge(newest)])).toEqual(['PeriodLimit', 'Ok']);
    await world.sleepUntil(start + (day + 1) * DAY - 2);
    expect(await world.preview([charge(newest + 1)])).toEqual(['PeriodLimit']);
  }
  // What was not charged before may be charged late.
  expect(world.fates(await world.collectMany([charge(first + 3)]), [charge(first + 3)])).toEqual(['Ok']);
  expect(await world.preview([charge(first + 3), charge(first + 4)])).toEqual(['AlreadyCharged', 'Ok']);
});

test('the proposal of a former owner is void', async () => {
  await world.call(world.owner, 'proposeOperator', [STRANGER]);
  await world.call(world.owner, 'transferOwnership', [OPERATOR]);
  expect((await readCollector(world.wallet, world.collector)).proposedOperator).toBe(STRANGER);
  await world.call(world.operator, 'acceptOwnership', []);
  expect(await readCollector(world.wallet, world.collector)).toMatchObject({
    ...{ owner: OPERATOR, operator: OPERATOR, proposedOperator: zeroAddress },
  });
});
