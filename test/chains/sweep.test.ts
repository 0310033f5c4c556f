import { type Address, createClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getTransaction } from 'viem/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testUsdt } from '../../generated/contracts.ts';
import { listDepositBalances, SWEEP_BATCH_MAX, sweepDeposits } from '../../src/chains/evm/sweep.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { type Deposits, invoke, NATIVE, newPayment, openDeposits } from './deposit-fixture.ts';

const OPERATOR_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'; // anvil's second account
const GAS_CAP = 16_777_216n; // EIP-7825, enforced by the node
const { HostileToken } = compileTestContracts('HostileToken.sol');
let node: Anvil;
let deposits: Deposits;
let usdt: Address;

beforeAll(async () => {
  node = await startAnvil();
  deposits = await openDeposits(node);
  usdt = await deploy(deposits.wallet, testUsdt);
});
afterAll(() => node.stop());

const operator = () =>
  createClient({ account: privateKeyToAccount(OPERATOR_KEY), transport: http(node.url), pollingInterval: 10 });

test('450 payments, 401 of them with money, are swept in three transactions, each below the gas cap', async () => {
  const payments = Array.from({ length: 450 }, newPayment);
  const holding = payments.slice(0, 401);
  for (const id of holding) await deposits.mint(usdt, deposits.addressOf(id), 3n);
  const found = await listDepositBalances(operator(), deposits.factory, payments, usdt);
  expect(found.map((deposit) => deposit.paymentId)).toEqual(holding);
  const result = await sweepDeposits(operator(), deposits.factory, [...payments, ...payments], usdt);
  expect(result.failed).toEqual([]);
  expect(result.swept).toEqual(found);
  expect(result.transactions).toHaveLength(3);
  for (const { gasUsed } of result.transactions) expect(gasUsed).toBeLessThan(GAS_CAP);
  expect(await deposits.tokens(usdt, deposits.treasury)).toBe(1203n);
  expect((await sweepDeposits(operator(), deposits.factory, payments, usdt)).transactions).toEqual([]);
}, 60_000);

test('a full batch of first-time ether fits below the gas cap and leaves every item enough gas', async () => {
  const payments = Array.from({ length: SWEEP_BATCH_MAX }, newPayment);
  for (const id of payments) await deposits.payEther(deposits.addressOf(id), 2n);
  const result = await sweepDeposits(operator(), deposits.factory, payments, NATIVE);
  expect(result.failed).toEqual([]);
  expect(result.transactions).toHaveLength(1);
  // Each call holds back a sixty-fourth: with only the gas that is used, an expensive last item would fail.
  const [{ hash, gasUsed }] = result.transactions as [(typeof result.transactions)[0]];
  expect((await getTransaction(operator(), { hash })).gas).toBeGreaterThan((gasUsed * 64n) / 63n);
  expect(await deposits.ether(deposits.treasury)).toBe(400n);
}, 60_000);

test('an address that the token refuses is reported as failed, with its balance', async () => {
  const token = await deploy(deposits.wallet, HostileToken!);
  const [good, blocked] = [newPayment(), newPayment()];
  const mint = (id: string, habit: number) =>
    invoke(deposits.wallet, token, HostileToken!.abi, 'mint', [deposits.addressOf(id), 6n, habit]);
  await mint(good, 0);
  await mint(blocked, 5);
  const result = await sweepDeposits(operator(), deposits.factory, [good, blocked], token);
  expect(result.swept.map((deposit) => deposit.paymentId)).toEqual([good]);
  expect(result.failed).toEqual([{ paymentId: blocked, address: deposits.addressOf(blocked), balance: 6n }]);
});
