import type { Address, Hex } from 'viem';
import { readContract } from 'viem/actions';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COLLECT_REASONS } from '../../src/chains/collector.ts';
import { type Charge, encodeCollectMany, encodeRevoke, mandateId } from '../../src/chains/evm/collector.ts';
import { readMandateState } from '../../src/chains/evm/collector-reader.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy, send, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { type Collecting, encode, invoke, OPERATOR, openCollector, UNLIMITED } from './collector-fixture.ts';
import { HABITS, type Habit, HostileToken, UNITS } from './hostile-fixture.ts';

const { SmartWallet } = compileTestContracts('Wallets.sol');
let node: Anvil;
let world: Collecting;
let token: Address;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
});
afterAll(() => node.stop());
beforeEach(async () => {
  token = await deploy(world.wallet, HostileToken);
});

const callToken = (name: string, ...args: readonly unknown[]) =>
  invoke(world.wallet, token, name, args, HostileToken.abi);
const reentered = () =>
  readContract(world.wallet, { address: token, abi: HostileToken.abi as never, functionName: 'reentered' });
const stateOf = ({ mandate }: Charge) =>
  readMandateState(world.wallet, world.collector, mandate.payer, mandateId(mandate));

/** A charge of a payer's whole balance, in a token with this habit. */
async function newCharge(habit: Habit, change: Partial<Charge['mandate']> = {}): Promise<Charge> {
  const payer = await world.payer(token, 0n);
  await callToken('mint', payer.address, UNITS, HABITS.indexOf(habit));
  const mandate = await world.mandate(payer, { token, maxPerPeriod: UNITS, ...change });
  await world.authorize(payer, mandate);
  return { mandate, amount: UNITS, number: 1 };
}

test('in one batch with every token habit, each charge ends as it should and stops no other', async () => {
  // The gas eater comes last: it leaves a sixty-fourth for what follows.
  const order = [...HABITS.filter((habit) => habit !== 'EatsGas'), 'EatsGas'] as const;
  const charges: Charge[] = [];
  for (const habit of order) charges.push(await newCharge(habit));
  await callToken('setReentry', world.collector, encodeCollectMany(charges.slice(0, 1)));
  const receipt = await world.collectMany(charges);
  expect(receipt.status).toBe('success');
  const fates = Object.fromEntries(world.fates(receipt, charges).map((fate, i) => [order[i], fate]));
  const good = ['Standard', 'ReturnsNothing', 'TakesFee', 'ReturnsMegabyte', 'BalanceReverts', 'BalanceIsShort'];
  for (const habit of order) {
    const expected = good.includes(habit) || habit === 'ReentersQuietly' ? 'Ok' : 'TokenRefused';
    expect(fates[habit], habit).toBe(expected);
  }
  // A fee of 0.1 % is the token's business: everything left the payer, the treasury got the rest.
  expect(await world.balance(token, world.treasury)).toBe(7n * UNITS - UNITS / 1000n);
  for (const charge of charges) {
    const { lastNumber, available } = await stateOf(charge);
    const fate = fates[order[charges.indexOf(charge)]!];
    expect({ lastNumber, available }).toEqual(
      fate === 'Ok' ? { lastNumber: 1, available: 0n } : { lastNumber: 0, available: 0n },
    );
  }
  // Each refused charge succeeds once the token behaves, and no other is repeated.
  for (const { mandate } of charges) await callToken('setHabit', mandate.payer, 0);
  const again = world.fates(await world.collectMany(charges), charges);
  expect(again).toEqual(order.map((habit) => (fates[habit] === 'Ok' ? 'AlreadyCharged' : 'Ok')));
  expect(await world.balance(token, world.treasury)).toBe(BigInt(order.length) * UNITS - UNITS / 1000n);
});

test.each<[string, (charge: Charge, other: Charge) => Hex]>([
  ['charges again', (charge) => encodeCollectMany([{ ...charge, number: charge.number + 1 }])],
  ['charges another', (_, other) => encodeCollectMany([other])],
])('a token that %s during a transfer, as the operator, gains nothing', async (_, reentry) => {
  // The operator is a contract that runs any call: the best case for a malicious token.
  const operator = await deploy(world.wallet, SmartWallet!);
  const run = (to: Address, data: Hex): Hex => encode('run', [to, data], SmartWallet!.abi);
  await world.call(world.owner, 'proposeOperator', [operator]);
  const asOperator = (data: Hex) => send(world.wallet, { to: operator, data: run(world.collector, data) });
  await asOperator(encode('acceptOperator', []));
  const charge = await newCharge('ReentersQuietly', { carry: 3 });
  const other = await newCharge('Standard');
  await callToken('setReentry', operator, run(world.collector, reentry(charge, other)));
  expect(world.fates(await asOperator(encodeCollectMany([charge])), [charge])).toEqual(['Ok']);
  expect(await reentered()).toBe(false);
  expect(await world.balance(token, world.treasury)).toBe(UNITS);
  expect((await stateOf(other)).lastNumber).toBe(0);
  // From outside the very same call succeeds, so it was the reentrancy guard that stopped it.
  expect((await asOperator(reentry({ ...other, number: 0 }, other))).status).toBe('success');

  await world.call(world.owner, 'proposeOperator', [OPERATOR]);
  await world.call(world.operator, 'acceptOperator', []);
});

test('a revocation in the middle of a charge is refused, and succeeds afterwards', async () => {
  const payer = await deploy(world.wallet, SmartWallet!);
  const asPayer = (to: Address, data: Hex) => invoke(world.wallet, payer, 'run', [to, data], SmartWallet!.abi);
  await callToken('mint', payer, UNITS, HABITS.indexOf('ReentersQuietly'));
  await asPayer(token, encode('approve', [world.collector, UNLIMITED], HostileToken.abi));
  const usual = await world.mandate(await world.payer(), { token, maxPerPeriod: UNITS });
  const mandate = { ...usual, payer };
  await asPayer(world.collector, encode('authorize', [mandate]));
  const charge = { mandate, amount: UNITS, number: 1 };
  const revoke = encodeRevoke(mandateId(mandate));
  await callToken('setReentry', payer, encode('run', [world.collector, revoke], SmartWallet!.abi));
  expect(world.fates(await world.collectMany([charge]), [charge])).toEqual(['Ok']);
  expect(await reentered()).toBe(false);
  expect(await stateOf(charge)).toMatchObject({ status: 'active', lastNumber: 1 });
  await asPayer(world.collector, revoke);
  expect(await stateOf(charge)).toMatchObject({ status: 'revoked', lastNumber: 1 });
});

test('one blocklisted payer among five is charged once unblocked', async () => {
  const charges: Charge[] = [];
  for (const habit of ['Standard', 'Standard', 'Blocked', 'Standard', 'Standard'] as const)
    charges.push(await newCharge(habit));
  const ok = COLLECT_REASONS[0];
  expect(world.fates(await world.collectMany(charges), charges)).toEqual([ok, ok, 'TokenRefused', ok, ok]);
  await callToken('setHabit', charges[2]!.mandate.payer, 0);
  expect((await world.collect(charges[2]!)).status).toBe('success');
  expect(await world.balance(token, world.treasury)).toBe(5n * UNITS);
});

test('a megabyte of return data costs only what the token itself spends on it', async () => {
  const plain = await world.collect(await newCharge('ReturnsNothing'));
  const bomb = await world.collect(await newCharge('ReturnsMegabyte'));
  // 32,768 words of memory cost 3 × words + words² / 512 = 2.2M gas, once, paid by the token.
  const extra = bomb.gasUsed - plain.gasUsed;
  expect(extra).toBeGreaterThan(2_150_000n);
  expect(extra).toBeLessThan(2_250_000n);
});

test('a token without code takes nothing', async () => {
  const payer = await world.payer();
  const nowhere = walletOf(node).account.address;
  const empty = await world.mandate(payer, { token: nowhere });
  await world.authorize(payer, empty);
  const charge = { mandate: empty, amount: 1n, number: 1 };
  expect(await world.preview([charge])).toEqual(['TokenRefused']);
  expect(world.fates(await world.collectMany([charge]), [charge])).toEqual(['TokenRefused']);
});
