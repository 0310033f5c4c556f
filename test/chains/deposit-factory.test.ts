import { type Address, encodeAbiParameters, keccak256 } from 'viem';
import { getCode, getLogs, readContract } from 'viem/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositFactory, FORWARDER_INIT_CODE_HASH, forwarder, testUsdc, testUsdt } from '../../generated/contracts.ts';
import {
  checkFactory,
  DETERMINISTIC_DEPLOYER,
  deployDeterministic,
  factoryAddress,
  factoryInitCode,
} from '../../src/chains/evm/deploy.ts';
import { depositAddress, depositSalt } from '../../src/chains/evm/deposit-address.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { BOB, deploy, send, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { type Deposits, invoke, NATIVE, newAddress, newPayment, openDeposits, outcome } from './deposit-fixture.ts';

const ETHER = 10n ** 18n;
let node: Anvil;
let deposits: Deposits;
let usdc: Address;
let usdt: Address;
const { MoodyTreasury, StipendWallet } = compileTestContracts('Ether.sol');

beforeAll(async () => {
  node = await startAnvil();
  deposits = await openDeposits(node);
  usdc = await deploy(deposits.wallet, testUsdc);
  usdt = await deploy(deposits.wallet, testUsdt);
});
afterAll(() => node.stop());

test('forwarder and factory are the ones that deposit addresses were given out for', () => {
  // A change here means other addresses for every payment: keep the old factory for old payments, never edit it in
  // place.
  expect(FORWARDER_INIT_CODE_HASH).toBe('0xc623eb83238fce2b796af0db12d126ece34f20deed2f8bbe4aeaeb253b698761');
  expect(keccak256(forwarder.bytecode)).toBe(FORWARDER_INIT_CODE_HASH);
  expect(forwarder.runtimeBytes).toBeLessThanOrEqual(112);
  expect(factoryAddress('0x000000000000000000000000000000000000dEaD')).toBe(
    '0x5C23Da98b1d07A0840Be75992b6F2DfbFBe33dbe',
  );
  expect(depositAddress('0x000000000000000000000000000000000000dEaD', 'pay_1')).toBe(
    '0x91A13832C7748CC29Ee55038c1C9216B695B92D8',
  );
});

test("an address computed off chain equals the factory's", async () => {
  const contract = { address: deposits.factory, abi: depositFactory.abi } as const;
  for (const paymentId of Array.from({ length: 20 }, newPayment)) {
    const args = [depositSalt(paymentId)] as const;
    const onChain = await readContract(deposits.wallet, { ...contract, functionName: 'depositAddress', args });
    expect(deposits.addressOf(paymentId)).toBe(onChain);
  }
  const read = (functionName: 'TREASURY' | 'FORWARDER_INIT_CODE_HASH') =>
    readContract(deposits.wallet, { ...contract, functionName });
  expect(await read('FORWARDER_INIT_CODE_HASH')).toBe(FORWARDER_INIT_CODE_HASH);
  expect(await read('TREASURY')).toBe(deposits.treasury);
});

test.each([
  ['USDC', () => usdc],
  ['USDT, which returns nothing', () => usdt],
])('anyone can sweep an address of %s, twice', async (_, token) => {
  const paymentId = newPayment();
  const address = deposits.addressOf(paymentId);
  const before = await deposits.tokens(token(), deposits.treasury);
  await deposits.mint(token(), address, 7n);
  expect(outcome(await deposits.sweep([paymentId], token(), walletOf(node, BOB))).swept).toEqual({ [address]: 7n });
  await deposits.mint(token(), address, 5n);
  expect(outcome(await deposits.sweep([paymentId], token())).swept).toEqual({ [address]: 5n });
  expect(await deposits.tokens(token(), deposits.treasury)).toBe(before + 12n);
  expect(await deposits.tokens(token(), address)).toBe(0n);
});

test('ether is swept twice, also when it came with a memo', async () => {
  const paymentId = newPayment();
  const address = deposits.addressOf(paymentId);
  const before = await deposits.ether(deposits.treasury);
  await deposits.payEther(address, 7n);
  expect(outcome(await deposits.sweep([paymentId], NATIVE)).swept).toEqual({ [address]: 7n });
  const paid = await send(deposits.wallet, { to: address, value: 5n, data: '0x6f726465722d31303031' }); // "order-1001"
  expect(paid.status).toBe('success');
  expect(await deposits.ether(address)).toBe(5n);
  expect(outcome(await deposits.sweep([paymentId], NATIVE)).swept).toEqual({ [address]: 5n });
  expect(await deposits.ether(deposits.treasury)).toBe(before + 12n);
});

test('repeated salts and empty addresses in a batch are skipped, and nothing is deployed for them', async () => {
  const [full, empty] = [newPayment(), newPayment()];
  await deposits.mint(usdc, deposits.addressOf(full), 3n);
  const receipt = await deposits.sweep([empty, full, full, empty, full], usdc);
  expect(outcome(receipt)).toEqual({ swept: { [deposits.addressOf(full)]: 3n }, failed: [] });
  expect(await deposits.hasCode(deposits.addressOf(full))).toBe(true);
  expect(await deposits.hasCode(deposits.addressOf(empty))).toBe(false);
});

test('sweeping a token without code reverts as a whole, and so does reading balances', async () => {
  const paymentId = newPayment();
  await deposits.payEther(deposits.addressOf(paymentId), 1n);
  expect((await deposits.sweep([paymentId], BOB)).status).toBe('reverted');
  const question = { address: deposits.factory, abi: depositFactory.abi, functionName: 'balancesOf' } as const;
  const answer = readContract(deposits.wallet, { ...question, args: [[deposits.addressOf(paymentId)], BOB] });
  await expect(answer).rejects.toThrow('NotAToken');
});

test("after its first sweep an address accepts ether with a contract's 2,300 gas, but no longer with 21,000 gas", async () => {
  const stipendWallet = await deploy(deposits.wallet, StipendWallet!);
  const paymentId = newPayment();
  const address = deposits.addressOf(paymentId);
  await send(deposits.wallet, { to: address, value: 1n, gas: 21_000n });
  await deposits.sweep([paymentId], NATIVE);
  const pay = { to: stipendWallet, value: 2n, data: payCall(address) };
  expect((await send(deposits.wallet, pay)).status).toBe('success');
  expect(await deposits.ether(address)).toBe(2n);
  expect((await send(deposits.wallet, { to: address, value: 4n, gas: 21_000n })).status).toBe('reverted');
});

test('calling a forwarder directly can only pay the treasury, and leaving ether is always logged', async () => {
  const stranger = walletOf(node, BOB);
  const paymentId = newPayment();
  const address = deposits.addressOf(paymentId);
  await deposits.payEther(address, 7n);
  await deposits.sweep([paymentId], NATIVE);
  await deposits.payEther(address, 5n);
  await deposits.mint(usdc, address, 9n);
  const before = await deposits.tokens(usdc, deposits.treasury);
  const call = (token: Address, amount: bigint) =>
    send(stranger, {
      to: address,
      data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [token, amount]),
    });
  expect((await call(NATIVE, 0n)).status).toBe('success');
  expect((await call(usdc, 9n)).status).toBe('success');
  expect((await call(usdc, 1n)).status).toBe('reverted'); // Nothing is left.
  expect(await deposits.tokens(usdc, deposits.treasury)).toBe(before + 9n);
  await deposits.payEther(address, 3n);
  // Everything an address ever received is its balance plus what it logged, whoever swept it.
  const logs = await getLogs(deposits.wallet, { address, fromBlock: 0n });
  const left = logs.reduce((sum, log) => sum + BigInt(log.data), 0n);
  expect(left + (await deposits.ether(address))).toBe(15n);
  expect(logs[0]?.topics).toEqual([`0x${deposits.treasury.slice(2).toLowerCase().padStart(64, '0')}`]);
});

test('a treasury that refuses ether delays sweeps but blocks none, and one that reenters gains nothing', async () => {
  const treasury = await deploy(deposits.wallet, MoodyTreasury!);
  const moody = await openDeposits(node, treasury);
  const payments = [newPayment(), newPayment()];
  const callTreasury = (name: string, args: readonly unknown[]) =>
    invoke(deposits.wallet, treasury, MoodyTreasury!.abi, name, args);
  for (const id of payments) await moody.payEther(moody.addressOf(id), 4n);
  await callTreasury('setRefuses', [true]);
  expect(outcome(await moody.sweep(payments, NATIVE))).toEqual({ swept: {}, failed: payments.map(moody.addressOf) });
  await callTreasury('setRefuses', [false]);
  await callTreasury('setReentry', [moody.factory, payments.map(depositSalt)]);
  expect((await moody.sweep(payments, NATIVE)).status).toBe('success');
  expect(await moody.ether(treasury)).toBe(8n);
  for (const id of payments) expect(await moody.ether(moody.addressOf(id))).toBe(0n);
});

test('anyone can recover ether sent on the wrong chain: the address is the same there', async () => {
  const other = await startAnvil({ chainId: 56, hardfork: 'cancun' });
  try {
    const paymentId = newPayment();
    const stranger = walletOf(other, BOB);
    await send(walletOf(other), { to: deposits.addressOf(paymentId), value: ETHER });
    const { address, transaction } = await deployDeterministic(stranger, factoryInitCode(deposits.treasury));
    expect(transaction).not.toBeNull();
    expect(address).toBe(deposits.factory);
    const there = await openDeposits(other, deposits.treasury);
    await there.sweep([paymentId], NATIVE, stranger);
    expect(await there.ether(deposits.treasury)).toBe(ETHER);
  } finally {
    await other.stop();
  }
});

test('an existing factory is not deployed again, and a factory needs a treasury', async () => {
  const initCode = factoryInitCode(deposits.treasury);
  expect(await deployDeterministic(deposits.wallet, initCode)).toEqual({
    address: deposits.factory,
    transaction: null,
  });
  const again = await send(deposits.wallet, {
    to: DETERMINISTIC_DEPLOYER,
    data: `0x${'0'.repeat(64)}${initCode.slice(2)}`,
  });
  expect(again.status).toBe('reverted');
  await expect(deploy(deposits.wallet, depositFactory, [NATIVE])).rejects.toThrow('reverted');
});

test('the check at start distinguishes a missing factory, another treasury, other code and an unsuitable chain', async () => {
  const { wallet, factory, treasury } = deposits;
  await expect(checkFactory(wallet, factory, treasury)).resolves.toBeUndefined();
  await expect(checkFactory(wallet, newAddress(), treasury)).rejects.toThrow('no deposit factory');
  await expect(checkFactory(wallet, factory, BOB)).rejects.toThrow(
    `pays ${treasury}, not the configured treasury ${BOB}`,
  );
  await expect(checkFactory(wallet, usdc, treasury)).rejects.toThrow("not this version's deposit factory");
  const zk = await startAnvil({ chainId: 324 });
  try {
    await expect(checkFactory(walletOf(zk), factory, treasury)).rejects.toThrow(
      'derives contract addresses in its own way',
    );
  } finally {
    await zk.stop();
  }
});

test('the deployed forwarder is the compiled one with the treasury in it', async () => {
  const paymentId = newPayment();
  await deposits.mint(usdc, deposits.addressOf(paymentId), 1n);
  await deposits.sweep([paymentId], usdc);
  const code = await getCode(deposits.wallet, { address: deposits.addressOf(paymentId) });
  expect(code?.length).toBe(2 + 2 * forwarder.runtimeBytes);
  expect(code).toContain(deposits.treasury.slice(2).toLowerCase());
});

/** pay(address) */
const payCall = (to: Address) => `0x0c11dedd${encodeAbiParameters([{ type: 'address' }], [to]).slice(2)}` as const;
