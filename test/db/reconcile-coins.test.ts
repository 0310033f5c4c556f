import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START } from '../support/payments.ts';
import { tamper } from './reconcile-fixture.ts';

const ASKED = 33_333_340_000_000_000n;

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({ paymentFeeBps: 100, rateSpreadBps: 50 }, null, {
    native: ETH,
    dust: 1n,
    prices: { ETH: '3015.07538' },
  });
});
afterAll(() => world.close());

const findings = async () =>
  (await reconcile(world.db)).findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`);

/** A payment of 100 dollars whose coins arrived in blocks that are confirmed. */
async function paid(...parts: readonly bigint[]): Promise<Payment> {
  const payment = await world.create();
  for (const [i, units] of parts.entries()) {
    await world.arrive(payment, units, { token: 'coin', height: 20, tx: `0x${payment.id}${i}` });
  }
  await world.head(40);
  return world.apply(payment);
}

const creditOf = ({ id }: Payment) =>
  world.db.selectFrom('credits').select('id').where('payment_id', '=', id).executeTakeFirstOrThrow();

test('coins that were paid in parts, short, over, together with tokens, and taken back need no explanation', async () => {
  const [first, rest] = [ASKED / 3n, ASKED - ASKED / 3n];
  const parts = await paid(first, rest);
  expect([parts.status, parts.exception]).toEqual(['paid', null]);
  expect(await paid(first)).toMatchObject({ status: 'pending' });
  expect(await paid(ASKED * 2n)).toMatchObject({ status: 'paid', exception: 'overpaid' });
  const mixed = await paid(ASKED / 7n);
  await world.arrive(mixed, 90n * 10n ** 18n, { token: 1, height: 21 });
  await world.apply(mixed);
  expect(await findings()).toEqual([]);
  const late = await world.create();
  const afterwards = new Date(START.getTime() + 40 * 60_000);
  await world.arrive(late, ASKED, { token: 'coin', height: 22, time: afterwards, seen: afterwards });
  expect(await world.apply(late, null, afterwards)).toMatchObject({ status: 'paid' });
  const { rate } = await world.db
    .selectFrom('credits')
    .select('rate')
    .where('payment_id', '=', late.id)
    .executeTakeFirstOrThrow();
  expect(rate).toMatchObject({ number: 0 });
  expect(await findings()).toEqual([]);
  await world.orphan(20);
  for (const payment of [parts, mixed]) await world.apply(payment);
  expect(await findings()).toEqual([]);
});

test.each<[string, (payment: Payment) => RawBuilder<unknown>, string]>([
  [
    'is worth another amount than its quote says',
    ({ id }) => sql`update credits set value_e18 = value_e18 - 1000000000000 where payment_id = ${id}`,
    'credit.valued: CREDIT: it is valued at 99.999999 instead of 100.000000',
  ],
  [
    'was valued by a rate that its payment never had',
    ({ id }) => sql`update credits set rate = rate || '{"marketE8": "1"}' where payment_id = ${id}`,
    'credit.valued: CREDIT: its rate is not that of quote 1 in ETH',
  ],
  [
    'was valued by a market of its own making',
    ({ id }) => sql`update credits set rate = rate || '{"number": 0, "marketE8": "1"}' where payment_id = ${id}`,
    'credit.valued: CREDIT: its rate is not that of quote 0 in ETH',
  ],
  [
    'waits to be mined and is confirmed',
    ({ id }) => sql`update credits set block_hash = 'pool' where payment_id = ${id}`,
    'credit.waiting: CREDIT: it waits to be mined, and is confirmed',
  ],
  [
    'shows another quote than the newest',
    ({ id }) => sql`
      insert into payment_quotes select payment_id, symbol, 2, pair, units + 10000000000, value_e8, spread_bps, source,
             quoted_at, starts_at + interval '15 minutes' from payment_quotes where payment_id = ${id}`,
    'payment.quotes: PAYMENT: it does not show its newest quote in ETH',
  ],
  [
    'has a gap in its quotes',
    ({ id }) => sql`update payment_quotes set number = 2 where payment_id = ${id}`,
    'payment.quotes: PAYMENT: its quotes in ETH are not numbered one after the other',
  ],
  [
    'is not renewed',
    ({ id }) => sql`update payments set quoted_until = quoted_until + interval '1 hour' where id = ${id}`,
    'payment.quotes: PAYMENT: it is not renewed when the quotes that it shows are over',
  ],
])('a payment or transfer that %s is found', async (_, change, finding) => {
  const payment = await paid(ASKED);
  const { id } = await creditOf(payment);
  await tamper(world, change(payment));
  expect(await findings()).toContainEqual(finding.replace('CREDIT', id).replace('PAYMENT', payment.id));
});
