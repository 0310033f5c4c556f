import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { claimCharges } from '../../src/subscriptions/charging/claims.ts';
import { findCurrentMandates } from '../../src/subscriptions/mandates/queries.ts';
import { createDatabase } from '../support/database.ts';
import { insertCharge, put } from '../support/subscriptions.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

const now = () => world.service().platform.clock.now();

const moneyOf = async () => (await trader.client.settlements.balance()).totalEarned;

test('a charge stored by a process that dies is sent by the next one, once', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance');
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'due' });
  await world.play('tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'sending', attempts: [{ outcome: 'sent' }] });
  await world.play('advance', 'tick', 'collect'); // Nothing is left to be sent.
  expect(
    await world.db().selectFrom('operator_transactions').select('id').where('purpose', '=', 'collect').execute(),
  ).toHaveLength(1);

  await world.play('send', 'see', 'settle', 'settle');
  const { paymentId, txHash } = await subscriber.charge();
  expect(await subscriber.charge()).toMatchObject({
    status: 'confirming',
    attempts: [{ outcome: 'collected', txHash }],
  });
  expect(await trader.client.payments.get(paymentId!)).toMatchObject({ status: 'confirming', amount: 25, txHash });
  const before = await moneyOf();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await moneyOf()).toBe(before + 25);
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated']);
});

test('the charges of a process that dies while it asks the chain are claimed by another a minute later', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance');
  const claim = { network: 'devnet', worker: 'dead', begun: now(), now: now(), limit: 100 };
  expect((await claimCharges(world.db(), claim)).charges).toHaveLength(1);
  await world.play('tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await sql`
    update charges set locked_until = clock_timestamp() - interval '1 second'
     where locked_by is not null`.execute(world.db());
  await world.charge();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
});

test('a cancellation waits for a charge that was sent, and the customer keeps the paid period', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance', 'tick', 'collect');
  const { status } = await trader.client.subscriptions.cancel(subscriber.id);
  expect(status).toBe('cancelled');
  expect(await subscriber.row()).toMatchObject({ status: 'active', charge: 'in_flight' });
  await world.play('send', 'see', 'settle');
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await subscriber.row()).toMatchObject({ status: 'cancelled', cancel_reason: 'requested', charge: 'none' });
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'cancelled']);
});

test('a cancellation before sending voids the charge', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance');
  await trader.client.subscriptions.cancel(subscriber.id);
  await world.charge();
  expect(await subscriber.charge()).toMatchObject({ status: 'void', txHash: null });
});

test('a merchant frozen between order and sending collects nothing', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.play('advance');
  await world.decide(trader.id, { kind: 'freeze', reason: 'a look' });
  await world.play('tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await world.play('advance');
  expect(await subscriber.charge()).toMatchObject({ status: 'void' });
  await world.decide(trader.id, { kind: 'unfreeze', reason: null });
  await world.charge();
  await world.confirm();
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'succeeded' });
});

test.each([1, 3])(
  'a reorg of %i blocks reverts a collection, and the same transaction brings it back',
  async (depth) => {
    const subscriber = await openAuthorized(world, trader);
    await world.charge();
    const { paymentId, txHash } = await subscriber.charge();
    for (let i = 1; i < depth; i += 1) await world.play('mine');
    await world.play('see');
    const before = await moneyOf();
    await world.drop(depth);
    await world.play('see', 'apply', 'settle');
    expect(await subscriber.charge()).toMatchObject({ status: 'due', attempts: [{ outcome: 'lost' }] });
    expect(await trader.client.payments.get(paymentId!)).toMatchObject({ status: 'pending', amountReceived: 0 });
    await world.resend();
    await world.play('apply');
    expect(await subscriber.charge()).toMatchObject({ status: 'confirming', paymentId, txHash });
    await world.confirm();
    expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
    expect(await trader.client.payments.get(paymentId!)).toMatchObject({
      status: 'paid',
      amountReceived: 25,
      exception: null,
    });
    expect(await moneyOf()).toBe(before + 25);
  },
);

test('a collection whose nonce another transaction takes after a reorg is made again, for the same payment', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.charge();
  const { paymentId, txHash } = await subscriber.charge();
  await world.drop(1);
  await world.spendNonce();
  await world.play('see', 'apply', 'settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await world.advance(2 * MINUTE_MS);
  await world.play('mine', 'mine', 'mine', 'see', 'send', 'settle');
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ number: 1, status: 'succeeded', paymentId });
  expect(charge.txHash).not.toBe(txHash);
});

describe('a charge that a reorg took, and whose payment an ordinary transfer pays meanwhile,', () => {
  /** Its first charge is due again, and the transfer lies in a block that was read. */
  const openPaidOtherwise = async () => {
    const subscriber = await openAuthorized(world, trader);
    await world.charge();
    const { paymentId } = await subscriber.charge();
    await world.drop(1);
    await world.spendNonce();
    await world.play('see', 'apply', 'settle');
    const payment = await trader.client.payments.get(paymentId!);
    expect(payment).toMatchObject({ status: 'pending', amountReceived: 0 });
    await world.transfer(payment, 'USDT', 25_000_000n);
    await world.play('see');
    return { ...subscriber, paymentId: payment.id };
  };
  const collectLater = async (): Promise<void> => {
    const now = world.service().platform.clock.now();
    await world.db().updateTable('charges').set({ due_at: now }).where('status', '=', 'due').execute();
    await world.play('advance', 'tick', 'collect');
  };

  test('is not collected, too', async () => {
    const { charge, paymentId } = await openPaidOtherwise();
    await collectLater();
    expect(await charge()).toMatchObject({ status: 'due' });
    await world.play('apply');
    expect(await trader.client.payments.get(paymentId)).toMatchObject({ status: 'confirming', amountReceived: 25 });
    await collectLater();
    expect(await charge()).toMatchObject({ status: 'due' });
    await world.confirm();
    await world.confirm();
    expect(await charge()).toMatchObject({ status: 'succeeded', paymentId });
    const paid = { status: 'paid', amountReceived: 25, exception: null };
    expect(await trader.client.payments.get(paymentId)).toMatchObject(paid);
  });

  test('is collected once that transfer is gone', async () => {
    const { charge, paymentId } = await openPaidOtherwise();
    await world.play('apply');
    await collectLater();
    expect(await charge()).toMatchObject({ status: 'due' });
    await world.drop(2);
    await world.play('see', 'apply');
    await collectLater();
    expect(await charge()).toMatchObject({ status: 'sending' });
    await world.play('send', 'see', 'settle');
    await world.confirm();
    await world.confirm();
    expect(await charge()).toMatchObject({ status: 'succeeded', paymentId });
    expect(await trader.client.payments.get(paymentId)).toMatchObject({ status: 'paid', amountReceived: 25 });
  });
});

test('an authorisation dropped by a reorg is relayed again', async () => {
  const subscriber = await openSubscriber(world, trader);
  await world.authorize();
  await world.drop(1);
  await world.play('see', 'settle');
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'pending' });
  await world.resend();
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  await world.charge();
  await world.confirm();
  expect((await subscriber.charges())[0]).toMatchObject({ status: 'succeeded' });
});

test('a collection unknown to the database counts as the charge of its period', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'confirming' });
  await world.play('advance', 'collect', 'send', 'see', 'settle');
  await world.confirm();
  await world.play('advance', 'collect', 'settle');
  expect((await subscriber.charges()).map(({ number, status }) => [number, status])).toEqual([[1, 'succeeded']]);
});

test('a database restored from a backup charges no period twice', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'weekly' });
  const { ownerUrl } = world.database;
  const name = new URL(ownerUrl).pathname.slice(1);
  await world.stop();
  await createDatabase(inject('postgres').ownerUrl, `${name}_old`, name);
  await world.start();
  await world.charge();
  await world.confirm();
  const { txHash } = await subscriber.charge();
  await world.stop();
  await world.database.drop();
  await createDatabase(inject('postgres').ownerUrl, name, `${name}_old`);
  await world.start();
  await world.play('advance', 'collect', 'send', 'see', 'settle', 'apply', 'settle');
  await world.confirm();
  expect((await subscriber.charges()).map(({ number, status, txHash: by }) => [number, status, by])).toEqual([
    [1, 'succeeded', txHash],
  ]);
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated']);
});

test('a charge that the windows do not allow yet is deferred to the next window, and uses no retry', async () => {
  const subscriber = await openAuthorized(world, trader, { interval: 'weekly' });
  await world.charge();
  await world.confirm();
  // As if its second period had begun, while the chain is still in the first window.
  const next = await insertCharge(world.db(), subscriber.id, now(), {
    ...{
      number: 2,
      status: 'due',
      dueAt: now(),
      attempts: 0,
      lastAttemptAt: null,
      failureCode: null,
      periodStart: now(),
    },
  });
  await put(world.db(), subscriber.id, { charge: 'due' });
  await world.play('tick', 'collect');
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ id: next.id, status: 'due', failureCode: null, attempts: [] });
  const { start, period } = (await findCurrentMandates(world.db(), [subscriber.id])).get(subscriber.id)!;
  expect(charge.earliestChargeAt).toBe(new Date((start + period) * 1000).toISOString());
  expect(await subscriber.read()).toMatchObject({ status: 'active', earliestChargeAt: charge.earliestChargeAt });
  await world.advance(7 * DAY_MS);
  expect(await subscriber.charge()).toMatchObject({ number: 2, status: 'succeeded' });
});

test("a rate beyond the mandate's limit asks for another mandate", async () => {
  const subscriber = await openAuthorized(world, trader, { amount: 3000, currency: 'LKR', interval: 'weekly' });
  await world.setRates({ 'USD/LKR': '240' });
  await world.charge();
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming', tokenAmount: '12.500000' });
  await world.confirm();
  await world.setRates({ 'USD/LKR': '239' });
  await world.advance(7 * DAY_MS);
  expect(await subscriber.charge()).toMatchObject({ number: 2, status: 'failed', failureCode: 'mandate_missing' });
  expect(await subscriber.read()).toMatchObject({ status: 'past_due', failureCode: 'mandate_missing' });
  await world.setRates({ 'USD/LKR': '300' });
});

test('a paused collector defers charges, fails none and opens an incident', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.pause(true);
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.charge()).toMatchObject({ status: 'due', failureCode: 'network_unavailable', attempts: [] });
  expect(await subscriber.read()).toMatchObject({ status: 'active', failureCode: 'network_unavailable' });
  const incidents = () =>
    world
      .db()
      .selectFrom('incidents')
      .select('subject')
      .where('kind', '=', 'subscription.network')
      .where('resolved_at', 'is', null)
      .execute();
  expect(await incidents()).toEqual([{ subject: 'devnet' }]);
  await world.pause(false);
  await world.advance(6 * MINUTE_MS);
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await incidents()).toEqual([]);
  expect(world.faults.splice(0)).toHaveLength(1);
});

test('a charge that is not worth its gas waits, and goes through once gas is cheaper', async () => {
  const subscriber = await openAuthorized(world, trader);
  await world.setRates({ 'ETH/USD': '1000000' });
  await world.play('advance', 'tick', 'collect');
  const waiting = { failureCode: 'gas_too_dear' } as const;
  expect(await subscriber.charge()).toMatchObject({ ...waiting, status: 'due', attempts: [], earliestChargeAt: null });
  expect(await subscriber.read()).toMatchObject({ ...waiting, status: 'active', nextRetryAt: expect.any(String) });
  const incidents = async () =>
    (
      await world
        .db()
        .selectFrom('incidents')
        .select(['subject', 'message'])
        .where('kind', '=', 'subscription.dear_gas')
        .where('resolved_at', 'is', null)
        .execute()
    ).map(({ subject, message }) => [subject, message]);
  await world.advance(6 * MINUTE_MS);
  await world.play('report');
  expect(await incidents()).toEqual([]);
  // As if a day had gone by: the clock would stop at each of its tries.
  await sql`
    update charges set created_at = created_at - interval '1 day'
     where subscription_id = ${subscriber.id}`.execute(world.db());
  await world.play('report');
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ ...waiting, number: 1, status: 'due', attempts: [] });
  // One for the network, however many wait there: a dear day must not bury the list.
  expect(await incidents()).toEqual([['devnet', expect.stringMatching(/^1 charge .*the oldest is chg_/)]]);

  await world.setRates({ 'ETH/USD': '1' });
  await world.advance(6 * MINUTE_MS);
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded', failureCode: null });
  await world.play('report');
  expect(await incidents()).toEqual([]);
  await world.setRates({});
});
