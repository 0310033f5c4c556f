import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
const now = () => world.service().platform.clock.now();

test('who agrees just before the first day ends pays for a day from then on, and not twice', async () => {
  const subscriber = await openSubscriber(world, trader, { interval: 'daily' }, { sign: false });
  const { currentPeriodEnd: subscribedUntil } = await subscriber.read();
  await world.advance(DAY_MS - 10 * MINUTE_MS);
  const before = now();
  await subscriber.sign();
  await world.authorize();
  await world.charge();
  await world.confirm();
  const first = await subscriber.read();
  expect(first).toMatchObject({ status: 'active', mandateStatus: 'active' });
  expect(+new Date(first.currentPeriodStart)).toBeGreaterThan(+before - MINUTE_MS);
  expect(new Date(first.currentPeriodEnd)).toEqual(after(new Date(first.currentPeriodStart), DAY_MS));
  const [charge] = await subscriber.charges();
  expect(charge).toMatchObject({ number: 1, status: 'succeeded' });
  expect([charge?.periodStart, charge?.periodEnd]).toEqual([first.currentPeriodStart, first.currentPeriodEnd]);

  await world.advance(HOUR_MS);
  expect(+now()).toBeGreaterThan(+new Date(subscribedUntil));
  await world.charge();
  expect(await subscriber.charges()).toHaveLength(1);
  await world.advance(DAY_MS - HOUR_MS);
  await world.charge();
  await world.confirm();
  expect((await subscriber.charges()).map(({ number, status }) => [number, status])).toEqual([
    [2, 'succeeded'],
    [1, 'succeeded'],
  ]);
});

test('a first charge that waited for its merchant is for a period that begins when it may collect again', async () => {
  const shop = await world.openTrader();
  const subscriber = await openAuthorized(world, shop, { interval: 'daily' });
  await world.play('advance');
  const ordered = await subscriber.charge();
  expect(ordered).toMatchObject({ number: 1, status: 'due' });
  await world.decide(shop.id, { kind: 'freeze', reason: 'odd payments' });
  await world.advance(HOUR_MS);
  await world.play('advance', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  await world.advance(22 * HOUR_MS);
  await world.decide(shop.id, { kind: 'unfreeze', reason: null });
  await world.charge();
  await world.confirm();
  const paid = await subscriber.charge();
  expect(paid).toMatchObject({ id: ordered.id, number: 1, status: 'succeeded' });
  expect(+new Date(paid.periodStart) - +new Date(ordered.periodStart)).toBeGreaterThan(22 * HOUR_MS);
  const { currentPeriodStart, currentPeriodEnd } = await subscriber.read();
  expect([currentPeriodStart, currentPeriodEnd]).toEqual([paid.periodStart, paid.periodEnd]);
});

test('a first charge that a lost database had sent after a pause pays for a period from then on', async () => {
  const shop = await world.openTrader();
  const subscriber = await openAuthorized(world, shop, { interval: 'daily' });
  await world.play('advance');
  await world.decide(shop.id, { kind: 'freeze', reason: 'odd payments' });
  await world.play('advance', 'collect', 'advance');
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  await world.advance(23 * HOUR_MS);
  const before = now();
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see', 'settle');
  await world.confirm();
  await world.decide(shop.id, { kind: 'unfreeze', reason: null });
  const paid = await subscriber.charge();
  expect(paid).toMatchObject({ number: 1, status: 'succeeded' });
  const { currentPeriodStart, currentPeriodEnd } = await subscriber.read();
  expect([currentPeriodStart, currentPeriodEnd]).toEqual([paid.periodStart, paid.periodEnd]);
  expect(+new Date(currentPeriodStart)).toBeGreaterThan(+before - MINUTE_MS);
  await world.advance(2 * HOUR_MS);
  await world.charge();
  expect(await subscriber.charges()).toHaveLength(1);
});

test('a first charge that a reorg took, and that is mined again in a pause, pays for a period from then on', async () => {
  const shop = await world.openTrader();
  const subscriber = await openAuthorized(world, shop, { interval: 'daily' });
  await world.charge();
  const sent = await subscriber.charge();
  await world.drop(1);
  await world.play('mine', 'see', 'settle');
  await world.decide(shop.id, { kind: 'freeze', reason: 'odd payments' });
  await world.advance(2 * MINUTE_MS);
  await world.play('advance', 'collect', 'advance');
  await world.advance(23 * HOUR_MS);
  await world.resend();
  await world.confirm();
  await world.decide(shop.id, { kind: 'unfreeze', reason: null });
  const paid = await subscriber.charge();
  expect(paid).toMatchObject({ id: sent.id, number: 1, status: 'succeeded', txHash: sent.txHash });
  expect(+new Date(paid.periodStart) - +new Date(sent.periodStart)).toBeGreaterThan(HOUR_MS);
  expect((await subscriber.read()).currentPeriodEnd).toBe(paid.periodEnd);
});

test('a first charge that is collected after the end promises nothing until it is confirmed, and then its period', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'daily' });
  await world.play('advance');
  const { currentPeriodEnd: unpaidUntil } = await trader.client.subscriptions.cancel(subscriber.id);
  await world.advance(DAY_MS - 10 * MINUTE_MS);
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'confirming' });
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled', currentPeriodEnd: unpaidUntil });
  await world.drop(1);
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled', currentPeriodEnd: unpaidUntil });

  // Its end comes before it is confirmed.
  await world.advance(HOUR_MS);
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see', 'settle', 'advance');
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled', currentPeriodEnd: unpaidUntil });
  // However long its network takes: here it has stood still for the day in which a charge may come back.
  const late = world.db().updateTable('subscriptions').where('id', '=', subscriber.id);
  await late.set({ next_action_at: now() }).execute();
  await world.play('advance');
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled', currentPeriodEnd: unpaidUntil });
  await world.confirm();
  const paid = await subscriber.charge();
  expect(paid).toMatchObject({ number: 1, status: 'succeeded' });
  const { status, currentPeriodStart, currentPeriodEnd } = await subscriber.read();
  expect([status, currentPeriodStart, currentPeriodEnd]).toEqual(['cancelled', paid.periodStart, paid.periodEnd]);
  expect(+new Date(currentPeriodEnd) - +new Date(unpaidUntil)).toBeGreaterThan(23 * HOUR_MS);
});

test('a cancellation says that a charge still counts which was given up and is being confirmed', async () => {
  const shop = await world.openTrader();
  const subscriber = await openAuthorized(world, shop, { interval: 'daily' });
  await world.play('advance');
  await world.decide(shop.id, { kind: 'freeze', reason: 'odd payments' });
  await world.play('advance', 'collect', 'advance');
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'confirming' });
  await world.decide(shop.id, { kind: 'unfreeze', reason: null });
  const { message, currentPeriodEnd } = await shop.client.subscriptions.cancel(subscriber.id);
  expect(message).toContain('A charge that was sent before still counts');
  await world.confirm();
  const { periodEnd } = await subscriber.charge();
  expect(+new Date(periodEnd)).toBeGreaterThanOrEqual(+new Date(currentPeriodEnd));
  expect((await subscriber.read()).currentPeriodEnd).toBe(periodEnd);
});
