import { type Hex, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { encodeCollectMany, encodeRevoke, type Mandate, mandateId } from '../../src/chains/evm/collector.ts';
import { readCollector, readMandateState } from '../../src/chains/evm/collector-reader.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, walletOf } from '../support/evm.ts';
import {
  type Collecting,
  DAY,
  encode,
  invoke,
  OPERATOR,
  OWNER,
  openCollector,
  type Payer,
  STRANGER,
  UNIT,
} from './collector-fixture.ts';

/** An attacker with the operator's key. Everything is sent from the operator's account; nothing may bring it a cent. */
const MAX = 10n * UNIT;
const BALANCE = 1_000n * UNIT;
const WINDOW = 28 * DAY;

type Writer = Extract<
  (typeof subscriptionCollector.abi)[number],
  { type: 'function'; stateMutability: 'nonpayable' }
>['name'];

let node: Anvil;
let world: Collecting;
/** One gave a mandate, one ended theirs, one never gave any but left the collector an allowance. */
let [giver, leaver, bystander] = [] as unknown as [Payer, Payer, Payer];
let given: Mandate;
let ended: Mandate;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
  [giver, leaver, bystander] = [await world.payer(), await world.payer(), await world.payer()];
  given = await world.mandate(giver);
  ended = await world.mandate(leaver);
  await world.authorize(giver, given);
  await world.authorize(leaver, ended);
  await send(leaver.wallet, { to: world.collector, data: encodeRevoke(mandateId(ended)) });
});
afterAll(() => node.stop());

/**
 * What each payer has lost; throws when money went anywhere but to the treasury, or when the contract has another
 * owner.
 */
async function losses(): Promise<Record<'giver' | 'leaver' | 'bystander', bigint>> {
  const lost = async (payer: Payer) => BALANCE - (await world.balance(world.usdc, payer.address));
  const all = { giver: await lost(giver), leaver: await lost(leaver), bystander: await lost(bystander) };
  expect(await world.balance(world.usdc, world.treasury)).toBe(all.giver + all.leaver + all.bystander);
  for (const account of [OPERATOR, STRANGER, world.collector])
    expect(await world.balance(world.usdc, account)).toBe(0n);
  expect(await readCollector(world.wallet, world.collector)).toMatchObject({ owner: OWNER, paused: false });
  return all;
}

const collectOf = (mandate: Mandate, amount: bigint, number = 1): Hex =>
  encodeCollectMany([{ mandate, amount, number }]);

/**
 * Every function that changes state, and how an attacker would use it against payers. New functions must be added here.
 */
const ATTACKS: Record<Writer, () => Promise<readonly Hex[]>> = {
  collectMany: async () => [
    collectOf({ ...given, payer: bystander.address }, UNIT),
    collectOf({ ...given, payer: leaver.address }, UNIT),
    collectOf(ended, UNIT),
    collectOf({ ...given, maxPerPeriod: BALANCE }, BALANCE),
    collectOf({ ...given, carry: 255 }, BALANCE),
    collectOf({ ...given, period: 1 }, BALANCE),
    collectOf({ ...given, start: 0 }, UNIT),
    collectOf({ ...given, end: given.end + 1 }, UNIT),
    collectOf({ ...given, ref: zeroHash }, UNIT),
    collectOf({ ...given, token: world.usdt }, UNIT),
    collectOf(given, MAX + 1n),
    collectOf(given, 2n ** 128n - 1n),
    collectOf(given, MAX, 0),
    encodeCollectMany([{ mandate: given, amount: MAX + 1n, number: 1 }]),
    encodeCollectMany([{ mandate: ended, amount: 1n, number: 2 ** 32 - 1 }]),
    encodeCollectMany([
      { mandate: { ...given, payer: bystander.address }, amount: 1n, number: 1 },
      { mandate: { ...given, maxPerPeriod: MAX + 1n }, amount: 1n, number: 1 },
    ]),
  ],
  authorize: async () => [
    encode('authorize', [{ ...given, payer: bystander.address }]),
    encode('authorize', [{ ...given, maxPerPeriod: BALANCE }]),
    encode('authorize', [ended]),
  ],
  authorizeBySig: async () => {
    const greedy = { ...given, maxPerPeriod: BALANCE };
    const honest = await world.sign(giver, given);
    return [honest, '0x' as Hex, `0x${'00'.repeat(64)}1b` as Hex].flatMap((signature) => [
      encode('authorizeBySig', [greedy, signature]),
      encode('authorizeBySig', [{ ...given, payer: bystander.address }, signature]),
      encode('authorizeBySig', [ended, signature]),
    ]);
  },
  revoke: async () => [encode('revoke', [mandateId(given)])],
  proposeOperator: async () => [encode('proposeOperator', [STRANGER])],
  acceptOperator: async () => [encode('acceptOperator', [])],
  transferOwnership: async () => [encode('transferOwnership', [OPERATOR]), encode('renounceOwnership', [])],
  acceptOwnership: async () => [encode('acceptOwnership', [])],
  pause: async () => [encode('pause', [])],
  unpause: async () => [encode('unpause', [])],
};

test('every state-changing function is among the attacks', () => {
  const writers = subscriptionCollector.abi.flatMap((item) =>
    item.type === 'function' && item.stateMutability !== 'view' && item.stateMutability !== 'pure' ? [item.name] : [],
  );
  expect(writers.sort()).toEqual(Object.keys(ATTACKS).sort());
});

test.each(Object.keys(ATTACKS) as Writer[])(
  "the operator's key gains nothing by %s, and no payer loses anything",
  async (name) => {
    for (const data of await ATTACKS[name]()) {
      await send(world.operator, { to: world.collector, data });
      expect(await losses(), data).toEqual({ giver: 0n, leaver: 0n, bystander: 0n });
    }
    const { status, lastNumber } = await readMandateState(
      world.wallet,
      world.collector,
      giver.address,
      mandateId(given),
    );
    expect({ status, lastNumber }).toEqual({ status: 'active', lastNumber: 0 });
  },
);

test("the operator's key cannot use an allowance except through the collector", async () => {
  for (const from of [giver, leaver, bystander]) {
    const taken = await invoke(world.operator, world.usdc, 'transferFrom', [from.address, OPERATOR, 1n]);
    expect(taken.status).toBe('reverted');
  }
  expect(await losses()).toEqual({ giver: 0n, leaver: 0n, bystander: 0n });
});

test('at worst, the operator charges early and all that mandates allow, into the treasury, until the payer revokes', async () => {
  let number = 0;
  /** Tries ever smaller amounts, to take everything that is left. */
  const drain = async (): Promise<void> => {
    for (const amount of [BALANCE, 2n * MAX, MAX + 1n, MAX, MAX / 2n, UNIT, 1n]) {
      number += 1;
      await send(world.operator, { to: world.collector, data: collectOf(given, amount, number) });
    }
  };
  for (const [windows, takes] of [
    [1n, given.start + 60],
    [1n, given.start + WINDOW - 60],
    [2n, given.start + WINDOW],
    [6n, given.start + 5 * WINDOW + 60],
  ] as const) {
    await world.sleepUntil(Number(takes));
    const before = (await losses()).giver;
    await drain();
    const { giver: after, leaver: none, bystander: nothing } = await losses();
    expect(after).toBeLessThanOrEqual(windows * MAX);
    expect(after - before).toBeLessThanOrEqual(2n * MAX);
    expect([none, nothing]).toEqual([0n, 0n]);
  }
  const { giver: before } = await losses();
  expect(before).toBe(4n * MAX); // Of the windows it missed it got one: the payer's carry.
  await send(giver.wallet, { to: world.collector, data: encodeRevoke(mandateId(given)) });
  await world.sleepUntil(given.start + 9 * WINDOW);
  await drain();
  expect((await losses()).giver).toBe(before);
});

test('the owner stops it by pausing and appointing another operator', async () => {
  await world.call(world.owner, 'pause', []);
  const mandate = await world.mandate(bystander);
  await world.authorize(bystander, mandate);
  await send(world.operator, { to: world.collector, data: collectOf(mandate, 1n) });
  await world.call(world.owner, 'proposeOperator', [STRANGER]);
  await send(world.operator, { to: world.collector, data: encode('acceptOperator', []) });
  await send(walletOf(node, STRANGER), {
    to: world.collector,
    data: encode('acceptOperator', []),
  });
  await world.call(world.owner, 'unpause', []);
  await send(world.operator, { to: world.collector, data: collectOf(mandate, 1n) });
  expect((await losses()).bystander).toBe(0n);
});
