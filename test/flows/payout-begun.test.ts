import { sql } from 'kysely';
import { getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { KINDS } from '../../src/kinds.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import type { Token } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Desk, openDesk, TEN, together, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { recordLists } from '../support/payouts.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** What the service lists, which a test changes in place, as a start with another list does. */
const tokens: Token[] = [];
let desk: Desk;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
let former: readonly Token[];
let usdtElsewhere: Token;

const SETTINGS = { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null };
const list = (...listed: readonly Token[]) => tokens.splice(0, tokens.length, ...listed);

beforeAll(async () => {
  desk = await openDesk();
  former = desk.network.tokens;
  usdtElsewhere = { symbol: 'USDT', contract: desk.namesake.toLowerCase(), decimals: 6 };
  list(...former);
  service = await startService({
    composed: { kinds: KINDS, networks: [{ ...desk.network, tokens }] },
    settings: SETTINGS,
  });
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 1_000_000n);
  admin = await service.admin();
  await recordLists(service, desk, [...former, usdtElsewhere]);
});
beforeEach(() => {
  list(...former);
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await service.close();
  await desk.close();
  expect(findings).toEqual([]);
});

/** An approved withdrawal of ten dollars to one wallet. */
async function approved(): Promise<string> {
  const { id } = await merchant.client.withdrawals.create({
    ...{ amount: 11, method: 'crypto', currency: 'USDT', destinationAddress: WALLET },
  });
  await admin.client.withdrawals.approve(id, {});
  return id;
}
const exported = async (id: string) => admin.client.payouts.export({ network: desk.network.name, payoutIds: [id] });
const complete = (id: string, txHash: Hex) => admin.client.payouts.complete({ txHash, payoutIds: [id] });
const paid = async (step: Parameters<Desk['pay']>[0]) => {
  const txHash = await desk.pay(step);
  await desk.mine(1);
  return txHash;
};

test('a transfer pays one payout, also where its place among the listed ones has changed', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(together(desk.puppet, [transfer(desk.usdc, WALLET, 5n), transfer(desk.usdt, WALLET, TEN)]));
  expect(await complete(first, txHash)).toMatchObject({ completed: [first] });
  list(...former.filter(({ symbol }) => symbol === 'USDT'));
  expect(await complete(second, txHash)).toMatchObject({ completed: [], refused: [{ reason: 'tx_hash_used' }] });
  await admin.client.withdrawals.fail(second, { reason: 'Not sent.' });
});

/** As a release before stores what completes a payout, which counts the transfers that are listed. */
async function asBefore(id: string, places: readonly number[]): Promise<void> {
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query('alter table withdrawals disable trigger user');
  await owner.query('update withdrawals set tx_transfers = $2, tx_contract = null, tx_decimals = null where id = $1', [
    ...[id, places],
  ]);
  await owner.query('alter table withdrawals enable trigger user');
  await owner.query('delete from payout_transfers where payout_id = $1', [id]);
  await owner.query(
    `insert into payout_transfers (network, tx_hash, transfer_index, payout_id)
     select network, tx_hash, unnest(tx_transfers), id from withdrawals where id = $1`,
    [id],
  );
  await owner.end();
}

test('a transfer that a release before has noted by its place among the listed ones pays nothing else', async () => {
  const [first, second, third] = [await approved(), await approved(), await approved()];
  const steps = [transfer(desk.usdc, WALLET, 5n), transfer(desk.usdt, WALLET, TEN), transfer(desk.usdt, WALLET, TEN)];
  const txHash = await paid(together(desk.puppet, steps));
  expect(await complete(first, txHash)).toMatchObject({ completed: [first] });
  await asBefore(first, [2]);
  list(...former.filter(({ symbol }) => symbol === 'USDT'));
  expect(await complete(second, txHash)).toMatchObject({ completed: [second] });
  expect(await complete(third, txHash)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  // And the release before takes nothing of a transaction whose places it does not know.
  const before = sql`
    update withdrawals set status = 'completed', tx_hash = ${txHash}, tx_transfers = '{1}', tx_verified = true,
           tx_block = 1, tx_block_hash = '0x1', finished_by = reviewed_by, finished_at = updated_at
     where id = ${third}`;
  await expect(before.execute(service.db)).rejects.toThrow('a newer release has taken transfers');
  await admin.client.withdrawals.fail(third, { reason: 'Not sent.' });
});

test('what was begun in one contract is exported and completed in it, whatever is listed by then', async () => {
  const id = await approved();
  const before = await exported(id);
  expect(before.csv).toContain(getAddress(desk.usdt));
  list(usdtElsewhere, ...former.filter(({ symbol }) => symbol !== 'USDT'));
  const again = await exported(id);
  expect(again.csv).toContain(getAddress(desk.usdt));
  expect(again.safe?.transactions).toEqual(before.safe?.transactions);
  const elsewhere = await paid(transfer(desk.namesake, WALLET, TEN));
  expect(await complete(id, elsewhere)).toMatchObject({
    refused: [{ reason: 'payout_wrong_token', message: expect.stringContaining(desk.namesake.toLowerCase()) }],
  });
  // Also where it is listed no more, without a note that says how it is known.
  list(...former.filter(({ symbol }) => symbol !== 'USDT'));
  expect(await exported(id)).toMatchObject({ refused: [{ reason: 'network_not_listed' }] });
  const txHash = await paid(transfer(desk.usdt, WALLET, TEN));
  expect(await complete(id, txHash)).toMatchObject({ completed: [id] });
  const row = await service.db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ tx_contract: desk.usdt.toLowerCase(), tx_verified: true });
});

test('what a release before has begun stays in the contract in which it is exported again', async () => {
  const id = await approved();
  // As that release begins: it knows no contract.
  await sql`update withdrawals set status = 'processing', processed_by = reviewed_by, processing_at = updated_at
             where id = ${id}`.execute(service.db);
  const before = await exported(id);
  expect(before.csv).toContain(getAddress(desk.usdt));
  list(usdtElsewhere, ...former.filter(({ symbol }) => symbol !== 'USDT'));
  expect((await exported(id)).safe?.transactions).toEqual(before.safe?.transactions);
  expect(await complete(id, await paid(transfer(desk.usdt, WALLET, TEN)))).toMatchObject({ completed: [id] });
});

test('what is exported again after an administrator asked to fail it is failed only when that is asked for anew', async () => {
  const id = await approved();
  await exported(id);
  await service.set({ ...SETTINGS, fourEyesThreshold: '1.00' });
  const [second, third] = [await service.admin(), await service.admin()];
  const fail = () => third.client.withdrawals.fail(id, { reason: 'Not sent.' });
  await second.client.withdrawals.askToFail(id, { notes: 'Nothing was signed.' });
  expect(await exported(id)).toMatchObject({ payouts: [{ id }], refused: [] });
  await expect(fail()).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  await second.client.withdrawals.askToFail(id, { notes: 'That was not signed, either.' });
  await fail();
  expect(await exported(id)).toMatchObject({ payouts: [], refused: [{ id, code: 'NOT_FOUND' }] });
  await service.set(SETTINGS);
});

test('what was taken back, and was paid before contracts were noted, is failed only after a look at it, listed or not', async () => {
  const id = await approved();
  const txHash = await paid(transfer(desk.usdt, WALLET, TEN));
  await complete(id, txHash);
  await asBefore(id, [0]);
  await desk.node.rpc('anvil_reorg', [2, []]);
  await desk.mine(4);
  list(...former.filter(({ symbol }) => symbol !== 'USDT'));
  await service.runJob('payouts.review');
  service.clock.advance(11 * MINUTE_MS);
  await expect(admin.client.withdrawals.fail(id, { reason: 'It is gone.' })).rejects.toMatchObject({
    ...{ status: 409, reason: 'lost_payout_unclear' },
  });
  await service.runJob('payouts.lost');
  await admin.client.withdrawals.fail(id, { reason: 'It is gone.' });
});

/** The places of what completed a payout, as a release before stores them. */
async function placedBefore(id: string, places: readonly number[]): Promise<void> {
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query('alter table withdrawals disable trigger user');
  await owner.query('update withdrawals set tx_transfers = $2 where id = $1', [id, places]);
  await owner.query('alter table withdrawals enable trigger user');
  await owner.query('update payout_transfers set transfer_index = $2 where payout_id = $1', [id, places[0]]);
  await owner.end();
}

/** The chain takes a transaction back, its payouts are so, too, and it is mined again. */
async function mineAgain(txHash: string): Promise<void> {
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  await desk.node.rpc('anvil_reorg', [2, []]);
  await desk.mine(4);
  await service.runJob('payouts.review');
  await desk.node.rpc('eth_sendRawTransaction', [raw]);
  await desk.mine(1);
}

test('what a release before completed and the chain took back is ended once others have all that paid it', async () => {
  const [id, first, second, third] = [await approved(), await approved(), await approved(), await approved()];
  const txHash = await paid(
    together(desk.puppet, [transfer(desk.usdt, WALLET, TEN), transfer(desk.usdt, WALLET, TEN)]),
  );
  await complete(id, txHash);
  await placedBefore(id, [0]);
  await mineAgain(txHash);
  // Of equal ones the last is taken first: this one is not what paid the lost payout.
  expect(await complete(second, txHash)).toMatchObject({ completed: [second] });
  await service.runJob('payouts.lost');
  const fail = (one: string) => admin.client.withdrawals.fail(one, { reason: 'Its money went to others.' });
  await expect(fail(id)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  expect(await complete(first, txHash)).toMatchObject({ completed: [first] });
  await expect(fail(id)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  // Of what was never lost nothing is noted.
  expect(await complete(third, txHash)).toMatchObject({ refused: [{ message: expect.not.stringContaining('anew') }] });
  await expect(fail(id)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  expect(await complete(id, txHash)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringContaining('has completed other payouts') }],
  });
  const lost = service.db.selectFrom('lost_payouts').select('held_by').where('payout_id', '=', id);
  expect(await lost.execute()).toEqual([{ held_by: [first] }]);
  const resurfaced = service.db
    .selectFrom('incidents')
    .select('subject')
    .where('kind', '=', 'withdrawal.resurfaced')
    .where('resolved_at', 'is', null);
  await service.runJob('payouts.lost');
  expect(await resurfaced.execute()).toEqual([]);
  await fail(id);
  await fail(third);
});

test('what the chain took back is completed again by what paid it where no chain is asked, and takes nothing of others', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(
    together(desk.puppet, [transfer(desk.usdt, WALLET, TEN), transfer(desk.usdt, WALLET, TEN)]),
  );
  await admin.client.payouts.complete({ txHash, payoutIds: [first, second] });
  await mineAgain(txHash);
  await service.runJob('payouts.lost');
  await service.set({ ...SETTINGS, verifyPayoutOnChain: false });
  const third = await approved();
  const used = { refused: [{ reason: 'tx_hash_used', message: expect.stringContaining('the chain is not asked') }] };
  expect(await complete(third, txHash)).toMatchObject(used);
  expect(await complete(first, txHash)).toMatchObject({ completed: [first] });
  // It has its money, too.
  await expect(admin.client.withdrawals.fail(second, { reason: 'Not sent.' })).rejects.toMatchObject({
    ...{ status: 409, reason: 'lost_payout_seen' },
  });
  expect(await complete(third, txHash)).toMatchObject(used);
  await admin.client.withdrawals.fail(third, { reason: 'Not sent.' });
  expect(await complete(second, txHash)).toMatchObject({ completed: [second] });
  await service.set(SETTINGS);
});

test('of two that the chain took back from one transfer in turn one is completed with it where no chain is asked, and the other ends', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(transfer(desk.usdt, WALLET, TEN));
  for (const id of [first, second]) {
    expect(await complete(id, txHash)).toMatchObject({ completed: [id] });
    await mineAgain(txHash);
  }
  await service.runJob('payouts.lost');
  const fail = (id: string) => admin.client.withdrawals.fail(id, { reason: "Its money is the other one's." });
  for (const id of [first, second])
    await expect(fail(id)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  await service.set({ ...SETTINGS, verifyPayoutOnChain: false });
  const both = await Promise.all([complete(first, txHash), complete(second, txHash)]);
  const [completed] = both.flatMap((each) => each.completed);
  const [refused] = both.flatMap((each) => each.refused);
  expect([completed, refused?.id].sort()).toEqual([first, second].sort());
  expect(refused).toMatchObject({ reason: 'tx_hash_used' });
  await service.set(SETTINGS);
  await fail(refused!.id);
});
