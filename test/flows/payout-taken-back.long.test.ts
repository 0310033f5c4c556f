import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { KINDS } from '../../src/kinds.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { payoutJobs } from '../../src/payouts/review.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Desk, openDesk, TEN, tokenCall, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { walletOf } from '../support/evm.ts';
import { failByTwo, ownersOf } from '../support/payouts.ts';
import { balancesOf, fund, WALLET } from '../support/withdrawals.ts';

let desk: Desk;
let network: EvmNetwork;
let service: TestService;
let merchant: TestMerchant;
/** Who approves, and who completes. */
let [approver, payer]: TestAdmin[] = [];
let [first, second]: LiarProxy[] = [];

beforeAll(async () => {
  desk = await openDesk();
  await desk.pay({ to: desk.usdt, data: tokenCall('mint', [OTHER, 10n * TEN]) });
  const [one, two] = [await startLiar(desk.node.url), await startLiar(desk.node.url)];
  [first, second] = [one, two];
  network = { ...desk.network, rpcUrl: one.url, otherRpcUrls: [two.url] };
  service = await startService({
    composed: { kinds: KINDS, networks: [network] },
    settings: { verifyPayoutOnChain: true, fourEyesThreshold: '1.00', withdrawalMaxOpen: 100 },
  });
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 1_000_000n);
  [approver, payer] = [await service.admin(), await service.admin()];
});
beforeEach(() => {
  first!.honest();
  second!.honest();
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await service.close();
  await Promise.all([first!.close(), second!.close()]);
  await desk.close();
  expect(findings).toEqual([]);
});

const FEE = 1;
/** Another wallet of the node. */
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
/** Blocks after which one is final. */
const DEEP = 4;

/** Each payout is a little more than its due, so that none has the hash of one that was dropped. */
let payouts = 0n;

/** Has ten dollars paid out on the chain and completes them with it. */
async function completed(): Promise<{ id: string; txHash: string; block: number }> {
  const { id } = await merchant.client.withdrawals.create({
    ...{ amount: 10 + FEE, method: 'crypto', currency: 'USDT' },
    destinationAddress: WALLET,
  });
  await approver!.client.withdrawals.approve(id, {});
  payouts += 1n;
  const txHash = await desk.pay(transfer(desk.usdt, WALLET, TEN + payouts));
  const block = Number(await desk.node.rpc('eth_blockNumber'));
  await desk.mine(1);
  await payer!.client.withdrawals.complete(id, { txHash });
  return { id, txHash, block };
}

const review = () => service.runJob('payouts.review');
const look = (id: string) => payer!.client.withdrawals.get(id);
const incidents = (kind: string, open = true) => {
  const found = service.db.selectFrom('incidents').selectAll().where('kind', '=', kind);
  return (open ? found.where('resolved_at', 'is', null) : found).orderBy('id').execute();
};
const eventsOf = async (id: string) => {
  const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  return (await events.execute()).map(({ type }) => type.replace('withdrawal.', ''));
};

const journalsOf = async (id: string) => {
  const journals = service.db
    .selectFrom('journals')
    .select(['kind', 'ref'])
    .where('withdrawal_id', '=', id)
    .orderBy('id');
  return (await journals.execute()).map(({ kind, ref }) => `${kind.replace('withdrawal.', '')} ${ref.replace(id, '')}`);
};
/** Drops the newest blocks; what they held is in no pool. */
const drop = (blocks: number) => desk.node.rpc('anvil_reorg', [blocks, []]);

test('a completed payout that a reorg takes back is processing again once its block would be final, and is paid again', async () => {
  const before = await balancesOf(service.db, merchant.id);
  const { id, txHash, block } = await completed();
  expect(await look(id)).toMatchObject({ txVerified: true, txBlock: block, txFinalAt: null, reverts: 0 });
  await drop(2);
  await review();
  expect(await look(id)).toMatchObject({ status: 'completed', txHash }); // The chain may still return to its block.
  await desk.mine(DEEP);
  await Promise.all([review(), review()]);
  expect(await look(id)).toMatchObject({
    ...{ status: 'processing', txHash: null, txVerified: null, txBlock: null, txFinalAt: null, reverts: 1 },
    ...{ completedAt: null, closedBy: null, closedAt: null, reviewedBy: approver!.id },
  });
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({ status: 'approved', statusReason: 'processing' });
  expect(await balancesOf(service.db, merchant.id)).toEqual({
    ...before,
    available: before.available! - 1100,
    hold: 1100,
  });
  expect(await eventsOf(id)).toEqual(['created', 'approved', 'completed', 'reverted']);
  expect(await journalsOf(id)).toEqual(['created ', 'completed ', 'reverted #1']);
  const [incident, ...others] = await incidents('withdrawal.reverted');
  expect([incident, others]).toMatchObject([{ subject: id, network: 'devnet' }, []]);
  expect(incident?.message).toContain(`${txHash} of ${id}, completed in block ${block} of devnet, is not on the chain`);
  const audited = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'withdrawal.revert');
  expect(await audited.execute()).toMatchObject([
    {
      actor_type: 'system',
      actor_id: 'withdrawals',
      resource_id: id,
      merchant_id: merchant.id,
      metadata: { newStatus: 'processing', txHash, block },
    },
  ]);

  const again = await desk.pay(transfer(desk.usdt, WALLET, TEN));
  await desk.mine(1);
  const complete = (admin: TestAdmin) => admin.client.withdrawals.complete(id, { txHash: again });
  await expect(complete(approver!)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  await complete(payer!);
  expect(await incidents('withdrawal.reverted')).toEqual([]);
  await drop(2);
  await desk.mine(DEEP);
  await review();
  expect(await look(id)).toMatchObject({ status: 'processing', reverts: 2 });
  const fail = (admin: TestAdmin) => admin.client.withdrawals.fail(id, { reason: 'The network is not trusted.' });
  // It may have been paid, so two have to say that it was not.
  await payer!.client.withdrawals.askToFail(id, { notes: 'It is nowhere.' });
  await expect(fail(payer!)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  await fail(approver!);
  expect(await journalsOf(id)).toEqual([
    ...['created ', 'completed ', 'reverted #1', 'completed #1', 'reverted #2', 'released '],
  ]);
  expect(await incidents('withdrawal.reverted')).toEqual([]);
  expect(await balancesOf(service.db, merchant.id)).toEqual(before);
});

test('a payout that is mined again in another block stays completed, and is final there', async () => {
  const { id, txHash, block } = await completed();
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  await desk.node.rpc('anvil_reorg', [3, [[raw, 2]]]);
  await desk.mine(DEEP);
  await review();
  const { txBlock, txFinalAt, ...found } = await look(id);
  expect([found, txFinalAt]).toMatchObject([{ status: 'completed', txHash, reverts: 0 }, expect.any(String)]);
  expect(txBlock).not.toBe(block);
  expect(await eventsOf(id)).toEqual(['created', 'approved', 'completed']);
  expect(await incidents('withdrawal.reverted')).toEqual([]);
});

test.for([
  ['does not answer', 'does not say', () => ({ result: '0x1' }), 'eth_chainId'],
  ['has it in its pool', 'knows the transaction', () => ({ result: { blockHash: null } }), 'eth_getTransactionByHash'],
] as const)('nothing is taken back while one of two endpoints %s', async ([, words, lie, about]) => {
  const { id, txHash } = await completed();
  await drop(2);
  await desk.mine(DEEP);
  second!.lie(({ method }) => (method === about ? lie() : undefined));
  await review();
  expect(await look(id)).toMatchObject({ status: 'completed', txHash, txFinalAt: null });
  const [incident] = await incidents('chain.disagreement');
  expect(incident).toMatchObject({ subject: 'devnet payouts when final' });
  expect(incident?.message).toContain(`${new URL(second!.url).host} ${words}`);
  second!.honest();
  await review();
  expect(await look(id)).toMatchObject({ status: 'processing', reverts: 1 });
  expect(await incidents('chain.disagreement')).toEqual([]);
});

test('nothing is taken back while no endpoint answers, and what one shows is final once the other was silent for an hour', async () => {
  const { id } = await completed();
  await desk.mine(DEEP);
  const foreign = ({ method }: { method: string }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined);
  first!.lie(foreign);
  second!.lie(foreign);
  await review();
  expect(await look(id)).toMatchObject({ status: 'completed', txFinalAt: null });
  first!.honest();
  const reviewAfter = reviewing(network);
  await reviewAfter(0);
  await reviewAfter(58);
  expect((await look(id)).txFinalAt).toBeNull();
  await reviewAfter(61);
  expect((await look(id)).txFinalAt).not.toBeNull();
  expect(await incidents('chain.disagreement')).toEqual([]);
});

test('an endpoint that lacks receipt and transaction of a payout does not make it vanish', async () => {
  const { id, txHash } = await completed();
  await desk.mine(DEEP);
  for (const liar of [first!, second!]) {
    liar.lie(({ method }) => (/Receipt|TransactionByHash/.test(method) ? { result: null } : undefined));
  }
  await review();
  const found = await look(id);
  expect(found).toMatchObject({ status: 'completed', txHash });
  expect(found.txFinalAt).not.toBeNull();
});

/** What a comparison with the chains finds, the network under this name. */
const compare = async (name = network.name) => {
  const { platform } = service.service;
  return allFindings(
    await reconcileChains({ ...platform, networks: [{ ...network, name }] }, { now: service.clock.now() }),
  );
};

test('a step of taking back that fails leaves all as it was, and the next run does it', async () => {
  const { id } = await completed();
  await drop(2);
  await desk.mine(DEEP);
  expect(await compare()).toMatchObject([{ rule: 'chain.payout', subject: id }]);
  expect(await compare('another')).toMatchObject([{ rule: 'chain.unlisted', subject: 'devnet' }]);
  const { platform } = service.service;
  const logged: string[] = [];
  const record = async () => {
    throw new Error('killed here');
  };
  const log = (_: unknown, message: string) => void logged.push(message);
  const owners = ownersOf(service, { ...platform.events, record });
  const [job] = payoutJobs({ ...platform, networks: [network], owners, log });
  await job?.run({ now: service.clock.now(), real: service.clock.real(), signal: new AbortController().signal });
  expect(logged).toEqual([expect.stringContaining('could not be taken back')]);
  expect([await look(id), await journalsOf(id)]).toMatchObject([{ status: 'completed' }, ['created ', 'completed ']]);
  const [incident] = await incidents('chain.disagreement');
  expect(incident?.message).toContain('could not be taken back: killed here');
  await review();
  expect([await look(id), await compare()]).toMatchObject([{ status: 'processing', reverts: 1 }, []]);
});

/** Runs the job `payouts.review` on other networks than the service's. */
const reviewAs = (other: EvmNetwork): Promise<void> => reviewing(other)(0);
/** The same of one process, so many minutes after now. */
function reviewing(other: EvmNetwork): (minutes: number) => Promise<void> {
  const { clock, service: inner } = service;
  const deps = { ...inner.platform, networks: [other], owners: ownersOf(service) };
  const [job] = payoutJobs({ ...deps, log: (error: unknown) => expect(error).toBeNull() });
  return async (minutes) => {
    const real = new Date(clock.real().getTime() + minutes * MINUTE_MS);
    await job?.run({ now: clock.now(), real, signal: new AbortController().signal });
  };
}

test('a payout that one of three endpoints shows mined again, not final yet, is not taken back', async () => {
  const { id, txHash } = await completed();
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  await drop(2);
  await desk.mine(DEEP);
  await desk.node.rpc('eth_sendRawTransaction', [raw]);
  await desk.mine(1);
  const third = await startLiar(desk.node.url);
  const threefold = { ...network, otherRpcUrls: [second!.url, third.url] };
  for (const liar of [second!, third])
    liar.lie(({ method }) => (/Receipt|TransactionByHash/.test(method) ? { result: null } : undefined));
  await reviewAs(threefold);
  expect(await look(id)).toMatchObject({ status: 'completed', txHash, txFinalAt: null, reverts: 0 });
  const [incident] = await incidents('chain.disagreement');
  expect(incident?.message).toContain('which is not final yet');
  for (const liar of [second!, third]) liar.honest();
  await reviewAs(threefold);
  expect(await incidents('chain.disagreement')).toEqual([]); // They agree, and only wait.
  await desk.mine(DEEP);
  await reviewAs(threefold);
  expect((await look(id)).txFinalAt).not.toBeNull();
  await third.close();
});

const seek = () => service.runJob('payouts.lost');
const send = (raw: unknown) => desk.node.rpc('eth_sendRawTransaction', [raw]);

/** A withdrawal whose payout was taken back; `raw` would pay it again. */
async function takenBack(): Promise<{ id: string; txHash: string; raw: unknown }> {
  const { id, txHash } = await completed();
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  await drop(2);
  await desk.mine(DEEP);
  await review();
  expect(await look(id)).toMatchObject({ status: 'processing', reverts: 1 });
  return { id, txHash, raw };
}

test('while a lost payout waits in a pool or is mined again, the withdrawal can be completed only with it', async () => {
  const { id, txHash, raw } = await takenBack();
  await desk.node.rpc('evm_setAutomine', [false]);
  await send(raw);
  await seek();
  const [pooled] = await incidents('withdrawal.resurfaced');
  expect(pooled).toMatchObject({ subject: id, network: 'devnet' });
  expect(pooled?.message).toContain('knows the transaction, and has it in no block. Do not pay again');
  await expect(failByTwo(id, payer, approver)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  await desk.mine(1);
  await desk.node.rpc('evm_setAutomine', [true]);
  const another = await desk.pay(transfer(desk.usdt, WALLET, TEN));
  await desk.mine(1);
  await expect(payer!.client.withdrawals.complete(id, { txHash: another })).rejects.toMatchObject({
    ...{ status: 409, reason: 'lost_payout_seen' },
  });
  expect(await journalsOf(id)).toEqual(['created ', 'completed ', 'reverted #1']);
  await payer!.client.withdrawals.complete(id, { txHash });
  await seek();
  expect(await incidents('withdrawal.resurfaced')).toEqual([]);
});

test('a lost payout that one endpoint alone shows final is looked at on, until the other speaks', async () => {
  const { id, txHash, raw } = await takenBack();
  const lost = service.db.selectFrom('lost_payouts').select('found_at').where('tx_hash', '=', txHash);
  await send(raw);
  await desk.mine(DEEP + 3);
  second!.lie(({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined));
  await seek();
  expect(await incidents('withdrawal.resurfaced')).toMatchObject([{ subject: id }]);
  expect(await lost.execute()).toEqual([{ found_at: null }]);
  second!.honest();
  await seek();
  expect(await lost.execute()).toEqual([{ found_at: expect.any(Date) }]);
  await payer!.client.withdrawals.complete(id, { txHash });
});

test.for(['failed', 'completed by another'] as const)(
  'a lost payout that is mined after its withdrawal has %s is reported once, and by every comparison',
  async (how) => {
    const { id, txHash, raw } = await takenBack();
    if (how === 'failed') await failByTwo(id, payer, approver);
    else {
      // From another wallet, because a payout with the nonce of the lost one would keep that from being mined.
      const another = await desk.pay(transfer(desk.usdt, WALLET, TEN), walletOf(desk.node, OTHER));
      await desk.mine(1);
      await payer!.client.withdrawals.complete(id, { txHash: another });
    }
    await send(raw);
    await desk.mine(DEEP + 3);
    service.clock.advance(11 * MINUTE_MS);
    await seek();
    const [incident] = await incidents('withdrawal.resurfaced');
    expect(incident).toMatchObject({ subject: id, network: 'devnet' });
    expect(incident?.message).toMatch(how === 'failed' ? /has the money twice/ : /may be paid twice/);
    expect(await compare()).toContainEqual({
      ...{
        rule: 'chain.payout',
        subject: id,
        message: expect.stringContaining(`${txHash} was taken back and is on the`),
      },
    });
    await service.db.updateTable('incidents').set({ resolved_at: service.clock.now() }).execute();
    service.clock.advance(11 * MINUTE_MS);
    await seek();
    expect(await incidents('withdrawal.resurfaced')).toEqual([]);
  },
);

test('a withdrawal whose lost payout no endpoint can be asked about is not failed', async () => {
  const { id } = await takenBack();
  service.clock.advance(11 * MINUTE_MS);
  for (const liar of [first!, second!])
    liar.lie(({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined));
  await seek();
  const fail = () => failByTwo(id, payer, approver);
  await expect(fail()).rejects.toMatchObject({ status: 409, reason: 'lost_payout_unclear' });
  for (const liar of [first!, second!]) liar.honest();
  await seek();
  await fail();
});

test('payouts in a token that is no longer listed are compared all the same', async () => {
  const { id } = await completed();
  await desk.mine(DEEP);
  const { platform } = service.service;
  const fewer = { ...network, tokens: network.tokens.filter(({ symbol }) => symbol !== 'USDT') };
  const { outcomes, findings } = await reconcileChains(
    { ...platform, networks: [fewer] },
    { now: service.clock.now() },
  );
  expect([...outcomes.values()].map(({ kind }) => kind)).not.toContain('failed');
  const rules = [...findings.values()].flat().map(({ rule, subject }) => `${rule} ${subject}`);
  expect(rules).not.toContain('chain.unlisted devnet');
  expect(rules).not.toContain(`chain.payout ${id}`);
  await review();
  expect((await look(id)).txFinalAt).not.toBeNull();
  for (const liar of [first!, second!])
    liar.lie(({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined));
  const unheard = await compare();
  expect(unheard).toContainEqual(
    expect.objectContaining({
      rule: 'chain.payout',
      subject: 'devnet',
      message: expect.stringContaining('no endpoint says'),
    }),
  );
});

test('a payout that an older release verified is placed once it is found, and is never taken back', async () => {
  const [found, lost] = [await completed(), await completed()];
  const older = service.db.updateTable('withdrawals').set({ tx_block: null, tx_block_hash: null });
  await older.where('id', 'in', [found.id, lost.id]).execute();
  await drop(2);
  await desk.mine(DEEP);
  await review();
  expect((await look(found.id)).txFinalAt).toBeNull();
  await service.runJob('payouts.place');
  const { txFinalAt, ...placed } = await look(found.id);
  expect([placed, txFinalAt]).toMatchObject([{ status: 'completed', txBlock: found.block }, expect.any(String)]);
  expect(await look(lost.id)).toMatchObject({ status: 'completed', txBlock: null, txFinalAt: null });
  expect((await compare()).filter(({ subject }) => subject === lost.id)).toMatchObject([
    { rule: 'chain.payout', message: expect.stringContaining('does not know the transaction') },
  ]);
});

test('where a chain calls no block final, a payout is looked at once it lies 64 blocks below what was scanned', async () => {
  const { id, block } = await completed();
  await drop(2);
  await desk.mine(DEEP);
  for (const liar of [first!, second!])
    liar.lie(({ params }) => (params[0] === 'finalized' ? { result: null } : undefined));
  const { clock, db } = service;
  const scanned = {
    network: 'devnet',
    genesis_hash: '0x',
    hash: '0x',
    block_time: clock.now(),
    scanned_at: clock.now(),
  };
  const [height, confirmed_height] = [BigInt(block + 63), BigInt(block)];
  await db
    .insertInto('chain_cursors')
    .values({ ...scanned, height, confirmed_height, head_height: height })
    .execute();
  await review();
  expect(await look(id)).toMatchObject({ status: 'completed' });
  await db
    .updateTable('chain_cursors')
    .set({ height: height + 1n, head_height: height + 1n })
    .execute();
  await review();
  expect(await look(id)).toMatchObject({ status: 'processing', reverts: 1 });
});
