import { expect, test } from 'vitest';
import { resolveUnseen } from '../../src/incidents/prune.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
const incident = () =>
  world
    .db()
    .selectFrom('incidents')
    .select(['subject', 'message', 'count', 'resolved_at'])
    .where('kind', '=', 'subscription.network')
    .orderBy('id', 'desc')
    .executeTakeFirst();
const endUnseen = () => resolveUnseen(world.db(), world.service().platform.clock.now());

test('what is due on a network that has lost its collector waits with an incident, and is collected afterwards', async () => {
  const subscriber = await openAuthorized(world, trader);
  const { network } = world;
  await world.stop();
  await world.start({ ...network, collector: null });
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'due', failureCode: 'network_unavailable', attempts: [] });
  expect(await incident()).toMatchObject({
    subject: network.name,
    message: expect.stringContaining('no `collector`'),
    resolved_at: null,
  });
  await world.stop();
  await world.start();
  await world.advance(5 * MINUTE_MS);
  await world.charge();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded', failureCode: null });
  expect((await incident())?.resolved_at).not.toBeNull();
});

test('a first charge that can not be sent for days pays for a period that begins when it is sent, and for no other', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'daily' });
  const { network } = world;
  await world.stop();
  await world.start({ ...network, collector: null });
  await world.play('advance', 'tick', 'collect');
  const ordered = await subscriber.charge();
  const waits: number[] = [];
  for (let day = 0; day < 3; day += 1) {
    await world.advance(DAY_MS);
    await world.play('advance', 'collect');
    const now = world.service().platform.clock.now();
    waits.push(+new Date((await subscriber.charge()).dueAt ?? 0) - +now);
  }
  expect(await subscriber.charges()).toMatchObject([
    { id: ordered.id, status: 'due', periodStart: ordered.periodStart },
  ]);
  expect(Math.min(...waits), 'it is asked about seldom by then').toBeGreaterThan(59 * MINUTE_MS);
  await world.stop();
  await world.start();
  await world.advance(HOUR_MS);
  const before = world.service().platform.clock.now();
  await world.charge();
  await world.confirm();
  await world.charge();
  const charges = await subscriber.charges();
  expect(charges).toMatchObject([{ id: ordered.id, number: 1, status: 'succeeded' }]);
  const { currentPeriodStart, currentPeriodEnd } = await subscriber.read();
  expect([currentPeriodStart, currentPeriodEnd]).toEqual([charges[0]?.periodStart, charges[0]?.periodEnd]);
  expect(+new Date(currentPeriodStart)).toBeGreaterThan(+before - MINUTE_MS);
  expect(+new Date(currentPeriodEnd) - +new Date(currentPeriodStart)).toBe(DAY_MS);
});

test('a first charge that waited for days, and then finds no money, is retried for a whole period that begins then', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'daily' });
  const { network } = world;
  await subscriber.empty();
  await world.stop();
  await world.start({ ...network, collector: null });
  await world.play('advance', 'tick', 'collect');
  await world.advance(2 * DAY_MS + 23 * HOUR_MS);
  await world.play('advance', 'collect');
  await world.stop();
  await world.start();
  await world.advance(HOUR_MS);
  const before = world.service().platform.clock.now();
  await world.charge();
  const owed = await subscriber.charge();
  expect(owed).toMatchObject({ number: 1, status: 'failed', failureCode: 'insufficient_balance' });
  expect(+new Date(owed.periodStart)).toBeGreaterThan(+before - MINUTE_MS);
  await world.advance(7 * HOUR_MS);
  await subscriber.refill(100_000_000n);
  await world.play('see', 'settle');
  await world.charge();
  await world.confirm();
  expect(await subscriber.charges()).toMatchObject([{ id: owed.id, status: 'succeeded', periodEnd: owed.periodEnd }]);
  const { status, currentPeriodStart, currentPeriodEnd } = await subscriber.read();
  expect([status, currentPeriodStart, currentPeriodEnd]).toEqual(['active', owed.periodStart, owed.periodEnd]);
  await trader.client.subscriptions.cancel(subscriber.id);
});

test('a deadline for agreeing that passes on a network without a collector leaves its customer a day afterwards', async () => {
  const subscriber = await openSubscriber(world, trader, {}, { sign: false });
  const { network } = world;
  await world.stop();
  await world.start({ ...network, collector: null });
  await world.advance(3 * DAY_MS + HOUR_MS);
  await world.play('advance');
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'pending', cancelReason: null });
  expect(await incident()).toMatchObject({
    message: expect.stringContaining('customers can not agree'),
    resolved_at: null,
  });
  // The deadline is a day away now, and nothing is due before. It is the same trouble all the same. Moving the clock
  // runs the jobs where something is due on the way, and an incident is renewed after a quarter of an hour.
  for (let times = 0; times < 5; times += 1) {
    await world.advance(40 * MINUTE_MS);
    await world.play('advance', 'report');
    await endUnseen();
    expect(await incident()).toMatchObject({ resolved_at: null });
  }
  await world.stop();
  await world.start();
  await world.advance(2 * HOUR_MS);
  await world.play('advance', 'report');
  await endUnseen();
  expect((await incident())?.resolved_at).not.toBeNull();
  await subscriber.sign();
  await world.authorize();
  await world.charge();
  await world.confirm();
  expect(await subscriber.charges()).toMatchObject([{ number: 1, status: 'succeeded' }]);
});

test('an incident tells of customers who have to agree on a network without its collector before anything is due', async () => {
  const subscriber = await openSubscriber(world, trader, { trialDays: 60 }, { sign: false });
  const { network } = world;
  await world.advance(HOUR_MS);
  await world.stop();
  await world.start({ ...network, collector: null });
  await expect(trader.client.public.subscriptions.get(subscriber.id)).rejects.toMatchObject({ status: 503 });
  await world.play('advance', 'report');
  expect(await incident()).toMatchObject({
    ...{ subject: network.name, resolved_at: null, count: 1 },
    message: expect.stringContaining('customers can not agree'),
  });
  // However often they come, and the job looks.
  await expect(trader.client.public.subscriptions.get(subscriber.id)).rejects.toMatchObject({ status: 503 });
  await world.advance(2 * MINUTE_MS);
  await world.play('report', 'report');
  expect(await incident()).toMatchObject({ count: 1 });
  await trader.client.subscriptions.cancel(subscriber.id);
  await world.advance(HOUR_MS + MINUTE_MS);
  await world.play('report');
  await endUnseen();
  expect((await incident())?.resolved_at).not.toBeNull();
  await world.stop();
  await world.start();
});
