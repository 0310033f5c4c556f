import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { makeDue, openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
/** Blocks that hold a collection and what confirms it. */
const CONFIRMED = 4;
/** The events of a first charge that succeeded. */
const PAID = ['created', 'activated'];
/** A subscription that owes nothing. */
const REGULAR = { status: 'active', charge: 'none', recharge: null };

const balance = () => trader.client.settlements.balance();
const findings = async () => (await reconcile(world.db())).findings.map(({ rule, subject }) => `${rule} ${subject}`);

const openIncidents = async () => {
  const open = world.db().selectFrom('incidents').select('kind').where('resolved_at', 'is', null);
  return (await open.where('kind', '<>', 'subscription.network').execute()).map(({ kind }) => kind);
};

type Subscriber = Awaited<ReturnType<typeof openAuthorized>>;

/** A subscriber whose first charge has succeeded, with the contracts and the agreement deeper than any reorg below. */
async function openPaid(plan: Parameters<typeof openAuthorized>[2] = {}): Promise<Subscriber> {
  const subscriber = await openAuthorized(world, trader, plan);
  await world.play('mine', 'mine', 'mine', 'mine', 'see');
  await world.charge();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  return subscriber;
}

/** The block of the first collection from a subscriber. */
async function firstCollected({ id }: Subscriber): Promise<bigint> {
  const events = world.db().selectFrom('collector_events').select('block_number').where('subscription_id', '=', id);
  const { block_number } = await events.where('kind', '=', 'collected').orderBy('id').executeTakeFirstOrThrow();
  return block_number;
}

/** Until when the customer's page says that is paid. */
const paidUntil = async ({ id }: Subscriber) => (await world.client().public.subscriptions.get(id)).paidUntil;

/** Collects again by another transaction what a reorg took. */
async function collectAnew(): Promise<void> {
  await makeDue(world);
  await world.play('advance', 'tick', 'collect', 'send', 'send', 'see', 'settle');
  await world.confirm();
  await world.confirm();
}

test('a charge that a deep reorg took back is collected again, once, by the bytes that collected it', async () => {
  const subscriber = await openPaid();
  const before = await balance();
  const { id, paymentId, txHash, periodEnd } = await subscriber.charge();
  expect(await paidUntil(subscriber)).toBe(periodEnd);
  await world.drop(CONFIRMED);
  await world.play('see', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'due', reversedAt: expect.any(String) });
  expect(await paidUntil(subscriber)).toBeNull();
  expect(await trader.client.payments.get(paymentId!)).toMatchObject({ status: 'paid', amountReceived: 0 });
  expect(await findings()).toEqual([]);

  await world.play('send', 'send', 'see', 'settle');
  await world.confirm();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ id, status: 'succeeded', paymentId, txHash, reversedAt: null });
  expect(await paidUntil(subscriber)).toBe(periodEnd);
  expect(await trader.client.payments.get(paymentId!)).toMatchObject({ status: 'paid', amountReceived: 25 });
  expect(await balance()).toEqual(before);
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2, period_number: 1 });
  expect(await subscriber.eventTypes()).toEqual([...PAID, 'charge_reversed', 'charge_recovered']);
  expect(await openIncidents()).toEqual([]);
  expect(await findings()).toEqual([]);
});

test('a charge whose transaction can not come back is collected by another, with a retry while the wallet is empty', async () => {
  const subscriber = await openPaid();
  const before = await balance();
  const { id, paymentId, txHash } = await subscriber.charge();
  await world.drop(CONFIRMED);
  await world.spendNonce();
  await subscriber.empty();
  await world.play('see', 'apply', 'settle', 'send', 'send', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'due' });
  await makeDue(world);
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'failed', failureCode: 'insufficient_balance' });
  expect(await subscriber.row()).toMatchObject({ status: 'past_due', recharge: 1 });
  await subscriber.refill(100_000_000n);
  await world.play('see', 'settle', 'advance', 'tick', 'collect', 'send', 'send', 'see', 'settle');
  await world.confirm();
  await world.confirm();
  const after = await subscriber.charge();
  expect(after).toMatchObject({ id, status: 'succeeded', paymentId, reversedAt: null });
  expect(after.txHash).not.toBe(txHash);
  expect(await balance()).toEqual(before);
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2 });
  const story = ['charge_reversed', 'charge_failed', 'past_due', 'charge_recovered'];
  expect(await subscriber.eventTypes()).toEqual([...PAID, ...story]);
  expect(await openIncidents()).toEqual([]);
  expect(await findings()).toEqual([]);
});

/** Takes a payment's newest transfer back as `payments.second` does though the scanned chain has it; or returns it. */
const takeBack = (paymentId: string, canonical = false) =>
  world
    .db()
    .updateTable('credits')
    .set({ canonical, applied_at: null, parked_at: null, failure: null, seconded_at: null, final_at: null })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('credits')
        .select((ids) => ids.fn.max('id').as('id'))
        .where('payment_id', '=', paymentId),
    )
    .execute();

test('a charge taken back while its collection still stands is not collected again, and the next period is due', async () => {
  const subscriber = await openPaid();
  const { paymentId } = await subscriber.charge();
  const { next_action_at } = await subscriber.row();
  await takeBack(paymentId!);
  await world.play('apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'void', reversedAt: expect.any(String) });
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2, next_action_at });
  expect(await findings()).toEqual([]);

  await takeBack(paymentId!, true);
  await world.play('apply', 'settle');
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded', reversedAt: null });
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2, next_action_at });
  expect(await subscriber.eventTypes()).toEqual([...PAID, 'charge_reversed', 'charge_recovered']);
  expect(await findings()).toEqual([]);
});

test('a charge that is collected again and taken back again, while that collection stands, lets its subscription go on', async () => {
  const subscriber = await openPaid();
  const { id, paymentId } = await subscriber.charge();
  await world.drop(CONFIRMED);
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  await makeDue(world);
  await world.play('advance', 'tick', 'collect', 'send', 'send', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'confirming', reversedAt: expect.any(String) });
  expect(await subscriber.row()).toMatchObject({ recharge: 1, charge: 'in_flight' });
  await world.play('apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  await takeBack(paymentId!);
  await world.play('apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'void', reversedAt: expect.any(String) });
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2 });
  expect(await findings()).toEqual([]);

  await takeBack(paymentId!, true);
  await world.play('apply', 'settle');
  await world.confirm();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ id, status: 'succeeded', reversedAt: null });
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 2 });
  expect(await subscriber.eventTypes()).toEqual([...PAID, 'charge_reversed', 'charge_recovered']);
  expect(await findings()).toEqual([]);
});

test('two periods that one reorg took back are collected again one after the other, before the next', async () => {
  const subscriber = await openPaid({ interval: 'daily' });
  const before = await balance();
  await world.advance(DAY_MS);
  await world.charge();
  await world.confirm();
  expect((await subscriber.charges()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  const { height } = await world.db().selectFrom('chain_cursors').select('height').executeTakeFirstOrThrow();
  await world.drop(Number(height - (await firstCollected(subscriber))) + 1);
  await world.spendNonce();
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  expect((await subscriber.charges()).map(({ status }) => status)).toEqual(['void', 'due']);
  expect(await subscriber.row()).toMatchObject({ recharge: 1, next_number: 3 });
  expect(await findings()).toEqual([]);
  expect(await paidUntil(subscriber)).toBeNull();
  const ends = Object.fromEntries((await subscriber.charges()).map((each) => [each.number, each.periodEnd]));
  for (const [paid, recharge] of [
    [1, 2],
    [2, null],
  ] as const) {
    await collectAnew();
    expect(await subscriber.row()).toMatchObject({ recharge });
    expect(await paidUntil(subscriber)).toBe(ends[paid]);
  }
  expect((await subscriber.charges()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect((await balance()).availableBalance).toBeCloseTo(before.availableBalance + 25, 6);
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 3, period_number: 2 });
  const story = ['renewed', 'charge_reversed', 'charge_reversed', 'charge_recovered', 'charge_recovered'];
  expect(await subscriber.eventTypes()).toEqual([...PAID, ...story]);
  expect(await findings()).toEqual([]);
});

test('the first of two periods that one reorg took back is retried once its wallet can pay again', async () => {
  const subscriber = await openPaid({ interval: 'daily' });
  await world.advance(DAY_MS);
  await world.charge();
  await world.confirm();
  const { height } = await world.db().selectFrom('chain_cursors').select('height').executeTakeFirstOrThrow();
  const first = await firstCollected(subscriber);
  const sent = world.db().selectFrom('operator_transactions').select('id').where('block_number', '>=', first);
  const dropped = await sent.execute();
  await world.drop(Number(height - first) + 1);
  for (const _ of dropped) await world.spendNonce();
  await subscriber.empty();
  await world.play('see', 'apply', 'settle');
  await makeDue(world);
  await world.play('advance', 'tick', 'collect');
  expect((await subscriber.charges()).map(({ status }) => status)).toEqual(['void', 'failed']);
  expect(await subscriber.row()).toMatchObject({ status: 'past_due', recharge: 1, next_number: 3 });
  await subscriber.refill(100_000_000n);
  await world.play('see', 'settle');
  await collectAnew();
  await collectAnew();
  expect((await subscriber.charges()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(await subscriber.row()).toMatchObject({ ...REGULAR, next_number: 3 });
  expect(await openIncidents()).toEqual([]);
  expect(await findings()).toEqual([]);
});

test('a charge taken back before the scanner saw its block go is collected again once it has', async () => {
  const subscriber = await openPaid();
  const { id, paymentId } = await subscriber.charge();
  await takeBack(paymentId!);
  await world.play('apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  await world.drop(CONFIRMED);
  await world.spendNonce();
  await world.play('see', 'settle', 'settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'due' });
  expect(await subscriber.row()).toMatchObject({ recharge: 1 });
  await collectAnew();
  expect(await subscriber.charge()).toMatchObject({ id, status: 'succeeded', reversedAt: null });
  expect(await subscriber.row()).toMatchObject(REGULAR);
  expect(await findings()).toEqual([]);
});

test('of a cancelled subscription nothing new is sent, and what comes back by itself counts', async () => {
  const subscriber = await openPaid();
  const before = await balance();
  const { currentPeriodEnd } = await subscriber.read();
  await trader.client.subscriptions.cancel(subscriber.id);
  await world.drop(CONFIRMED);
  await world.play('see', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'void', reversedAt: expect.any(String) });
  expect(await findings()).toEqual([]);
  await world.play('send', 'send', 'see', 'settle');
  await world.confirm();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded', reversedAt: null });
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled', currentPeriodEnd });
  expect(await balance()).toEqual(before);
  expect(await subscriber.eventTypes()).toEqual([...PAID, 'cancelled', 'charge_reversed', 'charge_recovered']);
  expect(await findings()).toEqual([]);
});

test('what a reorg took of a renewal comes back after its customer cancelled, and gives its period', async () => {
  const subscriber = await openPaid({ interval: 'daily' });
  // Else the clock would play all of it.
  await world.pause(true);
  await world.advance(DAY_MS);
  await world.pause(false);
  await makeDue(world);
  await world.play('advance', 'tick', 'collect', 'send', 'see');
  await world.play('settle');
  expect(await subscriber.charge()).toMatchObject({ number: 2, status: 'confirming' });
  await world.drop(1);
  await world.pause(true);
  await world.play('see', 'apply', 'settle');
  await makeDue(world);
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.row()).toMatchObject({ charge: 'due' });
  const { message } = await trader.client.subscriptions.cancel(subscriber.id);
  expect(message).toContain('A charge that was sent before still counts');
  await world.play('advance');
  expect(await subscriber.read()).toMatchObject({ status: 'cancelled' });
  for (const fault of world.faults.splice(0)) expect(fault).toContain('The collector is paused.');
  await world.pause(false);
  await world.resend();
  await world.confirm();
  await world.confirm();
  const { status, periodEnd } = await subscriber.charge();
  expect([status, (await subscriber.read()).currentPeriodEnd]).toEqual(['succeeded', periodEnd]);
  expect(await findings()).toEqual([]);
});

test('a reversed charge that nobody noticed is found by the reconciliation', async () => {
  const subscriber = await openPaid();
  const { id, paymentId } = await subscriber.charge();
  await world.drop(CONFIRMED);
  await world.spendNonce();
  await world.play('see', 'apply');
  await world.db().deleteFrom('subscription_signals').where('subscription_id', '=', subscriber.id).execute();
  await world
    .db()
    .updateTable('collector_events')
    .set({ applied_at: new Date() })
    .where('applied_at', 'is', null)
    .execute();
  expect(await findings()).toEqual([`charge.reversed ${id}`]);

  // Any reason to read the charge again is enough.
  const again = { subscription_id: subscriber.id, kind: 'charge_moved', ref: paymentId!, created_at: new Date(0) };
  await world.db().insertInto('subscription_signals').values(again).execute();
  await world.play('settle');
  expect(await subscriber.charge()).toMatchObject({ id, status: 'due' });
  expect(await findings()).toEqual([]);
});
