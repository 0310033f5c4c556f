import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { isUnavailable } from '../../src/payments/options.ts';
import { getPayment } from '../../src/payments/queries.ts';
import { readQuotes } from '../../src/payments/quotes.ts';
import { requotePayments } from '../../src/payments/requote.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { PoolSight } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { presentMovement } from '../../src/settlements/statement-present.ts';
import { listMovements } from '../../src/settlements/statement-queries.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const E18 = 10n ** 18n;
const prices: Record<string, string | undefined> = {};
const minutes = (n: number): Date => new Date(START.getTime() + n * 60_000);

/** With a pool, in which what is gone is waited for. */
const NETWORK = { ...TEST_NETWORK, onDemand: false };

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({}, null, { native: ETH, dust: 10n ** 14n, prices });
});
afterAll(() => world.close());
beforeEach(() => {
  prices['ETH'] = '3000';
});

const quotesOf = (payment: Payment) => inTransaction(world.db, (trx) => readQuotes(trx, [payment.id]));
const creditsOf = (payment: Payment) =>
  world.db.selectFrom('credits').select(['value_e18', 'rate', 'token']).where('payment_id', '=', payment.id).execute();

test('a payment offers the coin of a network by a quote of its own, which is kept', async () => {
  const payment = await world.create();
  expect(payment.options.map(({ token, contract, units }) => [token, contract, units])).toEqual([
    ['USDT', expect.any(String), '100000000'],
    ['USDC', expect.any(String), (100n * E18).toString()],
    ['ETH', null, '33333340000000000'],
  ]);
  const [tether, , ether] = payment.options;
  expect(tether).not.toHaveProperty('quote');
  expect(ether?.quote).toEqual({
    number: 1,
    pair: 'ETH/USD',
    marketE8: '300000000000',
    spreadBps: 0,
    source: 'test',
    quotedAt: START.toISOString(),
    startsAt: START.toISOString(),
    endsAt: minutes(15).toISOString(),
  });
  const { number, pair, marketE8, spreadBps, source, quotedAt } = ether?.quote ?? {};
  const rate = { number, pair, marketE8, spreadBps, source, quotedAt, units: ether?.units, amountMicro: '100000000' };
  expect((await quotesOf(payment))(payment.id, 'ETH')).toMatchObject([{ startsAt: START, rate }]);
  const row = await world.db.selectFrom('payments').select('quoted_until').where('id', '=', payment.id).execute();
  expect(row).toEqual([{ quoted_until: minutes(15) }]);
});

test('a transfer of what was shown pays it, and keeps by which rate it was valued', async () => {
  const payment = await world.create();
  await world.arrive(payment, 33_333_340_000_000_000n, { token: 'coin', height: 20, time: minutes(14) });
  await world.head(40);
  const paid = await world.apply(payment);
  expect([paid.status, paid.exception, paid.seenE18]).toEqual(['paid', null, 100n * E18]);
  expect(await creditsOf(payment)).toEqual([
    { token: 'ETH', value_e18: 100n * E18, rate: expect.objectContaining({ number: 1, units: '33333340000000000' }) },
  ]);
  expect(await world.balances()).toMatchObject({ available: 100_000_000n });
});

test('what was shown pays it in parts, too, where nothing may be missing', async () => {
  const payment = await world.create({ merchantToleranceBps: 0 });
  for (const [i, units] of [10_000_000_000_000_001n, 11_111_111_111_111_111n, 12_222_228_888_888_888n].entries())
    await world.arrive(payment, units, { token: 'coin', height: 20, tx: `0xpart${i}`, time: minutes(14) });
  await world.head(40);
  const paid = await world.apply(payment);
  expect([paid.status, paid.exception, paid.booked.available]).toEqual(['paid', null, 100_000_000n]);
});

test('a coin without a rate is left out, and refused where nothing else is accepted', async () => {
  prices['ETH'] = undefined;
  expect((await world.create()).options.map(({ token }) => token)).toEqual(['USDT', 'USDC']);
  await expect(world.create({ acceptedTokens: ['ETH'] })).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE',
    message: expect.stringContaining('ETH'),
  });
});

test('dust is never asked for', async () => {
  // A cent comes to 0.00000334 ETH; the chain here passes on 0.0001 and more.
  expect((await world.create({ amountMinor: 1n })).options.map(({ token }) => token)).toEqual(['USDT', 'USDC']);
  await expect(world.create({ amountMinor: 1n, acceptedTokens: ['ETH'] })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('too little to be paid in ETH'),
  });
});

test('what is accepted and not enabled is refused with what is', async () => {
  await expect(world.create({ acceptedTokens: ['BTC'] })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('USDT, USDC, ETH'),
  });
});

test('what comes after the last quote counts by the market, so that nobody waits for a fall of the price', async () => {
  const shown = 33_333_340_000_000_000n;
  const [late, graced, blind] = [await world.create(), await world.create(), await world.create()];
  prices['ETH'] = '2700';
  await world.arrive(graced, shown, {
    token: 'coin',
    height: 30,
    tx: '0xgraced',
    time: minutes(16),
    seen: minutes(16),
  });
  expect((await world.apply(graced, null, minutes(16))).seenE18).toBe(100n * E18);
  await world.arrive(late, shown, { token: 'coin', height: 31, tx: '0xlate', time: minutes(18), seen: minutes(18) });
  const counted = await world.apply(late, null, minutes(18));
  expect(Number(counted.seenE18 / 10n ** 14n) / 10_000).toBeCloseTo(90, 3);
  const [credit] = await creditsOf(late);
  expect(credit).toMatchObject({ value_e18: counted.seenE18, rate: { number: 0, marketE8: '270000000000' } });
  // A second look changes nothing, whatever the price is by then.
  prices['ETH'] = '1';
  expect((await world.apply(late, null, minutes(30))).seenE18).toBe(counted.seenE18);
  prices['ETH'] = undefined;
  await world.arrive(blind, shown, { token: 'coin', height: 32, tx: '0xblind', time: minutes(99), seen: minutes(99) });
  expect((await world.apply(blind, null, minutes(99))).seenE18).toBe(100n * E18);
});

const requote = (now: Date) =>
  requotePayments({ db: world.db, ...world.deps }).run({ now, real: now, signal: new AbortController().signal });
const shown = async ({ id }: Payment) =>
  (await getPayment(world.db, { id })).options.find(({ token }) => token === 'ETH');

test('a quote is renewed when it is over, at the price of then, while the payment waits for money', async () => {
  const [open, over] = [await world.create(), await world.create()];
  await world.apply(over, { kind: 'cancel' });
  prices['ETH'] = '3300';
  await requote(minutes(14));
  expect((await shown(open))?.quote?.number).toBe(1);
  await requote(minutes(15));
  expect(await shown(open)).toMatchObject({
    units: '30303040000000000',
    paymentUri: expect.stringContaining('30303040000000000'),
    quote: { number: 2, marketE8: '330000000000', endsAt: minutes(30).toISOString() },
  });
  await requote(minutes(16)); // Again, or by another process.
  expect((await quotesOf(open))(open.id, 'ETH').map(({ rate }) => rate.number)).toEqual([1, 2]);
  expect((await shown(over))?.quote?.number).toBe(1);
});

test('without a rate the old quote stays, and is renewed when there is one again', async () => {
  const payment = await world.create();
  prices['ETH'] = undefined;
  await requote(minutes(15));
  expect((await shown(payment))?.quote?.number).toBe(1);
  prices['ETH'] = '3000';
  await requote(minutes(40));
  expect((await shown(payment))?.quote).toMatchObject({ number: 2, startsAt: minutes(40).toISOString() });
});

test('a network that is gone keeps no quote back, neither of this payment in that coin nor of others', async () => {
  const [half, lost, whole] = [await world.create(), await world.create(), await world.create()];
  const set = (payment: Payment, networks: readonly string[]) => {
    const ether = payment.options.filter(({ token }) => token === 'ETH');
    const options = JSON.stringify(networks.flatMap((network) => ether.map((each) => ({ ...each, network }))));
    return sql`update payments set options = ${options}::jsonb where id = ${payment.id}`.execute(world.db);
  };
  await set(half, ['devnet', 'gone']);
  await set(lost, ['gone']);
  await requote(minutes(15));
  const numbers = async ({ id }: Payment) =>
    (await getPayment(world.db, { id })).options.flatMap(({ quote }) => quote?.number ?? []);
  expect(await Promise.all([half, lost, whole].map(numbers))).toEqual([[2, 2], [1], [2]]);
});

test('a quote that is stored before it is taken in does not make a coin timely that came in an outage', async () => {
  const payment = await world.create();
  prices['ETH'] = undefined;
  await requote(minutes(15));
  prices['ETH'] = '1500';
  await requote(minutes(61));
  const times = { time: minutes(60), seen: minutes(61) };
  await world.arrive(payment, 33_333_340_000_000_000n, { token: 'coin', height: 33, tx: '0xstale', ...times });
  const { seenE18 } = await world.apply(payment, null, minutes(61));
  expect(Number(seenE18 / 10n ** 14n) / 10_000).toBeCloseTo(50, 3);
});

test('a coin that was dropped from the pool and comes again counts by the market of then', async () => {
  const payment = await world.create();
  const to = payment.options.find(({ token }) => token === 'ETH')?.address.toLowerCase() ?? '';
  const transfer = {
    network: NETWORK.name,
    txHash: 'tx',
    index: 0,
    token: ETH,
    from: '',
    to,
    units: 33_333_340_000_000_000n,
  };
  const look = (sight: PoolSight, now: Date) =>
    inTransaction(world.db, async (trx) => paymentMatcher.observePool?.(trx, NETWORK, sight, now));
  const gone = [{ txHash: 'tx', by: null }];
  await look({ arrived: [{ txHash: 'tx', spends: ['coin:0'], transfers: [transfer] }], gone: [] }, minutes(1));
  expect((await world.apply(payment, null, minutes(1))).seenE18).toBe(100n * E18);
  await look({ arrived: [], gone }, minutes(3));
  await look({ arrived: [], gone }, minutes(14));
  expect((await world.apply(payment, null, minutes(14))).seenE18).toBe(0n);
  prices['ETH'] = '1500';
  const block = { network: NETWORK.name, height: 40, hash: 'b40', parentHash: '', time: minutes(60) };
  const mined = {
    transfers: [{ ...transfer, block }],
    spends: new Map([['tx', () => ['coin:0']]]),
    collector: [],
    approvals: [],
  };
  await inTransaction(world.db, (trx) => paymentMatcher.observe(trx, NETWORK, mined, minutes(60)));
  const { seenE18 } = await world.apply(payment, null, minutes(60));
  expect(Number(seenE18 / 10n ** 14n) / 10_000).toBeCloseTo(50, 3);
});

/** Lets a payer's coins wait for their block, on a chain with a pool. */
const poolOf = (payment: Payment, txHash: string, spends: readonly string[]) => {
  const to = payment.options.find(({ token }) => token === 'ETH')?.address.toLowerCase() ?? '';
  const where = { network: NETWORK.name, txHash, index: 0, token: ETH, from: '', to };
  const transfer = { ...where, units: 33_333_340_000_000_000n };
  return {
    look: (gone: PoolSight['gone'], now: Date) =>
      inTransaction(world.db, async (trx) =>
        paymentMatcher.observePool?.(trx, NETWORK, { arrived: [{ txHash, spends, transfers: [transfer] }], gone }, now),
      ),
    mine: (height: number, time: Date) => {
      const block = { network: NETWORK.name, height, hash: `b${height}`, parentHash: '', time };
      const mined = { transfers: [{ ...transfer, block }], spends: new Map([[txHash, () => spends]]) };
      return inTransaction(world.db, (trx) =>
        paymentMatcher.observe(trx, NETWORK, { ...mined, collector: [], approvals: [] }, time),
      );
    },
  };
};

const DAY = 24 * 60;

const movementsOf = async ({ id, merchantId }: Payment) => {
  const span = { merchantId, from: START, to: minutes(31 * DAY) };
  const { rows } = await listMovements(world.db, span, { offset: 0, limit: 100 });
  return rows.filter(({ paymentId }) => paymentId === id).map(presentMovement);
};

const dollarsOf = ({ seenE18 }: Payment): number => Number(seenE18 / 10n ** 14n) / 10_000;

test('a coin that waits for its block for longer than a day counts by the market of its block', async () => {
  const payment = await world.create();
  const pool = poolOf(payment, 'slow', ['slow:0']);
  await pool.look([], minutes(1));
  expect(dollarsOf(await world.apply(payment, null, minutes(1)))).toBe(100);
  await world.head(50, minutes(2 * DAY));
  const { status } = await world.apply(payment, { kind: 'clock' }, minutes(2 * DAY));
  expect(status).toBe('failed');
  prices['ETH'] = '1500';
  await pool.mine(60, minutes(5 * DAY));
  await world.head(70, minutes(5 * DAY));
  const mined = await world.apply(payment, null, minutes(5 * DAY));
  expect(dollarsOf(mined)).toBeCloseTo(50, 3);
  const accepted = await world.apply(payment, { kind: 'resolve' }, minutes(5 * DAY));
  expect(Number(accepted.booked.available / 100n) / 10_000).toBeCloseTo(50, 3);
  expect(await creditsOf(payment)).toMatchObject([{ rate: { number: 0, marketE8: '150000000000' } }]);
  expect((await reconcile(world.db)).findings).toEqual([]);
});

test('a statement says of each booking of a coin by which price it was made, also once it was booked anew', async () => {
  const payment = await world.create();
  const pool = poolOf(payment, 'told', ['told:0']);
  const told = async () =>
    (await movementsOf(payment)).flatMap(({ kind, value, transfer }) =>
      kind === 'payment.moved' ? [] : [[kind, value, transfer?.price?.value ?? null]],
    );
  await pool.look([], minutes(1));
  await world.apply(payment, null, minutes(1));
  expect(await told()).toEqual([['credit', '100.000000', '2999.99940000']]);
  prices['ETH'] = '1500';
  await pool.mine(90, minutes(5 * DAY));
  await world.head(100, minutes(5 * DAY));
  await world.apply(payment, null, minutes(5 * DAY));
  expect(await told()).toEqual([
    ['credit', '100.000000', null],
    ['credit.reversed', '-100.000000', null],
    ['credit', '50.000007', '1499.99992500'],
  ]);
});

test('what a block has in place of it counts by the market, too, and within the day both keep their price', async () => {
  const [slow, soon] = [await world.create(), await world.create()];
  for (const payment of [slow, soon]) {
    await poolOf(payment, `first-${payment.id}`, [`${payment.id}:0`]).look([], minutes(1));
    await world.apply(payment, null, minutes(1));
  }
  prices['ETH'] = '1500';
  await poolOf(soon, `second-${soon.id}`, [`${soon.id}:0`]).mine(80, minutes(DAY));
  await poolOf(slow, `second-${slow.id}`, [`${slow.id}:0`]).mine(81, minutes(DAY + 2));
  expect(dollarsOf(await world.apply(soon, null, minutes(DAY + 2)))).toBe(100);
  expect(dollarsOf(await world.apply(slow, null, minutes(DAY + 2)))).toBeCloseTo(50, 3);
});

test('a coin that is back in a block after a day counts by the market, too, where nothing was reversed meanwhile', async () => {
  const payment = await world.create();
  const pool = poolOf(payment, 'back', ['back:0']);
  await pool.look([], minutes(1));
  expect(dollarsOf(await world.apply(payment, null, minutes(1)))).toBe(100);
  const gone = [{ txHash: 'back', by: 'rival' }];
  await inTransaction(world.db, async (trx) =>
    paymentMatcher.observePool?.(trx, NETWORK, { arrived: [], gone }, minutes(5 * DAY)),
  );
  prices['ETH'] = '1500';
  await pool.mine(90, minutes(5 * DAY));
  expect(dollarsOf(await world.apply(payment, null, minutes(5 * DAY)))).toBeCloseTo(50, 3);
  expect((await reconcile(world.db)).findings).toEqual([]);
});

test('a coin is not offered once the payment is over and its quote with it', async () => {
  const payment = await world.create();
  const [ether] = payment.options.filter(({ token }) => token === 'ETH');
  const offered = (status: Payment['status']) => ether && !isUnavailable({ status }, ether, minutes(60));
  expect([offered('pending'), offered('expired'), offered('confirming'), offered('paid')]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
