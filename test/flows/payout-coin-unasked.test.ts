import { getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ETHER } from '../../src/chains/evm/network.ts';
import { KINDS } from '../../src/kinds.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Desk, openDesk, TEN, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import { createScriptedChain, type ScriptedChain } from '../support/scripted-chain.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** A Safe pays coins and tokens in one transaction; no receipt shows its coins. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;

const SETTINGS = { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null, payoutWallets: [] };

beforeAll(async () => {
  desk = await openDesk();
  const network = { ...desk.network, native: ETHER };
  service = await startService({ composed: { kinds: KINDS, networks: [network] }, settings: SETTINGS });
  arrivals = await createScriptedChain(service.db, service.clock, desk.network);
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 1_000_000n);
  admin = await service.admin();
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await service.close();
  await desk.close();
  expect(findings).toEqual([]);
});

/** Changes a refund as no process may; without transfers it has all of its transaction. */
async function rewrite(id: string, to: string): Promise<void> {
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query('alter table refunds disable trigger user');
  const { rows } = await owner.query(`update refunds set ${to} where id = $1 returning tx_transfers`, [id]);
  await owner.query('alter table refunds enable trigger user');
  if (rows[0].tx_transfers === null)
    await owner.query('update payout_transfers set transfer_index = -1 where payout_id = $1', [id]);
  await owner.end();
}

async function approved(): Promise<string> {
  const draft = { amount: 11, method: 'crypto', currency: 'USDT', destinationAddress: WALLET } as const;
  const { id } = await merchant.client.withdrawals.create(draft);
  await admin.client.withdrawals.approve(id, {});
  return id;
}

/** A refund in the coin of the network. */
async function refunded(): Promise<string> {
  const { payments, refunds } = merchant.client;
  const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  const { id } = await refunds.create(payment.id, { amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION });
  await rewrite(id, "token = 'ETH', decimals = 18, units = 5");
  return id;
}

/** What the chain shows of a Safe's transaction: what it moved of tokens. */
async function paid(): Promise<Hex> {
  const txHash = await desk.pay(transfer(desk.usdt, getAddress(WALLET), TEN));
  await desk.mine(1);
  return txHash;
}
const complete = (txHash: Hex, ...payoutIds: string[]) => admin.client.payouts.complete({ txHash, payoutIds });
const unasked = async (txHash: Hex, ...payoutIds: string[]) => {
  await service.set({ ...SETTINGS, verifyPayoutOnChain: false });
  const answer = await complete(txHash, ...payoutIds);
  await service.set(SETTINGS);
  return answer;
};
const takenOf = async (txHash: Hex) => {
  const rows = service.db.selectFrom('payout_transfers').selectAll().where('tx_hash', '=', txHash);
  return (await rows.orderBy('transfer_index').execute()).map((row) => [row.transfer_index, row.payout_id]);
};
const LOGS = 2 ** 30;

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
  // One transaction completes no second refund of coins: nothing shows whose they are.
  expect(await unasked(txHash, other)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringMatching(/coin.*do not fail/s) }],
  });
});

test('it does so whichever is completed first', async () => {
  const [token, coin] = [await approved(), await refunded()];
  const txHash = await paid();
  expect(await unasked(txHash, coin)).toEqual({ completed: [coin], refused: [] });
  expect(await complete(txHash, token)).toEqual({ completed: [token], refused: [] });
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
