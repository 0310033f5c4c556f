import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SilentNetworkError } from '../../src/chains/silent-network.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Network, Token } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import { DESTINATION, secretOf } from '../support/refunds.ts';
import { compareOn, heldOn, openNode, sweepTo, type WatchedNode } from './two-networks-fixture.ts';

const USDC = 1_000_000n;

let [asked, other] = [] as unknown as [WatchedNode, WatchedNode];
let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  asked = await openNode('base', 8_453);
  other = await openNode('polygon', 137);
  // The other network is out of reach while payments are made: they do not offer it, and it is watched all the same.
  const check = async ({ name }: Network): Promise<void> => {
    if (name === 'polygon') throw new SilentNetworkError(name, 'connection refused');
  };
  const networkChecks = { check, silent: new Map([['polygon', 'connection refused']]) };
  const networks = [asked.network, other.network];
  service = await startService({ composed: { kinds: KINDS, networks, networkChecks } });
  service.clock.set(new Date()); // The nodes' blocks bear the time of their making.
  merchant = await service.activeMerchant();
  for (const node of [asked, other]) await node.watch(service, networks);
});
afterAll(async () => {
  await asked.close();
  await other.close();
  await service.close();
});

const tokenOf = ({ network }: WatchedNode): Token => network.tokens.find(({ symbol }) => symbol === 'USDC')!;
/** Pays on a network, and lets the service read it and apply what it saw. */
async function pay(node: WatchedNode, to: string, units: bigint): Promise<void> {
  await node.faucet.transfer({ token: tokenOf(node), to: getAddress(to), units });
  await node.node.rpc('anvil_mine', [2]);
  await node.scan();
  await service.runPaymentJobs();
  await service.runPaymentJobs(); // Once applied, it is confirmed.
}

test('what was paid on another network than the payment asked for is shown, swept there, and credited when accepted', async () => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDC'] });
  expect(payment.options.map(({ token, network }) => `${token} ${network}`)).toEqual(['USDC base']);

  await pay(other, payment.cryptoAddress, 25n * USDC);
  const shown = await merchant.client.payments.get(payment.id);
  expect(shown).toMatchObject({ status: 'initiated', exception: 'wrong_token', amountReceived: 0, amountDue: 25 });
  expect(shown.transactions).toMatchObject([
    { network: 'polygon', token: 'USDC', amount: '25.000000', value: 25, astray: 'network' },
  ]);

  const { data: story } = await merchant.client.payments.timeline(payment.id);
  const text = '25 USDC arrived on polygon; this payment takes USDC on base. It is not counted';
  expect(story.map((each) => each.text)).toContainEqual(expect.stringContaining(text));

  expect(await sweepTo(service.db, other, 'USDC', service.clock.now())).toEqual([
    { payment_id: payment.id, outcome: 'moved' },
  ]);
  expect(await heldOn(other, tokenOf(other), other.network.treasury)).toBe(25n * USDC);
  expect(await compareOn(service.db, other, service.clock.now())).toEqual([]);

  // Nothing of it is credited before the merchant has decided.
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 0, suspense: 25 });
  await expect(merchant.client.payments.resolve(payment.id, { action: 'accept' })).rejects.toMatchObject({
    ...{ status: 409, message: expect.stringContaining('cancel it, then decide') },
  });
  await merchant.client.payments.cancel(payment.id);
  await merchant.client.payments.resolve(payment.id, { action: 'accept' });
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'expired', exception: null });
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 25, suspense: 0 });
});

test('what was paid on another network goes back there, and no transfer on the network that was asked for pays it', async () => {
  const admin = await service.admin();
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDC'] });
  await pay(asked, payment.cryptoAddress, 25n * USDC);
  await pay(other, payment.cryptoAddress, 10n * USDC);
  const before = await merchant.client.settlements.balance();
  const shown = await merchant.client.payments.get(payment.id);
  expect(shown).toMatchObject({ status: 'paid', exception: 'wrong_token', amountReceived: 25 });

  const resolved = await merchant.client.payments.resolve(payment.id, { action: 'refund', reason: 'Wrong network.' });
  const made = resolved.refundsMade[0]!;
  expect(resolved.refundsMade).toMatchObject([
    { token: 'USDC', network: 'polygon', amount: 10, tokenAmount: '10.000000' },
  ]);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'paid', exception: null });
  await service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });

  const send = async (node: WatchedNode): Promise<string> => {
    const { txHash } = await node.faucet.transfer({ token: tokenOf(node), to: DESTINATION, units: 10n * USDC });
    await node.node.rpc('anvil_mine', [2]);
    return txHash;
  };
  const elsewhere = await send(asked);
  await expect(admin.client.refunds.complete(made.id, { txHash: elsewhere })).rejects.toMatchObject({
    ...{ status: 409, reason: 'payout_not_found' },
  });
  const txHash = await send(other);
  expect(await admin.client.refunds.complete(made.id, { txHash })).toMatchObject({
    ...{ status: 'completed', network: 'polygon', txHash, txVerified: true },
  });
  expect(await merchant.client.settlements.balance()).toMatchObject({
    ...{ availableBalance: before.availableBalance, suspense: before.suspense - 10, heldBalance: 0 },
  });
  expect((await reconcile(service.db)).findings).toEqual([]);
});

test('what lies on two networks goes back in two refunds, each on its own', async () => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDC'] });
  await pay(asked, payment.cryptoAddress, 5n * USDC);
  await pay(other, payment.cryptoAddress, 10n * USDC);
  await merchant.client.payments.cancel(payment.id);
  const ask = { action: 'refund', reason: 'Sold out.' } as const;
  const { refundsMade, exception } = await merchant.client.payments.resolve(payment.id, ask);
  expect(refundsMade.map(({ network, amount }) => [network, amount])).toEqual([
    ['polygon', 10],
    ['base', 5],
  ]);
  expect(exception).toBeNull();
});
