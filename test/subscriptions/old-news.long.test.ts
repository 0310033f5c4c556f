import { expect, test } from 'vitest';
import { after, DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { findCurrentMandates } from '../../src/subscriptions/mandates/queries.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { insertCharge, put } from '../support/subscriptions.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise(5);

const clock = () => world.service().platform.clock;

test('a failed attempt included again in another block does not affect the next attempt, which is in flight', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance', 'tick', 'collect');
  await subscriber.empty();
  await world.play('send', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'failed', failureCode: 'insufficient_balance' });
  await subscriber.refill(100_000_000n);
  await world.play('see', 'settle', 'advance', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await controlChain(world.node.url).reorg(3, true);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await world.play('send', 'see', 'settle', 'mine', 'mine');
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await subscriber.eventTypes()).toEqual(['created', 'charge_failed', 'past_due', 'activated']);
});

/** A subscriber whose collection a reorg dropped for good, because another transaction took its nonce. */
async function openReverted(of: Trader, plan: Parameters<typeof openAuthorized>[2] = {}) {
  const subscriber = await openAuthorized(world, of, plan);
  await world.charge();
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  await world.drop(1);
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  expect(await subscriber.row()).toMatchObject({ charge: 'in_flight' });
  return subscriber;
}

/** Collects the charges that a reorg deferred by a minute. */
async function collectLater(): Promise<void> {
  const db = world.db();
  await db.updateTable('charges').set({ due_at: clock().now() }).where('status', '=', 'due').execute();
  await world.play('advance', 'tick', 'collect', 'advance');
}

test('a charge dropped by a reorg is void when the subscription was cancelled meanwhile', async () => {
  const subscriber = await openReverted(trader);
  await trader.client.subscriptions.cancel(subscriber.id);
  await collectLater();
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  expect(await subscriber.row()).toMatchObject({ status: 'cancelled', cancel_reason: 'requested', charge: 'none' });
});

test('a charge dropped by a reorg waits for a frozen merchant, and is cancelled with a terminated one', async () => {
  const merchant = await world.openTrader();
  const subscriber = await openReverted(merchant);
  await world.decide(merchant.id, { kind: 'freeze', reason: 'a look' });
  await collectLater();
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  expect(await subscriber.row()).toMatchObject({ charge: 'none', paused_since: expect.any(Date) });
  await world.decide(merchant.id, { kind: 'unfreeze', reason: null });
  await world.play('advance');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });

  const closing = await openReverted(merchant);
  await world.decide(merchant.id, { kind: 'terminate', reason: 'a look' });
  await collectLater();
  expect(await closing.row()).toMatchObject({ status: 'cancelled', cancel_reason: 'merchant_terminated' });
});

test('a charge in rupees dropped by a reorg collects the amount of its payment again', async () => {
  await world.setRates({ 'USD/LKR': '240' });
  const subscriber = await openReverted(trader, { amount: 3000, currency: 'LKR' });
  await world.setRates({ 'USD/LKR': '250' });
  await collectLater();
  await world.play('send', 'see', 'settle', 'mine', 'mine');
  await world.confirm();
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ status: 'succeeded', tokenAmount: '12.500000' });
  expect(await trader.client.payments.get(charge.paymentId!)).toMatchObject({ status: 'paid', exception: null });
  await world.setRates({ 'USD/LKR': '300' });
});

test('a charge in rupees keeps the rate of the try that collected it, in what it shows and after a reorg', async () => {
  await world.setRates({ 'USD/LKR': '250' });
  const subscriber = await openAuthorized(world, trader, { amount: 3000, currency: 'LKR' });
  await subscriber.empty();
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'failed', tokenAmount: '12.000000' });
  await subscriber.refill(100_000_000n);
  // As bytes of an earlier try do that a reorg brings into another block.
  await world.collectUnseen(subscriber.id, 1, 12_500_000n);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming', tokenAmount: '12.500000' });
  await world.drop(1);
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  await trader.client.subscriptions.retry(subscriber.id);
  await world.play('advance', 'tick', 'collect', 'send', 'see', 'settle', 'mine', 'mine');
  await world.confirm();
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ status: 'succeeded', tokenAmount: '12.500000' });
  expect(await trader.client.payments.get(charge.paymentId!)).toMatchObject({ status: 'paid', exception: null });
  expect(await subscriber.read()).toMatchObject({ status: 'active' });
  await world.setRates({ 'USD/LKR': '300' });
});

test('who has revoked is asked for as much as the payment of a charge asks that a reorg dropped, whatever the rate is by now', async () => {
  await world.setRates({ 'USD/LKR': '240' });
  const subscriber = await openReverted(trader, { amount: 3000, currency: 'LKR' });
  await world.setRates({ 'USD/LKR': '400' });
  await subscriber.revoke();
  await world.play('see', 'settle');
  await subscriber.sign();
  await world.authorize();
  // Until the former bytes can't be mined any more.
  const live = world.db().selectFrom('operator_transactions').select('id').where('status', '=', 'sent');
  const countLive = async () => {
    await world.play('mine', 'see', 'send');
    return (await live.execute()).length;
  };
  await expect.poll(countLive).toBe(0);
  await collectLater();
  await world.play('send', 'see', 'settle', 'mine', 'mine');
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded', tokenAmount: '12.500000' });
  await world.setRates({ 'USD/LKR': '300' });
});

test('a window that our clock reaches before the chain does is not polled continuously', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'weekly' });
  await world.charge();
  await world.play('mine', 'mine');
  await world.confirm();
  const [db, { now }] = [world.db(), clock()];
  const due = { number: 2, status: 'due', dueAt: now(), attempts: 0, lastAttemptAt: null, failureCode: null } as const;
  await insertCharge(db, subscriber.id, now(), { ...due, periodStart: now() });
  await put(db, subscriber.id, { charge: 'due' });
  await world.play('tick');
  const { start, period } = (await findCurrentMandates(db, [subscriber.id])).get(subscriber.id)!;
  await moveClock(db, clock(), new Date((start + period + 60) * 1000));
  await expect.poll(() => now().getTime()).toBeGreaterThan((start + period) * 1000);
  await world.play('collect');
  const { dueAt } = await subscriber.charge();
  expect(new Date(dueAt!).getTime()).toBeGreaterThanOrEqual(after(now(), MINUTE_MS / 2).getTime());
  expect(new Date(dueAt!).getTime()).toBeLessThan(after(now(), DAY_MS).getTime());
});
