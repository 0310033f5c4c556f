import type { Address } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy } from '../support/evm.ts';
import { type Deposits, invoke, newPayment, openDeposits, outcome, sweepCall } from './deposit-fixture.ts';
import { HostileToken, TRANSFER_HABITS, UNITS } from './hostile-fixture.ts';

type Habit = (typeof TRANSFER_HABITS)[number];

let node: Anvil;
let deposits: Deposits;
let token: Address;

beforeAll(async () => {
  node = await startAnvil();
  deposits = await openDeposits(node);
});
afterAll(() => node.stop());
beforeEach(async () => {
  token = await deploy(deposits.wallet, HostileToken);
});

const callToken = (name: string, ...args: readonly unknown[]) =>
  invoke(deposits.wallet, token, HostileToken.abi, name, args);
const setHabit = (paymentId: string, habit: Habit) =>
  callToken('setHabit', deposits.addressOf(paymentId), TRANSFER_HABITS.indexOf(habit));

/** A payment that received UNITS of the token, which has this habit when they leave. */
async function paid(habit: Habit): Promise<string> {
  const paymentId = newPayment();
  await callToken('mint', deposits.addressOf(paymentId), UNITS, TRANSFER_HABITS.indexOf(habit));
  return paymentId;
}

test('in one batch with every token habit, each item ends as it should and stops no other', async () => {
  // The gas eater comes last: it leaves a sixty-fourth for what follows.
  const order = [...TRANSFER_HABITS.filter((habit) => habit !== 'EatsGas'), 'EatsGas'] as const;
  const payments = new Map<Habit, string>();
  for (const habit of order) payments.set(habit, await paid(habit));
  await callToken('setReentry', deposits.factory, sweepCall([payments.get('Reenters')!], token));
  const receipt = await deposits.sweep([...payments.values()], token);
  expect(receipt.status).toBe('success');
  const fared = outcome(receipt);
  const habitOf = (address: Address) =>
    order.find((habit) => deposits.addressOf(payments.get(habit)!) === address) ?? 'unknown';
  expect(fared.failed.map(habitOf).sort()).toEqual(
    [
      'BalanceIsShort',
      'BalanceReverts',
      'Blocked',
      'EatsGas',
      'Reenters',
      'ReturnsFalse',
      'ReturnsOneByte',
      'ReturnsTwo',
      'RevertsWithMegabyte',
    ].sort(),
  );
  const swept = Object.keys(fared.swept).map((address) => habitOf(address as Address));
  expect(swept).toEqual(['Standard', 'ReturnsNothing', 'TakesFee', 'ReturnsMegabyte']);
  expect(new Set(Object.values(fared.swept))).toEqual(new Set([UNITS]));
  // A fee of 0.1 % is the token's business: the whole balance left, the treasury got the rest.
  expect(await deposits.tokens(token, deposits.treasury)).toBe(4n * UNITS - UNITS / 1000n);

  for (const paymentId of payments.values()) await setHabit(paymentId, 'Standard');
  const second = outcome(await deposits.sweep([...payments.values()], token));
  expect(second.failed).toEqual([]);
  expect(new Set(Object.keys(second.swept))).toEqual(new Set(fared.failed));
  expect(await deposits.tokens(token, deposits.treasury)).toBe(13n * UNITS - UNITS / 1000n);
});

test('one blocklisted address among five is swept once unblocked', async () => {
  const payments = [];
  for (const habit of ['Standard', 'Standard', 'Blocked', 'Standard', 'Standard'] as const)
    payments.push(await paid(habit));
  const blocked = payments[2]!;
  const first = outcome(await deposits.sweep(payments, token));
  expect(first.failed).toEqual([deposits.addressOf(blocked)]);
  expect(Object.keys(first.swept)).toHaveLength(4);
  await setHabit(blocked, 'Standard');
  expect(outcome(await deposits.sweep(payments, token))).toEqual({
    swept: { [deposits.addressOf(blocked)]: UNITS },
    failed: [],
  });
});

test('a token that sweeps again during a transfer moves nothing, and nothing is lost', async () => {
  const payments = [await paid('Reenters'), await paid('Standard')];
  await callToken('setReentry', deposits.factory, sweepCall(payments, token));
  const first = outcome(await deposits.sweep(payments, token));
  expect(first.failed).toEqual([deposits.addressOf(payments[0]!)]);
  expect(await deposits.tokens(token, deposits.treasury)).toBe(UNITS);
  await setHabit(payments[0]!, 'Standard');
  expect(outcome(await deposits.sweep(payments, token)).failed).toEqual([]);
  expect(await deposits.tokens(token, deposits.treasury)).toBe(2n * UNITS);
});

test('a megabyte of return data costs only what the token itself spends on it', async () => {
  const plain = [await paid('ReturnsNothing')];
  const bomb = [await paid('ReturnsMegabyte')];
  const withoutIt = (await deposits.sweep(plain, token)).gasUsed;
  const withIt = (await deposits.sweep(bomb, token)).gasUsed;
  // 32,768 words of memory cost 3 × words + words² / 512 = 2.2M gas, once, paid by the token.
  expect(withIt - withoutIt).toBeGreaterThan(2_150_000n);
  expect(withIt - withoutIt).toBeLessThan(2_250_000n);
});
