import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { coinMatcher } from '../../src/payments/coins.ts';
import { sumDust } from '../../src/payments/dust.ts';
import type { Payment } from '../../src/payments/types.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { crowd } from '../support/crowd.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const USDT = 1_000_000n;
const CENT = 10_000n;
/** Worth a little less than a cent each. */
const tiny = (count: number): bigint[] => Array.from({ length: count }, () => CENT - 1n);

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
});
afterAll(() => world.close());

const addressOf = (payment: Payment): string => payment.options[0]?.address.toLowerCase() ?? '';

/** How many transfers of a payment are credited, in the chain as it is, and the units that are kept aside. */
async function stored(payment: Payment, height = 1_000_000) {
  const { rows } = await sql<{ all: number; canonical: number }>`
    select count(*)::integer as all, (count(*) filter (where canonical))::integer as canonical
      from credits where payment_id = ${payment.id}`.execute(world.db);
  const dust = await inTransaction(world.db, (trx) => sumDust(trx, TEST_NETWORK.name, [addressOf(payment)], height));
  return { ...rows[0], dust: dust.reduce((sum, { units }) => sum + units, 0n) };
}

/** What the incident says of this payment. */
const toldOf = async (payment: Payment) => {
  const { rows } = await sql<{ message: string; detail: { payment: string }[] }>`
    select message, detail from incidents where kind = 'payment.dust' and subject = 'devnet'`.execute(world.db);
  const [told] = rows.flatMap(({ detail }) => detail.filter((each) => each.payment === payment.id));
  return told && { ...told, message: rows[0]?.message };
};

describe('a payment that gets thousands of tiny transfers', () => {
  test('has the first thousand credited, and the others kept aside with an incident', async () => {
    const payment = await world.create();
    await world.arriveTogether(payment, tiny(1500), { height: 10, tx: '0xd1' });
    expect(await stored(payment)).toEqual({ all: 1000, canonical: 1000, dust: 500n * (CENT - 1n) });
    expect(await toldOf(payment)).toEqual({
      ...{ payment: payment.id, transfers: 500, worth: '4.999500' },
      message:
        '500 transfers to 1 payments, worth 4.999500 USD together, were too small to be credited; the last of them in block 10.',
    });
  });

  test('is still paid by what is worth a cent or more', async () => {
    const payment = await world.create();
    await world.arriveTogether(payment, tiny(1000), { height: 10, tx: '0xd2' });
    expect(await toldOf(payment)).toBeUndefined();
    await world.arriveTogether(payment, [CENT, 100n * USDT, CENT - 1n], { height: 10, hash: '0xb10', tx: '0xpays' });
    expect(await stored(payment)).toEqual({ all: 1002, canonical: 1002, dust: CENT - 1n });
    await world.head(20);
    let paid = await world.apply(payment);
    for (let turn = 0; turn < 12; turn += 1) paid = await world.apply(payment);
    expect(paid).toMatchObject({ status: 'paid', creditCount: 1002 });
  });

  test('needs a dollar a transfer after ten thousand, or all that it asks', async () => {
    const [large, small] = [await world.create(), await world.create({ amountMinor: 50n })];
    for (const [payment, tx] of [
      [large, '0xl'],
      [small, '0xs'],
    ] as const) {
      await crowd(world.db, payment, 10_000);
      await world.arriveTogether(payment, [USDT / 2n - CENT, USDT / 2n, USDT], { height: 11, tx });
    }
    expect(await stored(large)).toMatchObject({ all: 10_001, dust: USDT - CENT });
    expect(await stored(small)).toMatchObject({ all: 10_002, dust: USDT / 2n - CENT });
  });

  test('has what was credited credited again when a reorg brings it in another block', async () => {
    const [few, many] = [await world.create(), await world.create()];
    const arrive = (hash: string) =>
      Promise.all([
        world.arriveTogether(few, tiny(600), { height: 12, hash, tx: '0xfew' }),
        world.arriveTogether(
          many,
          Array.from({ length: 5000 }, () => USDT / 2n),
          { height: 12, hash, tx: '0xmany' },
        ),
      ]);
    await crowd(world.db, many, 5000);
    await arrive('0xone');
    await world.orphan(11);
    await arrive('0xother');
    expect(await stored(few)).toEqual({ all: 1200, canonical: 600, dust: 0n });
    expect(await stored(many)).toEqual({ all: 15_000, canonical: 10_000, dust: 0n });
  });

  test('is completed by what is lacking, however little that is', async () => {
    const payment = await world.create({ amountMinor: 100n });
    await world.arriveTogether(payment, [USDT - CENT], { height: 13, tx: '0xnearly' });
    await crowd(world.db, payment, 10_000);
    // Half a percent may be missing.
    await world.arriveTogether(payment, [4_999n, 5_000n, 5_000n], { height: 14, tx: '0xrest' });
    expect(await stored(payment)).toMatchObject({ all: 10_002, dust: 9_999n });
  });

  test('whose dust is credited after all, by a release that knows none, has it no longer kept aside', async () => {
    const payment = await world.create();
    const arrive = () => world.arriveTogether(payment, tiny(1001), { height: 15, tx: '0xboth' });
    await arrive();
    const last = sql<boolean>`c.payment_id = ${payment.id} and c.transfer_index = 999`;
    await copyCredits(world.db, last, sql`jsonb_build_object('id', c.id || 'x', 'transfer_index', 1000)`);
    await arrive();
    expect(await stored(payment)).toEqual({ all: 1001, canonical: 1001, dust: 0n });
  });

  test('keeps the dust of a token when its transaction is read again under a list without that token', async () => {
    const payment = await world.create();
    const at = { height: 16, hash: '0xlists', tx: '0xlists' };
    await world.arriveTogether(payment, tiny(1000), at);
    await world.arriveTogether(payment, [10n ** 15n, 10n ** 15n], { ...at, index: 1000, token: 1 });
    expect(await stored(payment)).toMatchObject({ all: 1000, dust: 2n * 10n ** 15n });
    await world.arriveTogether(payment, tiny(1000), at);
    expect(await stored(payment)).toMatchObject({ all: 1000, dust: 2n * 10n ** 15n });
  });

  test('has nothing kept aside twice, and again what a reorg took once its block is back', async () => {
    const payment = await world.create();
    const arrive = (hash: string, height = 10, index = 0) =>
      world.arriveTogether(payment, tiny(1200), { height, hash, tx: '0xd3', index });
    const aside = 200n * (CENT - 1n);
    await arrive('0xba');
    await arrive('0xba');
    expect(await stored(payment)).toEqual({ all: 1000, canonical: 1000, dust: aside });
    await world.orphan(9);
    expect(await stored(payment)).toEqual({ all: 1000, canonical: 0, dust: 0n });
    // Under another list of tokens.
    await arrive('0xba', 10, 5);
    expect(await stored(payment)).toEqual({ all: 1000, canonical: 1000, dust: aside });
    expect(await stored(payment, 9)).toMatchObject({ dust: 0n });
    expect(await stored(payment, 10)).toMatchObject({ dust: aside });
  });
});

test('what comes in the coin to an address with a thousand credits becomes one credit a block', async () => {
  const network = { ...TEST_NETWORK, native: ETH };
  const coins = await createPaymentWorld({}, null, { native: ETH, prices: { ETH: '2000' } });
  const payment = await coins.create();
  const address = addressOf(payment);
  const blockAt = (height: number) => ({ network: network.name, height, hash: `0xc${height}`, time: START });
  const read = (height: number, held: bigint, count: number) =>
    inTransaction(coins.db, (trx) => {
      const arrivals = Array.from({ length: count }, (_, place) => ({
        ...{ block: blockAt(height - (place % 2)), address, units: 1n, place },
        ...{ txHash: `0xt${height}`, from: '0x00000000000000000000000000000000000000c1' },
      }));
      const reading = { block: blockAt(height), late: false, balances: [{ address, units: held }], arrivals };
      return coinMatcher.observe(trx, network, reading, START);
    });
  await read(11, 1000n, 1000);
  await read(13, 1500n, 500);
  await read(13, 1500n, 500);
  const { rows } = await sql`
    select tx_hash, block_number::integer, count(*)::integer, sum(amount_units)::integer as units
      from credits where payment_id = ${payment.id} group by 1, 2 order by 2, 1`.execute(coins.db);
  await coins.close();
  expect(rows).toEqual([
    { tx_hash: '0xt11', block_number: 10, count: 500, units: 500 },
    { tx_hash: '0xt11', block_number: 11, count: 500, units: 500 },
    { tx_hash: `internal:0xc12:${address}`, block_number: 12, count: 1, units: 250 },
    { tx_hash: `internal:0xc13:${address}`, block_number: 13, count: 1, units: 250 },
  ]);
});
