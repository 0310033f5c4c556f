import type { Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { type Desk, TEN, together } from '../chains/payout-fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { LOGS, newWallet, payoutsOnChain } from '../support/payouts-on-chain.ts';
import { DESTINATION, PAYER, secretOf } from '../support/refunds.ts';
import type { ScriptedChain } from '../support/scripted-chain.ts';
import { WALLET } from '../support/withdrawals.ts';

/** What was paid, and refused because it fell short or seemed too early: following the refusals pays nothing twice. */
let desk: Desk;
let arrivals: ScriptedChain;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;

const { opened, approved, paid, send, complete, askedNothing, fail, takenOf } = payoutsOnChain();
beforeAll(() => {
  ({ desk, arrivals, service, merchant, admin } = opened());
});

const unasked = async (txHash: Hex, id: string) =>
  expect(await askedNothing(txHash, id)).toMatchObject({ completed: [id] });

test('what one of a batch is short of keeps none of the others from being completed', async () => {
  const [first, second, third] = [await approved(newWallet()), await approved(), await approved()];
  const { destinationAddress } = await admin.client.withdrawals.get(first);
  const txHash = await paid(send(destinationAddress!, TEN - 1n), send(WALLET, TEN), send(destinationAddress!, 0n));
  expect(await complete(txHash, first)).toMatchObject({
    refused: [{ reason: 'payout_too_small', message: expect.stringContaining('send the rest') }],
  });
  await unasked(txHash, first);
  expect(await complete(txHash, second)).toEqual({ completed: [second], refused: [] });
  // It keeps all that it got, and no more is said of it.
  const places = [LOGS, first] as const;
  expect(await takenOf(txHash)).toEqual([places, [LOGS + 1, second], [LOGS + 2, first]]);
  expect(await admin.client.withdrawals.get(first)).toMatchObject({ status: 'completed', txVerified: false });
  expect(await complete(txHash, third)).toMatchObject({ refused: [{ reason: 'tx_hash_used' }] });
  await fail(third);
});

test('of payouts to one address that are short each is completed by what its refusal says, and none is paid twice', async () => {
  const [first, second] = [await approved(), await approved()];
  const txHash = await paid(send(WALLET, TEN - 1n), send(WALLET, TEN - 1n));
  const { completed, refused } = await complete(txHash, first, second);
  const [left] = refused;
  expect([completed.length, left?.message]).toMatchObject([
    1,
    expect.stringContaining('what is missing of all that it paid there'),
  ]);
  await unasked(await paid(send(WALLET, 2n)), left!.id);
});

test('what comes back of two payouts is sent once, and completes the one, and their own transaction the other', async () => {
  const [first, second] = [await approved(desk.mirror), await approved(desk.mirror)];
  const returns = together(desk.mirror, [send(desk.puppet, TEN + 1n)]);
  const txHash = await paid(send(desk.mirror, TEN), send(desk.mirror, TEN), returns);
  const { refused } = await complete(txHash, first, second);
  expect(refused.map(({ message }) => message)).toEqual([
    expect.stringContaining('once for all that this transaction paid'),
    expect.stringContaining('with the one that sent what came back'),
  ]);
  await unasked(txHash, first);
  await unasked(await paid(send(desk.mirror, TEN + 1n)), second);
});

/** A refund that was paid to the address that its payer had named, who then names these; and what paid it. */
async function paidBefore(...named: readonly string[]) {
  const { payments, refunds } = merchant.client;
  const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await arrivals.transfer(payment, { amount: '25', from: PAYER.address });
  await service.runPaymentJobs();
  const made = await refunds.create(payment.id, { amount: 5, reason: 'Sold out.' });
  const name = (destinationAddress: string) =>
    service.client().public.refunds.claim(secretOf(made), { destinationAddress });
  await name(DESTINATION);
  const txHash = await paid(send(DESTINATION, TEN / 2n));
  const { timestamp } = await desk.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
  await arrivals.mine(1, new Date(Number(timestamp) * 1_000 + MINUTE_MS));
  for (const address of named) await name(address);
  return { id: made.id, txHash };
}

test('a payer who names the same address again makes nothing too early that was paid to it meanwhile', async () => {
  const same = await paidBefore(DESTINATION, DESTINATION.toLowerCase());
  expect(await complete(same.txHash, same.id)).toEqual({ completed: [same.id], refused: [] });
  const other = await paidBefore(newWallet(), DESTINATION);
  expect(await complete(other.txHash, other.id)).toMatchObject({ refused: [{ reason: 'payout_too_early' }] });
});
