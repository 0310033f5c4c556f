import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { type Desk, TEN } from '../chains/payout-fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { ASKED, LOGS, newWallet, payoutsOnChain } from '../support/payouts-on-chain.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import type { ScriptedChain } from '../support/scripted-chain.ts';

/** The first of two endpoints lies about what is worth less than a second opinion. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
let [first, second]: LiarProxy[] = [];

// Hooks at the end run in reverse: the service is closed by then.
afterAll(async () => {
  await Promise.all([first!.close(), second!.close()]);
});
const { opened, paid, complete, ...on } = payoutsOnChain(async ({ network, node }) => {
  [first, second] = [await startLiar(node.url), await startLiar(node.url)];
  return { ...network, rpcUrl: first.url, otherRpcUrls: [second.url], secondOpinionFrom: 100 };
});
beforeAll(() => {
  ({ desk, arrivals, service, merchant, admin } = opened());
});
beforeEach(() => {
  first!.honest();
  second!.honest();
});

/** An approved withdrawal of so many tens of dollars. */
const approved = (destinationAddress: string, tens = 1) => on.approved(destinationAddress, 10 * tens);
const send = (to: string, tens: number) => on.send(to, BigInt(tens) * TEN);
const takenOf = async (txHash: Hex) => (await on.takenOf(txHash)).map(([place, id]) => [place - LOGS, id]);
const movesOf = (id: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['actor_id', 'metadata'])
    .where('action', 'in', ['withdrawal.move', 'refund.move'])
    .where('resource_id', '=', id)
    .execute();

type Log = { readonly logIndex: string };

/** The first endpoint gives the logs of a transaction in this order, by their places. */
const reorder = (order: readonly number[]) =>
  first!.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    return {
      change: (found) => {
        const { logs, ...receipt } = found as { readonly logs: readonly Log[] };
        return { ...receipt, logs: order.map((from, to) => ({ ...logs[from], logIndex: logs[to]!.logIndex })) };
      },
    };
  });

/** Completes a payout while the first endpoint gives the logs in this order. */
async function lied(order: readonly number[], txHash: Hex, id: string): Promise<void> {
  reorder(order);
  expect(await complete(txHash, id)).toEqual({ completed: [id], refused: [] });
  first!.honest();
}

test('a payout that got the place of a larger one, by the word of one endpoint, is moved to its own', async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const [small, large] = [await approved(wallet), await approved(other, 20)];
  const txHash = await paid(send(wallet, 1), send(other, 20));
  await lied([1, 0], txHash, small);
  expect(await takenOf(txHash)).toEqual([[1, small]]);
  expect(await complete(txHash, large)).toEqual({ completed: [large], refused: [] });
  expect(await takenOf(txHash)).toEqual([
    [0, small],
    [1, large],
  ]);
  const metadata = { txHash, transfers: [LOGS], former: [LOGS + 1] };
  expect(await movesOf(small)).toEqual([{ actor_id: admin.id, metadata }]);
});

test('so is one to the same address, which got the place of more than was due', async () => {
  const wallet = newWallet();
  const [small, next, large] = [await approved(wallet), await approved(wallet), await approved(wallet, 20)];
  const txHash = await paid(send(wallet, 1), send(wallet, 20), send(wallet, 1));
  await lied([1, 0], txHash, small);
  expect(await complete(txHash, next)).toEqual({ completed: [next], refused: [] });
  expect(await complete(txHash, large)).toEqual({ completed: [large], refused: [] });
  expect((await takenOf(txHash))[1]).toEqual([1, large]);
  expect((await takenOf(txHash)).map(([, id]) => id).sort()).toEqual([small, next, large].sort());
  expect(await movesOf(next)).toEqual([]);
});

test('so is a refund', async () => {
  const wallet = newWallet();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  const asked = { amount: 10, reason: 'Sold out.', destinationAddress: DESTINATION };
  const { id: refund } = await merchant.client.refunds.create(payment.id, asked);
  const large = await approved(wallet, 20);
  const txHash = await paid(send(DESTINATION, 1), send(wallet, 20));
  await lied([1, 0], txHash, refund);
  // Two at once: one of them moves it, and the other finds nothing.
  const twin = await approved(wallet, 20);
  const both = await Promise.all([complete(txHash, large), complete(txHash, twin)]);
  expect(both.flatMap(({ completed }) => completed)).toHaveLength(1);
  expect(both.flatMap(({ refused }) => refused)).toMatchObject([{ reason: 'tx_hash_used' }]);
  expect((await takenOf(txHash))[0]).toEqual([0, refund]);
  expect(await movesOf(refund)).toHaveLength(1);
});

test('several are moved, each after the one that has its place', async () => {
  const [one, two, three] = [newWallet(), newWallet(), newWallet()];
  const [first_, second_] = [await approved(one), await approved(two)];
  const large = await approved(three, 20);
  const txHash = await paid(send(one, 1), send(two, 1), send(three, 20));
  // The first one gets the second one's place, and that one the place of the large one.
  await lied([1, 0], txHash, first_);
  await lied([0, 2, 1], txHash, second_);
  expect(await takenOf(txHash)).toEqual([
    [1, first_],
    [2, second_],
  ]);
  expect(await complete(txHash, large)).toEqual({ completed: [large], refused: [] });
  expect(await takenOf(txHash)).toEqual([
    [0, first_],
    [1, second_],
    [2, large],
  ]);
});

test('while endpoints differ nothing is moved, and the refusal says when to try again', async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const [small, large] = [await approved(wallet), await approved(other, 20)];
  const txHash = await paid(send(wallet, 1), send(other, 20));
  await lied([1, 0], txHash, small);
  // The first one shows the large payout as it is, and the small one where it was.
  let asked = 0;
  first!.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    asked += 1;
    return asked === 1 ? undefined : { result: null };
  });
  await expect(admin.client.withdrawals.complete(large, { txHash })).rejects.toMatchObject({
    ...{ status: 409, reason: 'tx_hash_used', retryAfterSeconds: 5 },
    message: expect.stringMatching(new RegExp(`${small}.*Do not fail`)),
  });
  expect(await takenOf(txHash)).toEqual([[1, small]]);
  first!.honest();
  expect(await complete(txHash, large)).toMatchObject({ completed: [large] });
});

test('what an endpoint invented keeps a place until it is taken back, and the refusal names it', async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const [small, large] = [await approved(wallet), await approved(other, 20)];
  const txHash = await paid(send(other, 20));
  first!.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    const to = wallet.slice(2).toLowerCase();
    return { change: (found) => JSON.parse(JSON.stringify(found).replaceAll(other.slice(2).toLowerCase(), to)) };
  });
  expect(await complete(txHash, small)).toMatchObject({ completed: [small] });
  first!.honest();
  expect(await complete(txHash, large)).toMatchObject({
    refused: [{ reason: 'tx_hash_used', message: expect.stringMatching(new RegExp(`${small}.*Do not fail`)) }],
  });
  expect(await takenOf(txHash)).toEqual([[0, small]]);
  await desk.mine(5);
  await service.runJob('payouts.review');
  expect(await complete(txHash, large)).toMatchObject({ completed: [large] });
});

test('what has paid another payout pays no second one, whoever says so', async () => {
  const wallet = newWallet();
  const [large, twin, small] = [await approved(wallet, 20), await approved(wallet, 20), await approved(wallet)];
  const txHash = await paid(send(wallet, 20), send(wallet, 1));
  expect(await complete(txHash, large, small)).toMatchObject({ completed: [large, small] });
  const before = await takenOf(txHash);
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    reorder(order);
    expect(await complete(txHash, twin)).toMatchObject({ completed: [], refused: [{ id: twin }] });
    expect(await takenOf(txHash)).toEqual(before);
  }
  first!.honest();
  await admin.client.withdrawals.fail(twin, { reason: 'Not sent.' });
});

test('what no chain was asked about keeps what two endpoints show, where a large payout depends on that', async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const [small, large] = [await approved(wallet), await approved(other, 20)];
  const txHash = await paid(send(wallet, 1), send(other, 20));
  await service.set({ ...ASKED, verifyPayoutOnChain: false });
  expect(await complete(txHash, small)).toMatchObject({ completed: [small] });
  await service.set(ASKED);
  // First as it is, then the small payout at the place of the large one.
  let asked = 0;
  first!.lie(({ method }) => {
    if (method !== 'eth_getTransactionReceipt') return undefined;
    asked += 1;
    if (asked === 1) return undefined;
    return {
      change: (found) => {
        const { logs, ...receipt } = found as { readonly logs: readonly Log[] };
        return { ...receipt, logs: [1, 0].map((from, to) => ({ ...logs[from], logIndex: logs[to]!.logIndex })) };
      },
    };
  });
  await expect(admin.client.withdrawals.complete(large, { txHash })).rejects.toMatchObject({
    ...{ status: 409, reason: 'tx_hash_used', retryAfterSeconds: 5 },
  });
  first!.honest();
  expect(await complete(txHash, large)).toMatchObject({ completed: [large] });
});
