import { getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { type Desk, TEN, together, tokenCall, transfer } from '../chains/payout-fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { BANK, recordLists } from '../support/payouts.ts';
import { ASKED, LOGS, newWallet, payoutsOnChain } from '../support/payouts-on-chain.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import type { ScriptedChain } from '../support/scripted-chain.ts';
import { WALLET } from '../support/withdrawals.ts';

/** Payments arrive on a scripted chain; payouts are sent on a real one, which one endpoint shows. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
let node: LiarProxy;

// Hooks at the end run in reverse: the service is closed by then.
afterAll(() => node.close());
const { opened, approved, paid, send, complete, askedNothing, fail, takenOf } = payoutsOnChain(async (one) => {
  node = await startLiar(one.node.url);
  return { ...one.network, rpcUrl: node.url };
});
beforeAll(() => {
  ({ desk, arrivals, service, merchant, admin } = opened());
});
beforeEach(() => node.honest());

const unasked = async (txHash: Hex, id: string) =>
  expect(await askedNothing(txHash, id)).toMatchObject({ completed: [id] });

/** A refund of five dollars whose payer has named an address. */
async function refunded(): Promise<string> {
  const { payments, refunds } = merchant.client;
  const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  return (await refunds.create(payment.id, { amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION })).id;
}

test('what no chain was asked about keeps of its transaction what paid it once another one is completed with that', async () => {
  const [first, second, third] = [await approved(), await approved(newWallet()), await approved()];
  const [refund, fourth] = [await refunded(), await approved()];
  const other = (await admin.client.withdrawals.get(second)).destinationAddress!;
  const txHash = await paid(send(WALLET, TEN), send(other, TEN), send(WALLET, TEN), send(DESTINATION, TEN / 2n));
  await unasked(txHash, first);
  expect(await takenOf(txHash)).toEqual([[-1, first]]);
  expect(await complete(txHash, second)).toEqual({ completed: [second], refused: [] });
  expect((await takenOf(txHash)).map(([, id]) => id).sort()).toEqual([first, second].sort());
  // Each of the others has one as well, whoever asks at once, and no fourth one to the same wallet.
  const { completed, refused } = await complete(txHash, third, refund, fourth);
  expect(completed).toContain(refund);
  expect([completed.length, refused]).toMatchObject([2, [{ reason: 'tx_hash_used' }]]);
  expect((await takenOf(txHash)).map(([index]) => index)).toEqual([LOGS, LOGS + 1, LOGS + 2, LOGS + 3]);
  await fail(refused[0]!.id);
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'withdrawal.narrow');
  expect(await entries.execute()).toMatchObject([{ actor_type: 'admin', actor_id: admin.id, resource_id: first }]);
});

test('payouts to a contract that passes money on at once are completed, and none has to be failed and paid twice', async () => {
  // It acts in the very transaction, as where a Safe's batch sends it a coin: another refund, of its own making.
  for (const [to, units] of [
    [newWallet(), (3n * TEN) / 2n],
    [desk.puppet, 1n],
  ] as const) {
    const [first, second] = [await approved(desk.mirror), await approved(desk.mirror)];
    const passesOn = together(desk.mirror, [send(to, units)]);
    const txHash = await paid(send(desk.mirror, TEN), send(desk.mirror, TEN), passesOn);
    const { completed, refused } = await complete(txHash, first, second);
    expect([completed.toSorted(), refused]).toEqual([[first, second].toSorted(), []]);
  }
});

test('a refund that no chain was asked about keeps what paid it as well, also where two ask at once', async () => {
  const [refund, first, second] = [await refunded(), await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN), send(WALLET, TEN), send(DESTINATION, TEN / 2n));
  await unasked(txHash, refund);
  const both = await Promise.all([complete(txHash, first), complete(txHash, second)]);
  expect(both.flatMap(({ completed }) => completed).sort()).toEqual([first, second].sort());
  expect((await takenOf(txHash)).at(-1)).toEqual([LOGS + 2, refund]);
});

test('what a bank paid keeps a transaction from no payout that the chain shows', async () => {
  const { id: bank } = await merchant.client.withdrawals.create({ ...BANK, amount: 11 });
  await admin.client.withdrawals.approve(bank, {});
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN), send(newWallet(), TEN));
  await admin.client.withdrawals.complete(bank, { txHash });
  // Unasked it may be the same money.
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  expect(await complete(txHash, first)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringContaining('complete it while the chain is asked') }],
  });
  await service.set(ASKED);
  expect(await complete(txHash, first)).toEqual({ completed: [first], refused: [] });
  expect(await complete(txHash, second)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  expect(await takenOf(txHash)).toEqual([
    [-1, bank],
    [LOGS, first],
  ]);
  await fail(second);
});

test('what is narrowed is looked at again as the others of its transaction, and is taken back with them', async () => {
  const [first, refund, second] = [await approved(), await refunded(), await approved()];
  const [one, other] = [await paid(send(WALLET, TEN), send(WALLET, TEN)), await paid(send(DESTINATION, TEN / 2n))];
  await unasked(one, first);
  await unasked(other, refund);
  const look = async (id: string) => (await admin.client.withdrawals.get(id)) as Record<string, unknown>;
  expect(await look(first)).toMatchObject({ txVerified: false, txBlock: null });
  expect(await complete(one, second)).toEqual({ completed: [second], refused: [] });
  const { txBlock } = await look(second);
  expect(await look(first)).toMatchObject({ txVerified: true, txBlock, txFinalAt: null });
  await desk.node.rpc('anvil_reorg', [4, []]);
  await desk.mine(6);
  await service.runJob('payouts.review');
  for (const id of [first, second]) expect(await look(id)).toMatchObject({ status: 'processing', reverts: 1 });
  const opened = service.db.selectFrom('incidents').select('subject').where('kind', '=', 'withdrawal.reverted');
  expect((await opened.execute()).map(({ subject }) => subject).sort()).toEqual([first, second].sort());
  // About this one no chain was ever asked.
  expect(await admin.client.refunds.get(refund)).toMatchObject({ status: 'completed', txVerified: false });
});

test('what paid a refund is rewritten by nothing but narrowing', async () => {
  const [refund, withdrawal] = [await refunded(), await approved()];
  const txHash = await paid(send(WALLET, TEN), send(DESTINATION, TEN / 2n));
  await unasked(txHash, refund);
  const change = (to: object) => service.db.updateTable('refunds').set(to).where('id', '=', refund).execute();
  const refused = { message: expect.stringContaining('what paid it') };
  await expect(change({ tx_hash: `0x${'1'.repeat(64)}` })).rejects.toMatchObject(refused);
  await expect(change({ tx_transfers: [] })).rejects.toMatchObject(refused);
  expect(await complete(txHash, withdrawal)).toEqual({ completed: [withdrawal], refused: [] });
  for (const to of [{ tx_transfers: null }, { tx_transfers: [LOGS] }, { tx_hash: `0x${'1'.repeat(64)}` }])
    await expect(change(to)).rejects.toMatchObject(refused);
  expect((await takenOf(txHash)).map(([index, id]) => [index, id])).toEqual([
    [LOGS, withdrawal],
    [LOGS + 1, refund],
  ]);
});

test('one transfer completes no second payout when the chain is asked later', async () => {
  const [first, second, elsewhere] = [await approved(), await approved(), await approved(newWallet())];
  const txHash = await paid(send(WALLET, 2n * TEN));
  await unasked(txHash, first);
  const refused = await complete(txHash, second, elsewhere);
  expect(refused).toMatchObject({
    ...{ completed: [] },
    refused: [{ reason: 'tx_hash_used' }, { reason: 'payout_wrong_destination' }],
  });
  expect(await takenOf(txHash)).toEqual([[-1, first]]);
  await fail(second);
  await fail(elsewhere);
});

test('nothing is freed of a transaction that the chain does not show to have paid the first payout', async () => {
  const [first, second] = [await approved(newWallet()), await approved()];
  const [stranger, third] = [await approved(), await approved(newWallet())];
  const wallet = (await admin.client.withdrawals.get(third)).destinationAddress!;
  const txHash = await paid(send(WALLET, TEN));
  await unasked(txHash, first);
  expect(await complete(txHash, second)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringContaining(`sent no USDT to`) }],
  });
  expect(await takenOf(txHash)).toEqual([[-1, first]]);
  // What did not come from our wallets may be another's: it frees nothing, either.
  const mixed = await paid(send(WALLET, TEN), {
    to: desk.usdt,
    data: tokenCall('mint', [getAddress(wallet), TEN]),
  });
  await unasked(mixed, stranger);
  await service.set({ ...ASKED, payoutWallets: ['0x0000000000000000000000000000000000000000'] });
  expect(await complete(mixed, third)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  await service.set(ASKED);
  for (const id of [second, third]) await fail(id);
});

test('an endpoint that shows another transaction for each of them frees nothing', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN), send(WALLET, TEN));
  const honest = (await desk.node.rpc('eth_getTransactionReceipt', [txHash])) as { logs: readonly unknown[] };
  await unasked(txHash, first);
  let asked = 0;
  // First the one transfer, then both: what paid the first payout would be another one than what is free.
  node.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    asked += 1;
    return { result: asked % 2 === 1 ? { ...honest, logs: honest.logs.slice(0, 1) } : honest };
  });
  expect(await complete(txHash, second)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  expect([asked, await takenOf(txHash)]).toEqual([2, [[-1, first]]]);
  node.honest();
  expect(await complete(txHash, second)).toMatchObject({ completed: [second] });
});

test('nothing is freed while an endpoint lags: it has to be asked again', async () => {
  // The first one may have been paid in a contract that was listed before, and has as much of that.
  const former = { symbol: 'USDT', contract: desk.namesake.toLowerCase(), decimals: 6 } as const;
  await recordLists(service, desk, [...desk.network.tokens, former]);
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN), transfer(desk.namesake, WALLET, TEN));
  await unasked(txHash, first);
  let asked = 0;
  node.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    asked += 1;
    return asked === 2 ? { result: null } : undefined;
  });
  await expect(admin.client.withdrawals.complete(second, { txHash })).rejects.toMatchObject({
    ...{ status: 409, reason: 'tx_hash_used', retryAfterSeconds: 5 },
  });
  expect(await takenOf(txHash)).toEqual([[-1, first]]);
  node.honest();
  expect(await complete(txHash, second)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  await fail(second);
});

test('while no chain is asked the refusal says how both are completed', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN), send(WALLET, TEN));
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  await complete(txHash, first);
  expect(await complete(txHash, second)).toMatchObject({
    refused: [
      {
        reason: 'tx_hash_used',
        message: expect.stringMatching(/complete it while the chain is asked.*verifyPayoutOnChain/),
      },
    ],
  });
  await service.set(ASKED);
  expect(await complete(txHash, second)).toMatchObject({ completed: [second] });
});

type Log = { readonly transactionHash: Hex; readonly data: Hex };

/** A transfer of half as much, where it is of this transaction. */
const halfOf =
  (txHash: Hex) =>
  (log: Log): Log =>
    log.transactionHash === txHash
      ? { ...log, data: `0x${(BigInt(log.data) / 2n).toString(16).padStart(64, '0')}` }
      : log;

/** The endpoint shows a transaction as one that was mined again with less; `everywhere`: its block lists the same. */
const halve = (txHash: Hex, everywhere: boolean) =>
  node.lie(({ method }) => {
    const one = halfOf(txHash);
    if (method === 'eth_getTransactionReceipt')
      return {
        change: (found) => found && { ...found, logs: (found as { readonly logs: readonly Log[] }).logs.map(one) },
      };
    if (method === 'eth_getLogs' && everywhere) return { change: (logs) => (logs as readonly Log[]).map(one) };
    return undefined;
  });

test('a completed payout that is mined again with less is named once its block is final', async () => {
  const id = await approved();
  const txHash = await paid(send(WALLET, TEN));
  expect(await complete(txHash, id)).toMatchObject({ completed: [id] });
  await desk.mine(5);
  halve(txHash, true);
  await service.runJob('payouts.review');
  const open = service.db.selectFrom('incidents').select('message').where('kind', '=', 'chain.disagreement');
  expect(await open.where('resolved_at', 'is', null).execute()).toMatchObject([
    { message: expect.stringContaining(`${id}, completed in block`) },
  ]);
  node.honest();
  await service.runJob('payouts.review');
  expect(await open.where('resolved_at', 'is', null).execute()).toEqual([]);
});

/** A withdrawal whose payout the chain took back, and mined again; its block is final, unless it lies less deep. */
async function minedAgain(depth = 5): Promise<{ readonly id: string; readonly txHash: Hex }> {
  const id = await approved();
  // No transaction of before is dropped with it: this one would wait for its nonce.
  await desk.mine(2);
  const txHash = await paid(send(WALLET, TEN));
  expect(await complete(txHash, id)).toMatchObject({ completed: [id] });
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [txHash]);
  await desk.node.rpc('anvil_reorg', [4, []]);
  await desk.mine(4);
  await service.runJob('payouts.review');
  await desk.node.rpc('eth_sendRawTransaction', [raw]);
  await desk.mine(depth);
  return { id, txHash };
}
const look = () => service.runJob('payouts.lost');
const SEEN = { completed: [], refused: [{ reason: 'lost_payout_seen' }] };

test('what is mined again with less in a final block is completed by another transaction that pays all', async () => {
  const { id, txHash } = await minedAgain();
  const again = await paid(send(WALLET, TEN));
  // Its receipt lacks what its block lists.
  halve(txHash, false);
  await look();
  expect(await complete(again, id)).toMatchObject(SEEN);
  halve(txHash, true);
  await look();
  expect(await complete(txHash, id)).toMatchObject({ refused: [{ reason: 'payout_too_small' }] });
  const less = { reason: 'lost_payout_seen', message: expect.stringContaining('That is less than was due.') };
  await expect(fail(id)).rejects.toMatchObject(less);
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  expect(await complete(again, id)).toMatchObject({ refused: [less] });
  await service.set(ASKED);
  service.clock.advance(11 * MINUTE_MS);
  expect(await complete(again, id)).toMatchObject(SEEN);
  await look();
  expect(await complete(again, id)).toMatchObject({ completed: [id], refused: [] });
});

test('what paid all in the last look is completed by nothing else, also where a look before saw less', async () => {
  const { id, txHash } = await minedAgain();
  const again = await paid(send(WALLET, TEN));
  halve(txHash, true);
  await look();
  // A look of a release before, which knows nothing of that.
  service.clock.advance(MINUTE_MS);
  await service.db
    .updateTable('lost_payouts')
    .set({ looked_at: service.clock.now() })
    .where('payout_id', '=', id)
    .execute();
  expect(await complete(again, id)).toMatchObject(SEEN);
  await look();
  node.honest();
  await look();
  expect(await complete(again, id)).toMatchObject(SEEN);
  expect(await complete(txHash, id)).toMatchObject({ completed: [id], refused: [] });
});

const undo = (txHash: Hex) =>
  node.lie(({ method, params }) =>
    method === 'eth_getTransactionReceipt' && params[0] === txHash
      ? { change: (found) => found && { ...found, status: '0x0', logs: [] } }
      : undefined,
  );

test.for([
  ['with less', (txHash: Hex) => halve(txHash, true)],
  ['and fails', undo],
] as const)('what is mined again %s in a block that is not final is neither failed nor paid anew', async ([, show]) => {
  const { id, txHash } = await minedAgain(0);
  show(txHash);
  await look();
  const again = await paid(send(WALLET, TEN));
  await expect(fail(id)).rejects.toMatchObject({ status: 409, reason: 'lost_payout_seen' });
  expect(await complete(again, id)).toMatchObject(SEEN);
  // Another reorg mines it once more, as it was.
  node.honest();
  expect(await complete(txHash, id)).toMatchObject({ completed: [id], refused: [] });
});
