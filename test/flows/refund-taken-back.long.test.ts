import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../src/kinds.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { comparePayouts } from '../../src/payouts/compare.ts';
import { payoutJobs } from '../../src/payouts/review.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { countWaitingRefunds } from '../../src/refunds/queries.ts';
import { type Desk, openDesk, TEN, together, tokenCall, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { walletOf } from '../support/evm.ts';
import { ownersOf } from '../support/payouts.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import { createScriptedChain, type ScriptedChain } from '../support/scripted-chain.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** Where payouts are sent and looked for. Payments arrive on a scripted chain, because no watcher runs. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;

beforeAll(async () => {
  desk = await openDesk();
  await desk.pay({ to: desk.usdt, data: tokenCall('mint', [OTHER, 10n * TEN]) });
  service = await startService({
    composed: { kinds: KINDS, networks: [desk.network] },
    settings: { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null },
  });
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

const FEE = 1;
/** Another wallet of the node. */
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
/** Blocks after which one is final. */
const DEEP = 4;

/** Each transfer is a little more than its due, so that none has the hash of one that was dropped. */
let sent = 0n;
const fiveDollars = () => {
  sent += 1n;
  return TEN / 2n + sent;
};

/** A refund of five dollars that waits to be paid. */
async function claimed(to: string = DESTINATION): Promise<string> {
  const { payments, refunds } = merchant.client;
  const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  const { id } = await refunds.create(payment.id, { amount: 5, reason: 'Sold out.', destinationAddress: to });
  return id;
}

/** Sends what pays something in one transaction, and completes all of it with that. */
async function complete(payoutIds: readonly string[], steps: readonly ReturnType<typeof transfer>[]): Promise<Hex> {
  const [only, ...others] = steps;
  const step = only && others.length === 0 ? only : together(desk.puppet, steps);
  const txHash = await desk.pay(step);
  await desk.mine(1);
  const { completed, refused } = await admin.client.payouts.complete({ txHash, payoutIds: [...payoutIds] });
  expect([completed.toSorted(), refused]).toEqual([[...payoutIds].sort(), []]);
  return txHash;
}

async function completed(): Promise<{ id: string; txHash: Hex; raw: unknown }> {
  const id = await claimed();
  const txHash = await complete([id], [transfer(desk.usdt, DESTINATION, fiveDollars())]);
  return { id, txHash, raw: await desk.node.rpc('eth_getRawTransactionByHash', [txHash]) };
}

const review = () => service.runJob('payouts.review');
const seek = () => service.runJob('payouts.lost');
const send = (raw: unknown) => desk.node.rpc('eth_sendRawTransaction', [raw]);
const look = (id: string) => merchant.client.refunds.get(id);
const stored = (id: string) =>
  service.db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const incidents = (kind: string) =>
  service.db
    .selectFrom('incidents')
    .selectAll()
    .where('kind', '=', kind)
    .where('resolved_at', 'is', null)
    .orderBy('id')
    .execute();
const journalsOf = async (id: string) => {
  const journals = service.db.selectFrom('journals').select(['kind', 'ref']).where('refund_id', '=', id).orderBy('id');
  return (await journals.execute()).map(({ kind, ref }) => `${kind.replace('refund.', '')} ${ref.replace(id, '')}`);
};
const eventsOf = async (id: string) => {
  const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  return (await events.execute()).map(({ type }) => type.replace('refund.', ''));
};
/** Drops the newest blocks, which are in no pool afterwards, and goes on until their heights are final. */
async function takeAway(): Promise<void> {
  await desk.node.rpc('anvil_reorg', [2, []]);
  await desk.mine(DEEP);
}

test('a completed refund that a reorg takes back is processing again, and is told, held and paid again', async () => {
  const { id, txHash } = await completed();
  await takeAway();
  await Promise.all([review(), review()]);
  expect(await look(id)).toMatchObject({ status: 'processing', txHash: null, finishedAt: null });
  expect(await stored(id)).toMatchObject({ reverts: 1, processed_by: admin.id, tx_block: null, tx_transfers: null });
  expect(await journalsOf(id)).toEqual(['created ', 'completed ', 'reverted #1']);
  expect(await eventsOf(id)).toEqual(['created', 'completed', 'reverted']);
  const [incident, ...others] = await incidents('refund.reverted');
  expect([incident, others]).toMatchObject([{ subject: id, network: 'devnet' }, []]);
  expect(incident?.message).toContain(`${txHash} of ${id}`);
  expect(incident?.message).toContain('its 5.00 USD are held again');
  const audited = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'refund.revert');
  expect(await audited.execute()).toMatchObject([
    { actor_type: 'system', actor_id: 'refunds', resource_id: id, merchant_id: merchant.id },
  ]);

  const again = await complete([id], [transfer(desk.usdt, DESTINATION, fiveDollars())]);
  expect(await incidents('refund.reverted')).toEqual([]);
  await desk.mine(DEEP);
  await review();
  expect(await look(id)).toMatchObject({ status: 'completed', txHash: again });
  expect((await stored(id)).final_at).not.toBeNull();
  expect(await journalsOf(id)).toEqual(['created ', 'completed ', 'reverted #1', 'completed #1']);
});

test('what one transaction paid comes back payout by payout, once each, wherever the process is killed', async () => {
  const { id: withdrawal } = await merchant.client.withdrawals.create({
    ...{ amount: 10 + FEE, method: 'crypto', currency: 'USDT', destinationAddress: WALLET },
  });
  await admin.client.withdrawals.approve(withdrawal, {});
  // The refunds go to one address, so that each may only come back as itself.
  const refunds = [await claimed(), await claimed()];
  const all = [withdrawal, ...refunds];
  const steps = () => [
    transfer(desk.usdt, WALLET, TEN + fiveDollars()),
    transfer(desk.usdt, DESTINATION, fiveDollars()),
    transfer(desk.usdt, DESTINATION, fiveDollars()),
  ];
  await complete(all, steps());
  await takeAway();
  const { platform } = service.service;
  const { clock } = service;
  /** A process that dies when it has taken back so many. */
  const runUntil = async (kills: number) => {
    let left = kills;
    const record: typeof platform.events.record = async (...args) => {
      left -= 1;
      if (left < 0) throw new Error('killed here');
      return platform.events.record(...args);
    };
    const owners = ownersOf(service, { ...platform.events, record });
    const [job] = payoutJobs({ ...platform, networks: [desk.network], owners, log: () => {} });
    await job?.run({ now: clock.now(), real: clock.real(), signal: new AbortController().signal });
  };
  const reverts = async () => {
    const withdrawals = service.db.selectFrom('withdrawals').select(['id', 'status', 'reverts']).where('id', 'in', all);
    const refunded = service.db.selectFrom('refunds').select(['id', 'status', 'reverts']).where('id', 'in', all);
    const rows = [...(await withdrawals.execute()), ...(await refunded.execute())];
    return rows.map(({ status, reverts: times }) => `${status} ${times}`).sort();
  };
  await runUntil(0);
  expect(await reverts()).toEqual(['completed 0', 'completed 0', 'completed 0']);
  await runUntil(1);
  expect(await reverts()).toEqual(['completed 0', 'completed 0', 'processing 1']);
  await runUntil(1);
  expect(await reverts()).toEqual(['completed 0', 'processing 1', 'processing 1']);
  await Promise.all([review(), review()]);
  expect(await reverts()).toEqual(['processing 1', 'processing 1', 'processing 1']);
  await review();
  const open = [...(await incidents('refund.reverted')), ...(await incidents('withdrawal.reverted'))];
  expect(open.map(({ subject }) => subject).sort()).toEqual([...all].sort());

  await complete(all, steps());
  await desk.mine(DEEP);
  await review();
  expect(await reverts()).toEqual(['completed 1', 'completed 1', 'completed 1']);
  expect([...(await incidents('refund.reverted')), ...(await incidents('withdrawal.reverted'))]).toEqual([]);
});

test('a lost transaction that comes again completes what it paid, each by its own transfer, and nothing is paid anew', async () => {
  const refunds = [await claimed(), await claimed()];
  const units = [fiveDollars(), fiveDollars()];
  const txHash = await complete(
    refunds,
    units.map((each) => transfer(desk.usdt, DESTINATION, each)),
  );
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  const transfersOf = async () => Promise.all(refunds.map(async (id) => (await stored(id)).tx_transfers));
  const before = await transfersOf();
  await takeAway();
  await review();
  await send(raw);
  await desk.mine(DEEP);
  await seek();
  const subjects = async () => (await incidents('refund.resurfaced')).map(({ subject }) => subject).sort();
  expect(await subjects()).toEqual([...refunds].sort());
  const fail = (id: string) => admin.client.refunds.fail(id, { reason: 'gone' });
  for (const id of refunds) await expect(fail(id)).rejects.toMatchObject({ reason: 'lost_payout_seen' });
  const exported = await admin.client.payouts.export({ network: desk.network.name, payoutIds: refunds });
  expect([exported.payouts, exported.refused.map(({ reason }) => reason)]).toEqual([
    [],
    ['lost_payout_seen', 'lost_payout_seen'],
  ]);
  // Completing one of them says nothing about the other, whose money is in the same transaction.
  await admin.client.refunds.complete(refunds[1]!, { txHash });
  await seek();
  expect(await subjects()).toEqual([refunds[0]]);
  await expect(fail(refunds[0]!)).rejects.toMatchObject({ reason: 'lost_payout_seen' });
  const another = await desk.pay(transfer(desk.usdt, DESTINATION, fiveDollars()));
  await desk.mine(1);
  await expect(admin.client.refunds.complete(refunds[0]!, { txHash: another })).rejects.toMatchObject({
    reason: 'lost_payout_seen',
  });
  await admin.client.refunds.complete(refunds[0]!, { txHash });
  await seek();
  expect([await subjects(), await transfersOf()]).toEqual([[], before]);
});

test('a payout that was seen final, or that no chain has shown, is not taken back by the database either', async () => {
  const { id } = await completed();
  await desk.mine(DEEP);
  await review();
  const unpaid = {
    ...{ status: 'processing', tx_hash: null, tx_transfers: null, tx_verified: null, tx_block: null },
    ...{ tx_block_hash: null, final_at: null, finished_at: null, finished_by: null },
  };
  const change = (columns: object) => service.db.updateTable('refunds').set(columns).where('id', '=', id).execute();
  await expect(change({ ...unpaid, reverts: 1 })).rejects.toThrow('can not be taken back');
  await expect(change({ reverts: 1 })).rejects.toThrow('can not change how often it was taken back');
  await expect(change({ tx_block: null, tx_block_hash: null, final_at: null })).rejects.toThrow('shown_is_placed');
});

test('refunds that wait depend on their network and on their token being listed', async () => {
  const waiting = () =>
    Promise.all([null, 'USDT', 'USDC'].map((symbol) => countWaitingRefunds(service.db, desk.network.name, symbol)));
  const [all, usdt, usdc] = await waiting();
  const id = await claimed();
  expect(await waiting()).toEqual([all! + 1, usdt! + 1, usdc]);
  await merchant.client.refunds.cancel(id);
  expect(await waiting()).toEqual([all, usdt, usdc]);
});

/** What a comparison with the chain finds about payouts. */
const compare = async () =>
  (await comparePayouts(service.service.platform, desk.network, { now: service.clock.now() })).differences;

test('a refund whose lost payout is mined after it has failed is reported, and by every comparison', async () => {
  const { id, txHash, raw } = await completed();
  await takeAway();
  expect(await compare()).toMatchObject([{ subject: id }]);
  await review();
  expect(await compare()).toEqual([]);
  await admin.client.refunds.fail(id, { reason: 'The network is not trusted.' });
  expect(await incidents('refund.reverted')).toEqual([]);
  // Another wallet's transactions leave the nonce of the lost one free.
  await desk.pay(transfer(desk.usdt, WALLET, 1n), walletOf(desk.node, OTHER));
  await send(raw);
  await desk.mine(DEEP + 3);
  service.clock.advance(11 * MINUTE_MS);
  await seek();
  const [incident] = await incidents('refund.resurfaced');
  expect(incident).toMatchObject({ subject: id, network: 'devnet' });
  expect(incident?.message).toContain('its payer has the money, and its merchant, too');
  const message = expect.stringContaining(`${txHash} was taken back and is on the chain`);
  expect(await compare()).toContainEqual({ rule: 'chain.payout', subject: id, message });
});
