import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const USDC = 10n ** 18n;
const CENT = 10_000n;
const later = (hours: number): Date => new Date(START.getTime() + hours * 3_600_000);
const booked = (available: bigint, suspense: bigint) => ({
  available: available * USDT,
  pending: 0n,
  suspense: suspense * USDT,
});

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
});
afterAll(async () => {
  expect((await reconcile(world.db)).findings).toEqual([]);
  await world.close();
});

describe('money that a merchant accepted', () => {
  test('stays accepted when the payer completes the payment later, also money in a token that was not offered', async () => {
    const payment = await world.create({ acceptedTokens: ['USDT'] });
    await world.arrive(payment, 40n * USDT, { height: 10, tx: '0x1a' });
    await world.arrive(payment, 100n * USDC, { height: 11, tx: '0x1b', token: 1 });
    await world.head(20, later(2));
    expect((await world.apply(payment, { kind: 'clock' }, later(2))).status).toBe('expired');
    expect((await world.apply(payment, { kind: 'resolve' }, later(2))).booked).toEqual(booked(140n, 0n));
    await world.arrive(payment, 60n * USDT, { height: 12, tx: '0x1c', time: later(3) });
    expect(await world.apply(payment, null, later(3))).toMatchObject({
      status: 'paid',
      exception: 'late',
      booked: booked(200n, 0n),
    });
    const events = await world.events(payment);
    expect(events).toEqual(['created', 'pending', 'exception', 'expired', 'confirming', 'completed']);
  });

  test('does not hide later exceptions', async () => {
    const payment = await world.create({ acceptedTokens: ['USDT'] });
    await world.arrive(payment, 100n * USDT, { height: 10, tx: '0x2a' });
    await world.arrive(payment, 50n * USDC, { height: 10, tx: '0x2b', token: 1 });
    await world.head(20);
    expect(await world.apply(payment)).toMatchObject({ status: 'paid', exception: 'wrong_token' });
    expect(await world.apply(payment, { kind: 'resolve' })).toMatchObject({
      exception: null,
      booked: booked(150n, 0n),
    });
    await world.arrive(payment, 30n * USDT, { height: 11, tx: '0x2c' });
    expect(await world.apply(payment)).toMatchObject({ exception: 'overpaid', booked: booked(150n, 30n) });
    expect((await world.events(payment)).slice(-2)).toEqual(['exception', 'exception']);
  });

  test('is what is confirmed by then, even while tiny transfers keep arriving', async () => {
    const payment = await world.create();
    await world.arrive(payment, 40n * USDT, { height: 10, tx: '0x9a' });
    await world.head(20, later(2));
    await world.apply(payment, { kind: 'clock' }, later(2));
    await world.arrive(payment, 1n, { height: 20, tx: '0x9b' });
    expect(await world.apply(payment, { kind: 'resolve' }, later(2))).toMatchObject({
      exception: 'underpaid',
      booked: { available: 40n * USDT, suspense: 1n },
    });
    await expect(world.apply(payment, { kind: 'resolve' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await world.head(21);
    expect(await world.apply(payment, { kind: 'resolve' })).toMatchObject({
      exception: null,
      booked: { suspense: 0n },
    });
  });

  test('is reversed with its transfer and returns with it, without another decision', async () => {
    const payment = await world.create();
    await world.arrive(payment, 40n * USDT, { height: 21, tx: '0x3a' });
    await world.head(30, later(2));
    await world.apply(payment, { kind: 'clock' }, later(2));
    await world.apply(payment, { kind: 'resolve' }, later(2));
    await world.orphan(20);
    expect(await world.apply(payment)).toMatchObject({ booked: booked(0n, 0n), exception: null });
    await world.arrive(payment, 40n * USDT, { height: 22, tx: '0x3a' });
    expect(await world.apply(payment)).toMatchObject({ booked: booked(40n, 0n), exception: null });
    expect(await world.events(payment)).toEqual(['created', 'pending', 'expired', 'reversed', 'restored']);
  });
});

describe('a reorg', () => {
  test('of a paid payment is not offset by a token that was not offered, and opens an incident', async () => {
    const payment = await world.create({ acceptedTokens: ['USDT'] });
    await world.arrive(payment, 50n * USDC, { height: 41, tx: '0x4a', token: 1 });
    await world.arrive(payment, 100n * USDT, { height: 42, tx: '0x4b' });
    await world.head(60);
    expect((await world.apply(payment)).status).toBe('paid');
    await world.orphan(41);
    expect((await world.apply(payment)).booked).toEqual(booked(0n, 50n));
    const incident = await world.db
      .selectFrom('incidents')
      .select(['kind', 'message'])
      .where('subject', '=', payment.id)
      .execute();
    expect(incident).toEqual([
      { kind: 'payment.reversed', message: 'A reorg took back 100.000000 USD that were available.' },
    ]);
  });

  test('clears the exception about money that is gone', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 61, tx: '0x5a' });
    await world.arrive(payment, 20n * USDT, { height: 62, tx: '0x5b' });
    await world.head(70);
    expect((await world.apply(payment)).exception).toBe('overpaid');
    await world.orphan(61);
    expect(await world.apply(payment)).toMatchObject({ status: 'paid', exception: null, booked: booked(100n, 0n) });
  });

  test("clears the payment's transaction", async () => {
    await world.head(70);
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 80, tx: '0x6gone' });
    expect((await world.apply(payment)).txHash).toBe('0x6gone');
    await world.orphan(79);
    expect((await world.apply(payment)).txHash).toBe(null);
    await world.arrive(payment, 100n * USDT, { height: 81, tx: '0x6new' });
    expect((await world.apply(payment)).txHash).toBe('0x6new');
  });

  test('and a cancellation at the same moment are two moves', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 82, tx: '0x7a' });
    expect((await world.apply(payment)).status).toBe('confirming');
    await world.orphan(81);
    expect(await world.apply(payment, { kind: 'cancel' })).toMatchObject({ status: 'expired', reason: 'cancelled' });
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'reverted', 'expired']);
  });
});

test('money seen but unconfirmed when a payment is paid becomes available once confirmed, and is dropped if it vanishes', async () => {
  await world.head(90);
  const [kept, lost] = [await world.create(), await world.create()];
  for (const payment of [kept, lost]) {
    await world.arrive(payment, 100n * USDT - 40n * CENT, { height: 89, tx: `${payment.id}a` });
    await world.arrive(payment, 50n * CENT, { height: 90, tx: `${payment.id}b` });
    expect(await world.apply(payment)).toMatchObject({
      status: 'paid',
      exception: null,
      booked: { available: 100n * USDT - 40n * CENT, suspense: 50n * CENT },
    });
  }
  await world.orphan(89);
  await world.arrive(kept, 50n * CENT, { height: 91, tx: `${kept.id}b` });
  await world.head(92);
  expect(await world.apply(kept)).toMatchObject({ exception: null, booked: { available: 100n * USDT + 10n * CENT } });
  expect(await world.apply(lost)).toMatchObject({ exception: null, booked: { available: 100n * USDT - 40n * CENT } });
  for (const payment of [kept, lost]) {
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed']);
  }
});
