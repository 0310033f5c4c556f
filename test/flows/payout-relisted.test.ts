import { sql } from 'kysely';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ETHER, type EvmNetwork } from '../../src/chains/evm/network.ts';
import { KINDS } from '../../src/kinds.ts';
import { findUnlistedPayouts } from '../../src/payouts/compare.ts';
import { payoutJobs } from '../../src/payouts/review.ts';
import type { PayoutClaim } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { checkOn, claimOf, type Desk, openDesk, TEN, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { send } from '../support/evm.ts';
import { ownersOf, recordLists } from '../support/payouts.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import { createScriptedChain, type ScriptedChain } from '../support/scripted-chain.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** Payments arrive on a scripted chain; payouts are sent on a real one. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
/** The network with USDT under another contract than the one that payouts were made by, and without it. */
let relisted: EvmNetwork;
let delisted: EvmNetwork;

beforeAll(async () => {
  desk = await openDesk();
  const { network, namesake } = desk;
  const others = network.tokens.filter(({ symbol }) => symbol !== 'USDT');
  delisted = { ...network, tokens: others };
  relisted = {
    ...network,
    tokens: [{ symbol: 'USDT', contract: namesake.toLowerCase(), decimals: 6 }, ...others],
  };
  service = await startService({
    composed: { kinds: KINDS, networks: [network] },
    settings: { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null },
  });
  arrivals = await createScriptedChain(service.db, service.clock, network);
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

/** Blocks after which one is final. */
const DEEP = 4;
/** Each transfer is a little more than its due, so that none has the hash of one that was dropped. */
let extra = 0n;

async function complete(id: string, to: Hex, units: bigint): Promise<Hex> {
  extra += 1n;
  const txHash = await desk.pay(transfer(desk.usdt, to, units + extra));
  await desk.mine(1);
  const { completed, refused } = await admin.client.payouts.complete({ txHash, payoutIds: [id] });
  expect([completed, refused]).toEqual([[id], []]);
  return txHash;
}

const PAID = {
  withdrawal: async () => {
    const { id } = await merchant.client.withdrawals.create({
      ...{ amount: 11, method: 'crypto', currency: 'USDT', destinationAddress: WALLET },
    });
    await admin.client.withdrawals.approve(id, {});
    return { id, txHash: await complete(id, WALLET, TEN) };
  },
  refund: async () => {
    const { payments, refunds } = merchant.client;
    const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
    await service.runPaymentJobs();
    const wanted = { amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION };
    const { id } = await refunds.create(payment.id, wanted);
    return { id, txHash: await complete(id, DESTINATION, TEN / 2n) };
  },
} as const;

const tableOf = (id: string) => (id.startsWith('wd_') ? 'withdrawals' : 'refunds');
const stored = (id: string) =>
  service.db.selectFrom(tableOf(id)).selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Changes what no code may change any more. */
async function rewrite(table: 'withdrawals' | 'refunds', to: string, id: string): Promise<void> {
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query(`alter table ${table} disable trigger user`);
  await owner.query(`update ${table} set ${to} where id = $1`, [id]);
  await owner.query(`alter table ${table} enable trigger user`);
  await owner.end();
}

/** Runs a job of payouts as a process with another list does. */
async function runAs(network: EvmNetwork, name: 'payouts.review' | 'payouts.lost'): Promise<void> {
  const { clock, service: inner } = service;
  const deps = { ...inner.platform, networks: [network], owners: ownersOf(service) };
  const jobs = payoutJobs({ ...deps, log: (error: unknown) => expect(error).toBeNull() });
  const job = jobs.find((each) => each.name === name);
  await job?.run({ now: clock.now(), real: clock.real(), signal: new AbortController().signal });
}

/** Records the lists of both as starts with them would. */
const recordTokens = () => recordLists(service, desk, [...desk.network.tokens, ...relisted.tokens]);

test.for(['withdrawal', 'refund'] as const)(
  'a %s whose token is listed with another contract before its block is final stays paid',
  async (kind) => {
    for (const network of [relisted, delisted]) {
      const { id, txHash } = await PAID[kind]();
      await desk.mine(DEEP);
      await runAs(network, 'payouts.review');
      const { status, final_at, reverts, tx_hash } = await stored(id);
      expect({ status, tx_hash, reverts, isFinal: final_at !== null }).toEqual({
        ...{ status: 'completed', tx_hash: txHash, reverts: 0, isFinal: true },
      });
    }
  },
);

test('what was paid before its contract was noted is looked for by each that was ever listed under its symbol', async () => {
  const { id } = await PAID.withdrawal();
  await desk.mine(DEEP);
  await rewrite('withdrawals', 'tx_contract = null, tx_decimals = null', id);
  const unlisted = () => findUnlistedPayouts(service, [delisted]);
  expect(await unlisted()).toMatchObject([
    { rule: 'chain.unlisted', message: expect.stringContaining('1 payouts of USDT') },
  ]);
  await recordTokens();
  expect(await unlisted()).toEqual([]);
  await runAs(relisted, 'payouts.review');
  const { status, final_at } = await stored(id);
  expect([status, final_at]).toEqual(['completed', expect.any(Date)]);
});

test('a coin that was taken off the list is looked for where no contract was noted', async () => {
  await recordTokens();
  await service.db
    .insertInto('deployment_tokens')
    .values({ chain: 'eip155:1337', ...ETHER })
    .execute();
  const { id } = await PAID.refund();
  const sent = await send(desk.wallet, { to: DESTINATION, value: 5n });
  await desk.mine(DEEP);
  await rewrite(
    'refunds',
    `token = 'ETH', decimals = 18, units = 5, tx_hash = '${sent.transactionHash}', tx_block = ${sent.blockNumber},
     tx_block_hash = '${sent.blockHash}', tx_contract = null, tx_decimals = null`,
    id,
  );
  expect(await findUnlistedPayouts(service, [delisted])).toEqual([]);
  await runAs(delisted, 'payouts.review');
  expect(await stored(id)).toMatchObject({ status: 'completed', final_at: expect.any(Date), reverts: 0 });
  // As it was booked.
  await rewrite('refunds', "token = 'USDT', decimals = 6, units = 5000000", id);
});

test('a process of the release before takes nothing back that it looked for by another contract', async () => {
  await recordTokens();
  const { id, txHash } = await PAID.withdrawal();
  // As that release saves it, which knows nothing of contracts.
  const asBefore = sql`
    update withdrawals set status = 'processing', tx_hash = null, tx_transfers = null, tx_verified = null,
           tx_block = null, tx_block_hash = null, finished_by = null, finished_at = null, reverts = reverts + 1
     where id = ${id}`;
  await expect(asBefore.execute(service.db)).rejects.toThrow('not looked for by the contract in which it was paid');
  expect(await stored(id)).toMatchObject({
    status: 'completed',
    tx_hash: txHash,
    tx_contract: desk.usdt.toLowerCase(),
  });
});

test('a payout that is gone is taken back and looked for by its contract, whatever is listed by then', async () => {
  for (const kind of ['withdrawal', 'refund'] as const) {
    const { id, txHash } = await PAID[kind]();
    const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
    await desk.node.rpc('anvil_reorg', [2, []]);
    await desk.mine(DEEP);
    await runAs(relisted, 'payouts.review');
    expect(await stored(id)).toMatchObject({ status: 'processing', reverts: 1, tx_contract: null, tx_decimals: null });
    const lost = () => service.db.selectFrom('lost_payouts').selectAll().where('payout_id', '=', id).execute();
    expect(await lost()).toMatchObject([{ contract: desk.usdt.toLowerCase(), decimals: 6, sighting: null }]);
    await desk.node.rpc('eth_sendRawTransaction', [raw]);
    await desk.mine(DEEP);
    await runAs(delisted, 'payouts.lost');
    expect(await lost()).toMatchObject([{ sighting: expect.stringContaining('shows it'), found_at: expect.any(Date) }]);
    const again = await admin.client.payouts.complete({ txHash, payoutIds: [id] });
    expect(again).toMatchObject({ completed: [id], refused: [] });
    expect(await stored(id)).toMatchObject({
      status: 'completed',
      tx_contract: desk.usdt.toLowerCase(),
      tx_decimals: 6,
    });
  }
});

test('what was exported before a token was listed with another contract, and completed after, is named as paid', async () => {
  await recordTokens();
  const check = checkOn(relisted);
  const everListed = [desk.network, relisted].flatMap(({ tokens }) => tokens.slice(0, 1));
  const ask = async (units: bigint, changes: Partial<PayoutClaim> = {}) => {
    const txHash = await desk.pay(transfer(desk.usdt, WALLET, units));
    await desk.mine(1);
    return check(claimOf(txHash, { destination: WALLET, everListed, ...changes }));
  };
  const refused = { outcome: 'refused', reason: 'payout_wrong_token' };
  expect(await ask(TEN)).toEqual({
    ...refused,
    message: expect.stringMatching(
      `in ${desk.usdt.toLowerCase()}, which devnet listed as USDT before.*do not fail the withdrawal`,
    ),
  });
  expect(await ask(TEN, { minUnits: TEN, pays: 'refund' })).toMatchObject({
    ...refused,
    message: expect.stringContaining('do not fail the refund'),
  });
  expect(await ask(TEN - 1n)).toMatchObject({ ...refused, message: expect.stringContaining('send the rest') });
  // What is another token's paid nothing.
  expect(await ask(TEN, { everListed: [] })).toMatchObject({ outcome: 'refused', reason: 'payout_wrong_destination' });
});

test('an administrator who completes a payout in a former contract is told so', async () => {
  await recordTokens();
  const { id } = await merchant.client.withdrawals.create({
    ...{ amount: 11, method: 'crypto', currency: 'USDT', destinationAddress: WALLET },
  });
  await admin.client.withdrawals.approve(id, {});
  const txHash = await desk.pay(transfer(desk.namesake, WALLET, TEN));
  await desk.mine(1);
  // The other way round: the service lists the one, and the other is recorded.
  await expect(admin.client.withdrawals.complete(id, { txHash })).rejects.toMatchObject({
    ...{ status: 409, reason: 'payout_wrong_token', message: expect.stringContaining(desk.namesake.toLowerCase()) },
  });
  await admin.client.withdrawals.fail(id, { reason: 'Not sent.' });
});
