import { getAddress, type Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { ETHER } from '../../src/chains/evm/network.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Payout } from '../../src/payouts/payout.ts';
import { type Desk, TEN, together, transfer } from '../chains/payout-fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { send } from '../support/evm.ts';
import { BANK, ownersOf } from '../support/payouts.ts';
import { ASKED, LOGS, payoutsOnChain } from '../support/payouts-on-chain.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import type { ScriptedChain } from '../support/scripted-chain.ts';
import { WALLET } from '../support/withdrawals.ts';

/** A Safe pays coins and tokens in one transaction; no receipt shows its coins. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;

const {
  opened,
  approved,
  complete,
  askedNothing: unasked,
  takenOf,
} = payoutsOnChain(({ network }) => ({ ...network, native: ETHER }));
beforeAll(() => {
  ({ desk, arrivals, service, merchant, admin } = opened());
});

/** Changes a payout as no process may; without transfers it has all of its transaction. */
async function rewrite(id: string, to: string): Promise<void> {
  const table = id.startsWith('wd_') ? 'withdrawals' : 'refunds';
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query(`alter table ${table} disable trigger user`);
  const { rows } = await owner.query(`update ${table} set ${to} where id = $1 returning tx_transfers`, [id]);
  await owner.query(`alter table ${table} enable trigger user`);
  if (rows[0].tx_transfers === null && table === 'refunds')
    await owner.query('update payout_transfers set transfer_index = -1 where payout_id = $1', [id]);
  await owner.end();
}

/** As the review does where the chain has lost a payout. */
async function takenBack(id: string): Promise<void> {
  const row = service.db.selectFrom('refunds').selectAll().where('id', '=', id);
  const { network, tx_hash: txHash, tx_block: height, tx_block_hash: hash } = await row.executeTakeFirstOrThrow();
  const block = { height: Number(height), hash: hash! };
  const claim = { ...{ kind: 'refund', id, network, txHash: txHash!, token: 'ETH', destination: DESTINATION }, block };
  await inTransaction(service.db, (trx) =>
    ownersOf(service).refund.takeBack(trx, { ...claim, minMicro: 5n, assets: [ETHER] } as Payout, service.clock.now()),
  );
}

/** A refund in the coin of the network. */
async function refunded(destinationAddress: string = DESTINATION, decimals = 18): Promise<string> {
  const { payments, refunds } = merchant.client;
  const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  const { id } = await refunds.create(payment.id, { amount: 5, reason: 'Sold out.', destinationAddress });
  await rewrite(id, `token = 'ETH', decimals = ${decimals}, units = 5`);
  return id;
}

/** What the chain shows of a Safe's transaction: what it moved of tokens. */
async function paid(): Promise<Hex> {
  const txHash = await desk.pay(transfer(desk.usdt, getAddress(WALLET), TEN));
  await desk.mine(1);
  return txHash;
}
/** The same with tokens for two. */
async function paidTwice(): Promise<Hex> {
  const one = transfer(desk.usdt, getAddress(WALLET), TEN);
  const txHash = await desk.pay(together(desk.puppet, [one, one]));
  await desk.mine(1);
  return txHash;
}
/** A transaction that carries the coin itself. */
async function paidCoin(): Promise<Hex> {
  const { transactionHash: txHash } = await send(desk.wallet, { to: getAddress(DESTINATION), value: 5n });
  await desk.mine(1);
  return txHash;
}

test('a Safe that pays coins and tokens in one transaction completes both, the coins while no chain is asked', async () => {
  const [token, coin, other] = [await approved(), await refunded(), await refunded()];
  const txHash = await paid();
  const { completed, refused } = await complete(txHash, token, coin);
  expect([completed, refused]).toMatchObject([
    [token],
    [{ id: coin, message: expect.stringContaining('have the setting verifyPayoutOnChain turned off') }],
  ]);
  expect(await unasked(txHash, coin)).toEqual({ completed: [coin], refused: [] });
  expect(await takenOf(txHash)).toEqual([
    [-2, coin],
    [LOGS, token],
  ]);
  // A second one in coins has to be said by two: nothing shows whose they are.
  expect(await unasked(txHash, other)).toMatchObject({
    refused: [{ reason: 'four_eyes', message: expect.stringMatching(/no receipt shows.*process/) }],
  });
});

test('coins that a Safe sent to three in one transaction complete all three, when two say how they know', async () => {
  const [first, second, third] = [await refunded(), await refunded(), await refunded()];
  const txHash = await paid();
  expect(await unasked(txHash, first)).toMatchObject({ completed: [first] });
  const notes = 'The explorer shows what the Safe sent.';
  const byTwo = { code: 'FORBIDDEN', reason: 'four_eyes' };
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  const say = (by: TestAdmin, id: string) => by.client.refunds.complete(id, { txHash, notes });
  await expect(say(admin, second)).rejects.toMatchObject({ ...byTwo, message: expect.stringContaining('process') });
  for (const id of [second, third]) await admin.client.refunds.process(id, {});
  await expect(admin.client.refunds.complete(second, { txHash })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(say(admin, second)).rejects.toMatchObject(byTwo);
  const colleague = await service.admin();
  const both = await Promise.all([second, third].map((id) => say(colleague, id)));
  expect(both).toMatchObject([
    { status: 'completed', txVerified: false },
    { status: 'completed', txVerified: false },
  ]);
  await service.set(ASKED);
  expect((await takenOf(txHash)).map(([index]) => index)).toEqual([-4, -3, -2]);
});

test('coins leave a transaction to a token, and a token leaves it its coins, while no chain is asked about either', async () => {
  for (const isTokenFirst of [true, false]) {
    const [token, coin, next] = [await approved(), await refunded(), await approved()];
    const txHash = await paidTwice();
    for (const id of isTokenFirst ? [token, coin] : [coin, token])
      expect(await unasked(txHash, id)).toEqual({ completed: [id], refused: [] });
    expect(await takenOf(txHash)).toEqual([
      [-2, coin],
      [-1, token],
    ]);
    // The rest of the tokens is for others still, once the chain is asked.
    expect(await complete(txHash, next)).toEqual({ completed: [next], refused: [] });
    expect((await takenOf(txHash)).map(([index]) => index)).toEqual([-2, LOGS, LOGS + 1]);
  }
});

test('a coin that is not listed takes no more of a transaction than its coin', async () => {
  const [token, coin] = [await approved(), await refunded(DESTINATION, 8)];
  const txHash = await paid();
  await admin.client.refunds.complete(coin, { txHash, notes: 'The explorer shows it.' });
  expect(await takenOf(txHash)).toEqual([[-2, coin]]);
  expect(await complete(txHash, token)).toEqual({ completed: [token], refused: [] });
});

test('one coin that the chain showed to have paid a refund pays no second one that two people say', async () => {
  const [first, second] = [await refunded(), await refunded()];
  const txHash = await paidCoin();
  expect(await complete(txHash, first)).toEqual({ completed: [first], refused: [] });
  await admin.client.refunds.process(second, {});
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  const colleague = await service.admin();
  await expect(colleague.client.refunds.complete(second, { txHash, notes: 'Sent.' })).rejects.toMatchObject({
    reason: 'tx_hash_used',
  });
  await service.set(ASKED);
});

test('it does so whichever is completed first', async () => {
  const [token, coin] = [await approved(), await refunded()];
  const txHash = await paid();
  expect(await unasked(txHash, coin)).toEqual({ completed: [coin], refused: [] });
  expect(await complete(txHash, token)).toEqual({ completed: [token], refused: [] });
});

test('a coin that completed another refund unasked completes the one that it paid when two say so', async () => {
  const [wrong, right] = [await refunded(WALLET), await refunded()];
  const txHash = await paidCoin();
  expect(await unasked(txHash, wrong)).toMatchObject({ completed: [wrong] });
  await admin.client.refunds.process(right, {});
  expect(await complete(txHash, right)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringMatching(/Do not fail .* two administrators/) }],
  });
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  const said = (await service.admin()).client.refunds.complete(right, { txHash, notes: 'The chain shows it.' });
  expect(await said).toMatchObject({ status: 'completed' });
  await service.set(ASKED);
});

test('what a release before completed with a whole transaction keeps the coins of it', async () => {
  const [token, coin] = [await approved(), await refunded()];
  const txHash = await paid();
  expect(await unasked(txHash, coin)).toMatchObject({ completed: [coin] });
  await rewrite(coin, 'tx_transfers = null');
  expect(await takenOf(txHash)).toEqual([[-1, coin]]);
  expect(await complete(txHash, token)).toEqual({ completed: [token], refused: [] });
  expect(await takenOf(txHash)).toEqual([
    [-2, coin],
    [LOGS, token],
  ]);
});

test('a bank that is named a transaction on a network of before is completed by its own reference', async () => {
  const { id: bank } = await merchant.client.withdrawals.create({ ...BANK, amount: 11 });
  await admin.client.withdrawals.approve(bank, {});
  const coin = await refunded();
  for (const id of [bank, coin]) await rewrite(id, `network = 'before'`);
  const txHash = await paid();
  const [colleague, notes] = [await service.admin(), 'The explorer shows it.'];
  await admin.client.refunds.complete(coin, { txHash, notes });
  const named = (written: string) => colleague.client.withdrawals.complete(bank, { txHash: written, notes });
  const refused = { reason: 'tx_hash_used', message: expect.stringContaining("the bank's reference of its own") };
  await expect(named(txHash)).rejects.toMatchObject(refused);
  await expect(named(txHash.slice(2).toUpperCase())).rejects.toMatchObject(refused);
  expect(await named('CEYB 2026 0001')).toMatchObject({ status: 'completed' });
});

test('a coin that the chain took back is completed again unasked by one, beside tokens and coins that two say', async () => {
  const [coin, token, said] = [await refunded(), await approved(), await refunded()];
  const one = transfer(desk.usdt, getAddress(WALLET), TEN);
  // The transaction carries the coin, and its receipt shows a token.
  const txHash = await desk.pay(one);
  await desk.mine(1);
  expect(await complete(txHash, token)).toMatchObject({ completed: [token] });
  expect(await unasked(txHash, coin)).toMatchObject({ completed: [coin] });
  await admin.client.refunds.process(said, {});
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  const colleague = await service.admin();
  await colleague.client.refunds.complete(said, { txHash, notes: 'The explorer shows it.' });
  await service.set(ASKED);
  // As if the chain had shown the coin, and a reorg had taken it.
  await rewrite(
    coin,
    `tx_block = 1, tx_block_hash = '0x1', tx_verified = true, tx_contract = '${ETHER.contract}', tx_decimals = 18`,
  );
  await takenBack(coin);
  expect(await unasked(txHash, coin)).toEqual({ completed: [coin], refused: [] });
  expect(await takenOf(txHash)).toEqual([
    [-3, said],
    [-2, coin],
    [LOGS, token],
  ]);
});

test('beside what a bank is said to have been paid by, a coin that the chain took back is completed by two', async () => {
  const { id: bank } = await merchant.client.withdrawals.create({ ...BANK, amount: 11 });
  await admin.client.withdrawals.approve(bank, {});
  const [coin, txHash] = [await refunded(), await paidCoin()];
  await admin.client.withdrawals.complete(bank, { txHash });
  expect(await complete(txHash, coin)).toMatchObject({ completed: [coin] });
  await takenBack(coin);
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  const say = (by: TestAdmin) => by.client.refunds.complete(coin, { txHash, notes: 'The explorer shows it.' });
  await expect(say(admin)).rejects.toMatchObject({ reason: 'four_eyes' });
  expect(await say(await service.admin())).toMatchObject({ status: 'completed' });
  await service.set(ASKED);
});
