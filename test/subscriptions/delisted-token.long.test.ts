import { expect, test } from 'vitest';
import { createChains } from '../../src/chains/chains.ts';
import { rescan } from '../../src/chains/rescan.ts';
import { withUnlisted } from '../../src/chains/steps.ts';
import { withDatabase } from '../../src/db/database.ts';
import { proveNetworks } from '../../src/deployment/networks.ts';
import { KINDS } from '../../src/kinds.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Network } from '../../src/ports/chain.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';
import { listUnlistedSince } from '../../src/unlisted.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

/** A subscriber whose first charge is with the node, and the list without the token that it collects. */
async function openSending() {
  const { network: whole } = world;
  const subscriber = await openAuthorized(world, trader);
  await proveNetworks(world.db(), [whole], { chains: createChains(KINDS, [whole]), mode: 'sandbox' });
  await world.node.rpc('evm_setAutomine', [false]);
  await world.play('advance', 'tick', 'collect');
  await world.sendUnmined();
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'sending' });
  await world.node.rpc('evm_setAutomine', [true]);
  const token = whole.tokens.find(({ symbol }) => symbol === 'USDT')?.contract ?? '';
  const shorter = { ...whole, tokens: whole.tokens.filter(({ contract }) => contract !== token) };
  return { ...subscriber, whole, shorter, token };
}

const credits = (id: string) =>
  world
    .db()
    .selectFrom('credits')
    .innerJoin('payments', 'payments.id', 'credits.payment_id')
    .select(['credits.token', 'credits.amount_units', 'credits.canonical', 'payments.status'])
    .where('payments.subscription_id', '=', id)
    .execute();
const PAID = [{ token: 'USDT', amount_units: 25_000_000n, canonical: true, status: 'paid' }];

test('a charge that is mined after its token was taken off the list is credited once', async () => {
  const subscriber = await openSending();
  await world.stop();
  await world.start(subscriber.shorter);
  const delisted = () => world.db().selectFrom('delisted').select('contract').execute();
  expect(await delisted()).toEqual([{ contract: subscriber.token }]);
  await world.play('mine', 'see', 'send', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await credits(subscriber.id)).toEqual(PAID);
  await world.stop();
  await world.start(subscriber.whole);
  expect(await delisted()).toEqual([]);
  await world.play('mine', 'see', 'retry', 'settle', 'apply');
  expect(await credits(subscriber.id)).toEqual(PAID);
});

const collectedOf = ({ id }: { readonly id: string }) =>
  world
    .db()
    .selectFrom('collector_events')
    .select(['block_number', 'transfer_index'])
    .where('subscription_id', '=', id)
    .where('kind', '=', 'collected')
    .executeTakeFirstOrThrow();

/** Reads a block again as a process would whose list has neither the token nor the collector. */
async function readAgain(without: Network, height: bigint): Promise<void> {
  const db = world.db();
  const network = withUnlisted(without, await listUnlistedSince(db, without, after(new Date(), MINUTE_MS)));
  const reader = createChains(KINDS, [network]).kindOf(network).openReader(network);
  const matchers = [paymentMatcher, subscriptionMatcher];
  const range = { from: Number(height), to: Number(height) };
  await rescan({ db, network, reader, matchers, now: () => new Date(), tell: () => undefined }, range);
}

test('a collection whose block was read without its token is credited once after its block was read again', async () => {
  const beside = await openAuthorized(world, trader);
  const subscriber = await openSending();
  await world.play('mine', 'see');
  const { block_number: height, transfer_index: place } = await collectedOf(subscriber);
  expect((await collectedOf(beside)).block_number).toBe(height);
  // So an earlier release stored them: the other transfer of the transaction took the place of the one left out.
  const rewrite = (of: { readonly id: string }) =>
    world.db().updateTable('collector_events').where('subscription_id', '=', of.id).where('kind', '=', 'collected');
  await rewrite(subscriber).set({ transfer_index: null, recipient: null }).execute();
  await rewrite(beside).set({ transfer_index: place }).execute();
  await world.play('send', 'settle');
  const cure = `where its token was not listed, npx kasi rescan devnet ${height} ${height} finds it`;
  expect(world.faults.splice(0).join()).toContain(cure);
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await world.play('mine', 'mine', 'mine', 'see');

  await readAgain(subscriber.shorter, height);
  await world.play('settle', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  await readAgain(subscriber.shorter, height);
  await world.play('settle', 'apply', 'settle', 'retry');
  expect(await credits(subscriber.id)).toEqual(PAID);
  expect(await credits(beside.id)).toEqual(PAID);
  const incidents = world.db().selectFrom('incidents').select('resolved_at').where('kind', '=', 'subscription.parked');
  expect((await incidents.execute()).filter(({ resolved_at }) => resolved_at === null)).toEqual([]);
});

test('a collection that was missed is read again although its collector was replaced', async () => {
  const subscriber = await openSending();
  await world.play('mine', 'see');
  const missed = await collectedOf(subscriber);
  await withDatabase(world.database.ownerUrl, 'test', (owner) =>
    owner
      .deleteFrom('collector_events')
      .where('subscription_id', '=', subscriber.id)
      .where('number', '=', 1n)
      .execute(),
  );
  await world.play('mine', 'mine', 'mine', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await readAgain({ ...subscriber.whole, collector: null }, missed.block_number);
  await world.play('settle', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await credits(subscriber.id)).toEqual(PAID);
});
