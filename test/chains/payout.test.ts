import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testUsdt } from '../../generated/contracts.ts';
import type { CheckPayout, PayoutClaim, PayoutResult } from '../../src/ports/chain.ts';
import { startAnvil } from '../support/anvil.ts';
import { BOB, deploy, send, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import {
  CUSTOMER,
  checkOn,
  claimOf,
  type Desk,
  fineMint,
  noiseCall,
  openDesk,
  type Step,
  TEN,
  together,
  tokenCall,
  transfer,
} from './payout-fixture.ts';

const { Puppet } = compileTestContracts('Puppet.sol');

let desk: Desk;
let check: CheckPayout;
beforeAll(async () => {
  desk = await openDesk();
  check = checkOn(desk.network);
});
afterAll(() => desk.close());

/** The result of checking a transaction that makes this call, two blocks deep. */
async function judge(step: Step, changes: Partial<PayoutClaim> = {}, by = check): Promise<PayoutResult> {
  const txHash = await desk.pay(step);
  await desk.mine(1);
  return by(claimOf(txHash, changes));
}

const refused = (reason: string, message = '') => ({
  outcome: 'refused',
  reason,
  message: expect.stringContaining(message),
});
const verified = { outcome: 'verified' };

test('a transfer of the amount due at the required depth is verified, with its block', async () => {
  const txHash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  await desk.mine(1);
  const [head] = [await desk.node.rpc<{ number: Hex; parentHash: Hex }>('eth_getBlockByNumber', ['latest', false])];
  expect(await check(claimOf(txHash))).toMatchObject({
    outcome: 'verified',
    block: { network: 'devnet', height: Number(head!.number) - 1, hash: head!.parentHash },
  });
});

test('a larger amount and another letter case of hash and addresses are verified too', async () => {
  const txHash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN + 1n));
  await desk.mine(1);
  const changes = { destination: CUSTOMER.toLowerCase(), senders: [desk.wallet.account.address.toUpperCase()] };
  expect(await check(claimOf(`0x${txHash.slice(2).toUpperCase()}`, changes))).toMatchObject(verified);
});

test('one unit less than due is too small, and the message has both amounts', async () => {
  const result = await judge(transfer(desk.usdt, CUSTOMER, TEN - 1n));
  expect(result).toMatchObject(refused('payout_too_small', `left 9.999999 USDT with ${CUSTOMER}; at least 10 USDT`));
  expect(result).toMatchObject(
    refused('payout_too_small', 'do not fail the withdrawal, or that is paid twice: send the rest'),
  );
  expect(result).not.toHaveProperty('retryAfterSeconds');
});

test("transfers by a contract count like a wallet's, and transfers within a transaction add up", async () => {
  const parts = [transfer(desk.usdt, CUSTOMER, 4_000_000n), transfer(desk.usdt, CUSTOMER, 6_000_000n)];
  expect(await judge(together(desk.puppet, parts))).toMatchObject(verified);
  const strayed = [transfer(desk.usdt, CUSTOMER, 4_000_000n), transfer(desk.usdt, BOB, 6_000_000n)];
  expect(await judge(together(desk.puppet, strayed))).toMatchObject(refused('payout_too_small', 'left 4 USDT'));
});

test('money moved in a circle does not count, however often it passes', async () => {
  const back = together(desk.mirror, [transfer(desk.usdt, desk.puppet, 2_000_000n)]);
  const round = [transfer(desk.usdt, desk.mirror, 2_000_000n), back];
  const circle = together(desk.puppet, [...round, ...round, ...round, ...round, ...round]);
  const destination = desk.mirror;
  expect(await judge(circle, { destination })).toMatchObject(refused('payout_too_small', 'left 0 USDT'));
  const toItself = together(desk.puppet, [transfer(desk.usdt, desk.puppet, TEN)]);
  expect(await judge(toItself, { destination: desk.puppet })).toMatchObject(refused('payout_too_small', 'left 0 USDT'));
});

/** The destination's own act in the transaction that pays it: a contract is called where the batch sends it a coin. */
const sendsOn = (to: Address, units: bigint) => together(desk.mirror, [transfer(desk.usdt, to, units)]);

test('what the destination passes on to others in the same transaction has been paid', async () => {
  const destination = desk.mirror;
  const batch = [transfer(desk.usdt, destination, TEN), sendsOn(BOB, TEN)];
  const senders = [desk.puppet];
  expect(await judge(together(desk.puppet, batch), { destination, senders })).toMatchObject(verified);
  expect(await judge(together(desk.puppet, batch), { destination })).toMatchObject({ ...verified, kept: TEN });
  // What comes back to who paid is none, by whatever way.
  const third = await deploy(desk.wallet, Puppet!);
  const back = together(third, [transfer(desk.usdt, desk.puppet, 4_000_000n)]);
  const round = together(desk.puppet, [...batch.slice(0, 1), sendsOn(third, TEN), back]);
  for (const changes of [{ destination }, { destination, senders }]) {
    const result = await judge(round, changes);
    expect(result).toMatchObject(refused('payout_too_small', 'left 6 USDT'));
  }
});

test('what others bring the payer takes nothing off, nor what a treasury that pays gets by sweeps', async () => {
  const [destination, deposit] = [desk.mirror, await deploy(desk.wallet, Puppet!)];
  await desk.pay({ to: desk.usdt, data: tokenCall('mint', [deposit, 2n * TEN]) });
  const paid = transfer(desk.usdt, destination, TEN);
  const swept = (units: bigint) => together(deposit, [transfer(desk.usdt, desk.puppet, units)]);
  const others = together(desk.puppet, [paid, sendsOn(BOB, TEN), swept(TEN)]);
  const own = together(desk.puppet, [paid, sendsOn(deposit, TEN), swept(TEN)]);
  const treasury = checkOn({ ...desk.network, treasury: desk.puppet.toLowerCase() });
  for (const senders of [[], [desk.puppet]]) {
    expect(await judge(others, { destination, senders })).toMatchObject({ ...verified, kept: TEN });
    // The destination has paid a payment of its own, which is credited.
    expect(await judge(own, { destination, senders }, treasury)).toMatchObject({ ...verified, kept: TEN });
    const back = await judge(own, { destination, senders });
    expect(back).toMatchObject(refused('payout_too_small', 'It got 10 USDT, of which 10 USDT came back to who paid.'));
    expect(back).toMatchObject(refused('payout_too_small', 'send no more than came back'));
  }
});

test('another listed token, an unlisted one named USDT and a fabricated event are not USDT', async () => {
  expect(await judge(transfer(desk.usdc, CUSTOMER, TEN))).toMatchObject(
    refused(
      'payout_wrong_token',
      `sent 10 USDC to ${CUSTOMER}; the withdrawal is in USDT. If it was sent for this one, do not`,
    ),
  );
  const none = refused('payout_wrong_destination', 'it moved no USDT as devnet lists it');
  expect(await judge(transfer(desk.namesake, CUSTOMER, TEN))).toMatchObject(none);
  expect(await judge({ to: desk.noise, data: noiseCall('transfers', [CUSTOMER, 9n]) }, { minMicro: 1n })).toMatchObject(
    none,
  );
  expect(await judge({ to: CUSTOMER, data: '0x' })).toMatchObject(none);
});

test('a transfer to another address is reported with that address', async () => {
  const result = await judge(transfer(desk.usdt, BOB, TEN));
  expect(result).toMatchObject(refused('payout_wrong_destination', `its USDT went to ${BOB.toLowerCase()}`));
});

test('a reverted transaction moved nothing, whatever it attempted', async () => {
  const tooMuch = await judge(transfer(desk.usdt, CUSTOMER, 10n ** 30n));
  expect(tooMuch).toMatchObject(refused('payout_reverted', 'reverted in block'));
  const undone = { to: desk.noise, data: noiseCall('transferAndRevert', [CUSTOMER, TEN]) };
  expect(await judge(undone)).toMatchObject(refused('payout_reverted'));
});

test("a token's own decimals decide what ten dollars are", async () => {
  const fineCheck = checkOn(desk.fineNetwork);
  await desk.pay({ to: desk.fine, data: fineMint(desk.puppet, 10n ** 20n) });
  const pay = (units: bigint) => together(desk.puppet, [transfer(desk.fine, CUSTOMER, units)]);
  expect(await judge(pay(TEN), {}, fineCheck)).toMatchObject(refused('payout_too_small', 'left 0.00000000001 USDT'));
  expect(await judge(pay(10n ** 19n), {}, fineCheck)).toMatchObject(verified);
  const FEE = 6; // A thousandth of every transfer stays with the token.
  await desk.pay({ to: desk.fine, data: fineMint(desk.puppet, 1n, FEE) });
  expect(await judge(pay(10n ** 19n), {}, fineCheck)).toMatchObject(refused('payout_too_small', 'left 9.99 USDT'));
  // What arrives counts, so the sender pays the fee.
  expect(await judge(pay((10n ** 19n * 1000n) / 999n + 1n), {}, fineCheck)).toMatchObject(verified);
});

test("the payout's wallets are those whose money moved, not the signers", async () => {
  const alice = desk.wallet.account.address;
  const own = [desk.puppet];
  const byContract = together(desk.puppet, [transfer(desk.usdt, CUSTOMER, TEN)]);
  expect(await judge(byContract, { senders: own })).toMatchObject(verified);
  expect(await judge(byContract, { senders: [BOB, alice] })).toMatchObject(
    refused('payout_wrong_sender', `only 0 USDT of 10 USDT from the wallets that payouts come from`),
  );
  const byAlice = await judge(transfer(desk.usdt, CUSTOMER, TEN), { senders: own });
  expect(byAlice).toMatchObject(refused('payout_wrong_sender', `the rest came from ${alice.toLowerCase()}`));
  // A wallet may have been taken off the setting since.
  expect(byAlice).toMatchObject(refused('payout_wrong_sender', 'do not fail the withdrawal, or it is paid twice'));
});

test('money added by others does not make up for what a payout lacks', async () => {
  await desk.pay({ to: desk.usdt, data: tokenCall('approve', [desk.puppet, TEN]) });
  const others: Step = { to: desk.usdt, data: tokenCall('transferFrom', [desk.wallet.account.address, CUSTOMER, TEN]) };
  const half = transfer(desk.usdt, CUSTOMER, TEN / 2n);
  const result = await judge(together(desk.puppet, [half, others]), { senders: [desk.puppet] });
  expect(result).toMatchObject(refused('payout_wrong_sender', 'only 5 USDT of 10 USDT'));
});

test("a transaction from a second before the approval's is too early; block times are whole seconds", async () => {
  const txHash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  await desk.mine(1);
  const result = await check(claimOf(txHash));
  if (result.outcome !== 'verified') throw new Error('the payout itself is right');
  const at = result.block.time.getTime();
  expect(await check(claimOf(txHash, { notBefore: new Date(at + 999) }))).toMatchObject(verified);
  expect(await check(claimOf(txHash, { notBefore: new Date(at + 1000) }))).toMatchObject(
    refused('payout_too_early', `mined at ${new Date(at).toISOString()}, before`),
  );
  expect(await check(claimOf(txHash, { notBefore: new Date(at + 1000) }))).toMatchObject(
    refused('payout_too_early', 'do not fail the withdrawal, or it is paid twice'),
  );
});

test('a transaction of another network is not found here', async () => {
  const other = await startAnvil({ chainId: 56 });
  try {
    const wallet = walletOf(other);
    const usdt = await deploy(wallet, testUsdt);
    const { transactionHash } = await send(wallet, { to: usdt, data: tokenCall('mint', [CUSTOMER, TEN]) });
    const result = await check(claimOf(transactionHash));
    expect(result).toMatchObject({ ...refused('payout_not_found', 'compare the hash'), retryAfterSeconds: 5 });
  } finally {
    await other.stop();
  }
});

test('a malformed hash is not found, without asking the node', async () => {
  expect(await check(claimOf('0x1234'))).toMatchObject(refused('payout_not_found', 'no transaction of devnet'));
});

test('a network without a node is reported as unwatched, and a token that the network does not list is refused', async () => {
  const claim = claimOf(`0x${'1'.repeat(64)}`);
  expect(await check({ ...claim, network: 'tron' })).toEqual({ outcome: 'unwatched' });
  const fineCheck = checkOn(desk.fineNetwork);
  expect(await fineCheck({ ...claim, token: 'USDC' })).toMatchObject(refused('payout_wrong_token', 'lists no USDC'));
  await expect(check({ ...claim, minMicro: 0n })).rejects.toThrow(RangeError);
});

test('what was paid in a contract of before, but less or from another wallet, is not said to be nothing', async () => {
  const everListed = [{ symbol: 'USDT', contract: desk.namesake.toLowerCase(), decimals: 6 } as const];
  const inFormer = (units: bigint, changes: Partial<PayoutClaim> = {}) =>
    judge(transfer(desk.namesake, CUSTOMER, units), { everListed, ...changes });
  const all = await inFormer(TEN);
  expect(all).toMatchObject(refused('payout_wrong_token', 'do not fail the withdrawal, or it is paid twice'));
  const less = await inFormer(TEN - 1n);
  expect(less).toMatchObject(refused('payout_wrong_token', 'left 9.999999 USDT'));
  expect(less).toMatchObject(refused('payout_wrong_token', 'do not fail the withdrawal, or that is paid twice'));
  const others = await inFormer(TEN, { senders: [BOB] });
  expect(others).toMatchObject(
    refused('payout_wrong_token', `the rest came from ${desk.wallet.account.address.toLowerCase()}`),
  );
  expect(others).toMatchObject(refused('payout_wrong_token', 'do not fail the withdrawal, or it is paid twice'));
  for (const each of [less, others])
    expect(each).toMatchObject(refused('payout_wrong_token', desk.namesake.toLowerCase()));
  // What the destination adds in the contract of now hides nothing, and is nothing to be made up.
  const steps = [
    transfer(desk.namesake, desk.mirror, TEN),
    transfer(desk.usdt, desk.mirror, 0n),
    sendsOn(desk.mirror, 0n),
  ];
  const hidden = await judge(together(desk.puppet, steps), { everListed, destination: desk.mirror });
  expect(hidden).toMatchObject(refused('payout_wrong_token', 'do not fail the withdrawal, or it is paid twice'));
});
