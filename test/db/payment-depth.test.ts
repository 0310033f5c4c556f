import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { listOverdue } from '../../src/payments/queries.ts';
import type { Payment } from '../../src/payments/types.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const minutes = (n: number): Date => new Date(START.getTime() + n * 60_000);

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({}, null, { native: ETH, prices: { ETH: '3000' } });
});
afterAll(() => world.close());

const setCursor = (set: Record<string, unknown>) => world.db.updateTable('chain_cursors').set(set).execute();
const runApply = async (): Promise<void> => {
  const job = paymentJobs({ ...world.deps, db: world.db, log: () => {} }).find(({ name }) => name === 'payments.apply');
  await job?.run({ now: START, real: START, signal: new AbortController().signal });
};
const statusOf = async ({ id }: Payment) =>
  (await world.db.selectFrom('payments').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

test('worth asks for depth: of the payment, and of what arrived, alone and together with others', async () => {
  const dollars = 1_000_000;
  const depths = [
    { from: 1_000 * dollars, confirmations: 4 },
    { from: 10_000 * dollars, confirmations: 6 },
  ];
  await setCursor({ depths: JSON.stringify(depths) });
  const asked = [10_000n, 100_000n, 1_000_000n, 10_000n];
  const payments: Payment[] = [];
  for (const amountMinor of asked) payments.push(await world.create({ amountMinor }));
  const [small, middle, large, surplus] = payments as [Payment, Payment, Payment, Payment];
  for (const [i, payment] of [small, middle, large].entries())
    await world.arrive(payment, (asked[i] ?? 0n) * 10_000n, { height: 20, tx: `0xdeep${i}` });
  // A hundred dollars were asked, and ten thousand came.
  await world.arrive(surplus, 10_000n * USDT, { height: 20, tx: '0xsurplus' });
  const seen = async (head: number) => {
    await world.head(head);
    await runApply();
    return Promise.all(payments.map(statusOf));
  };
  const [waits, paid] = ['confirming', 'paid'];
  expect(await seen(20)).toEqual([waits, waits, waits, waits]);
  expect(await seen(21)).toEqual([paid, waits, waits, waits]);
  expect(await seen(22)).toEqual([paid, waits, waits, waits]);
  expect(await seen(23)).toEqual([paid, paid, waits, waits]);
  expect(await seen(24)).toEqual([paid, paid, waits, waits]);
  expect(await seen(25)).toEqual([paid, paid, paid, paid]);
  await setCursor({ depths: null });
});

describe('what came beyond the amount, in parts of which each alone asks for no depth', () => {
  const dollars = 1_000_000;
  const parts = (n: number) => Array.from({ length: n }, () => 9_900n * USDT);
  const accept = async (payment: Payment) => (await world.apply(payment, { kind: 'resolve' })).booked.available / USDT;
  const paid = async (units: readonly bigint[], height: number): Promise<Payment> => {
    const payment = await world.create();
    await world.arriveTogether(payment, units, { height, tx: `0xparts${height}` });
    await world.head(height + 1);
    expect(await world.apply(payment)).toMatchObject({ status: 'paid', exception: 'overpaid' });
    return payment;
  };
  const refused = { code: 'CONFLICT', message: expect.stringMatching(/deep/) };

  test('is accepted once it is as deep as its sum asks, and until then as much as needs no depth', async () => {
    await setCursor({ depths: JSON.stringify([{ from: 10_000 * dollars, confirmations: 6 }]) });
    const payment = await paid(parts(20), 50);
    expect(await accept(payment)).toBe(9_900n);
    await world.head(54);
    await expect(accept(payment)).rejects.toMatchObject(refused);
    await world.head(55);
    expect(await accept(payment)).toBe(198_000n);
    expect(await world.apply(payment)).toMatchObject({ exception: null });
    await setCursor({ depths: null });
  });

  test('waits for what came shortly before, and never for what comes later', async () => {
    await setCursor({ depths: JSON.stringify([{ from: 10_000 * dollars, confirmations: 6 }]) });
    const payment = await paid(parts(1), 60);
    await world.arrive(payment, 9_900n * USDT, { height: 61, tx: '0xparts61' });
    await world.head(62);
    expect(await accept(payment)).toBe(9_900n);
    await expect(accept(payment)).rejects.toMatchObject(refused);
    await world.head(65);
    expect(await accept(payment)).toBe(19_800n);
    await setCursor({ depths: null });
  });

  test('is accepted once endpoints have shown it, where its sum asks for a second opinion', async () => {
    await setCursor({ second_opinion_from: 10_000 * dollars });
    const payment = await paid(parts(2), 70);
    expect(await accept(payment)).toBe(9_900n);
    await world.head(90);
    await expect(accept(payment)).rejects.toMatchObject(refused);
    await world.db.updateTable('credits').set({ final_at: START }).where('payment_id', '=', payment.id).execute();
    expect(await accept(payment)).toBe(19_800n);
    const shown = await paid(parts(2), 91);
    await world.db.updateTable('credits').set({ seconded_at: START }).where('payment_id', '=', shown.id).execute();
    expect(await accept(shown)).toBe(19_800n);
    await setCursor({ second_opinion_from: null });
  });
});

test('what a miner made for itself waits until it matures', async () => {
  const payment = await world.create();
  await world.arrive(payment, 100n * USDT, { height: 40, tx: '0xminer' });
  await world.db.updateTable('credits').set({ matures_at: 139n }).where('payment_id', '=', payment.id).execute();
  await world.head(138);
  await runApply();
  expect(await statusOf(payment)).toBe('confirming');
  await world.head(139);
  await runApply();
  expect(await statusOf(payment)).toBe('paid');
});

test('what was seen waiting in time is in time, however late its block is', async () => {
  const payment = await world.create();
  await world.arrive(payment, 100n * USDT, { height: 150, tx: '0xlate', time: minutes(200) });
  await world.db
    .updateTable('credits')
    .set({ arrived_at: minutes(60) })
    .where('payment_id', '=', payment.id)
    .execute();
  await world.head(150, minutes(200));
  expect(await world.apply(payment)).toMatchObject({ status: 'confirming', exception: null });
  await world.head(160);
  await runApply();
  expect(await statusOf(payment)).toBe('paid');
  const late = await world.create();
  await world.arrive(late, 100n * USDT, { height: 161, tx: '0xlater', time: minutes(59) });
  await world.db
    .updateTable('credits')
    .set({ arrived_at: minutes(61) })
    .where('payment_id', '=', late.id)
    .execute();
  await world.apply(late, { kind: 'clock' }, minutes(61));
  expect(await world.apply(late, { kind: 'clock' }, minutes(61))).toMatchObject({ exception: 'late' });
});

test('a deadline waits until everything that arrives is known, which may be before or after the block of the scan', async () => {
  const payment = await world.create({ acceptedTokens: ['ETH'] });
  const inDollars = await world.create({ acceptedTokens: ['USDT'] });
  const isOverdue = async (of = payment) =>
    (await listOverdue(world.db, minutes(70), START, 1_000)).some(({ id }) => id === of.id);
  await setCursor({ block_time: minutes(200), read_to: minutes(60) });
  expect(await isOverdue()).toBe(false);
  // Only coins are read apart from the blocks.
  expect(await isOverdue(inDollars)).toBe(true);
  expect(await world.apply(inDollars, { kind: 'clock' }, minutes(70))).toMatchObject({ status: 'expired' });
  expect(await world.apply(payment, { kind: 'clock' }, minutes(70))).toMatchObject({ status: 'initiated' });
  await setCursor({ block_time: minutes(10), read_to: minutes(61) });
  expect(await isOverdue()).toBe(true);
  expect(await world.apply(payment, { kind: 'clock' }, minutes(70))).toMatchObject({ status: 'expired' });
  await setCursor({ read_to: null });
});

test('what waits in the pool is seen and never confirmed, and no height takes it back', async () => {
  const payment = await world.create();
  const pool = { hash: 'pool', height: Number.MAX_SAFE_INTEGER };
  await world.arrive(payment, 100n * USDT, { ...pool, tx: 'waits' });
  await sql`update credits set arrived_at = block_time, spends = '{a:0}' where payment_id = ${payment.id}`.execute(
    world.db,
  );
  await world.head(1_000);
  await runApply();
  expect(await statusOf(payment)).toBe('confirming');
  await world.orphan(5);
  await runApply();
  expect(await statusOf(payment)).toBe('confirming');
});
