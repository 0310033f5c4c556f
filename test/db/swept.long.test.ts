import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../scripts/bench/explain.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { listUnsweptDeposits, markCollected, markSwept } from '../../src/payments/swept.ts';
import type { Payment } from '../../src/payments/types.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const COUNT = 12_000;
/** A dollar in USDT: what is less would be dust. */
const UNIT = 1_000_000n;
/** What a statement may write: half a second. */
const WRITTEN_MAX = 5_000;
const HEIGHT = 20;

let world: PaymentWorld;
let payments: readonly Payment[];
beforeAll(async () => {
  world = await createPaymentWorld();
  payments = [await world.create(), await world.create()];
  for (const [i, payment] of payments.entries()) {
    const units = Array.from({ length: i === 0 ? COUNT : 3 }, () => UNIT);
    await world.arriveTogether(payment, units, { height: HEIGHT, tx: `0x${i}` });
  }
  const owner = await connectOwner(world.database);
  await owner.query(`
    create table written_rows (count integer not null);
    grant all on written_rows to public;
    create function count_written() returns trigger language plpgsql as $$
    begin
      insert into written_rows select count(*) from written;
      return null;
    end $$;
    create trigger count_written after update on credits referencing new table as written
      for each statement execute function count_written()`);
  await owner.end();
});
afterAll(() => world.close());

const addressOf = (payment: Payment): string => payment.options[0]!.address.toLowerCase();
const [{ contract }] = TEST_NETWORK.tokens as unknown as [{ contract: string }];

/** How many credits of each payment are noted as swept after this, and the most that one statement of it wrote. */
async function after(work: (trx: Trx) => Promise<void>) {
  await sql`delete from written_rows`.execute(world.db);
  await inTransaction(world.db, work);
  const { rows: most } = await sql<{ count: number | null }>`select max(count) as count from written_rows`.execute(
    world.db,
  );
  const { rows } = await sql<{ payment_id: string; count: number }>`
    select payment_id, count(swept_at)::integer as count from credits group by payment_id`.execute(world.db);
  const swept = payments.map(({ id }) => rows.find((row) => row.payment_id === id)?.count);
  return { swept, written: most[0]!.count ?? 0 };
}

/** Notes what was swept from the addresses, so many units of each. */
const sweep = (units: readonly bigint[]) => (trx: Trx) => {
  const addresses = payments.map(addressOf);
  const sweeps = addresses.map((address, i) => ({ address, contract, units: units[i]!, height: HEIGHT }));
  return markSwept(trx, TEST_NETWORK, { addresses, sweeps, height: HEIGHT }, START);
};

test('no statement notes more than a few thousand of the transfers to an address as swept, or takes that back', async () => {
  const all = await after(sweep([UNIT * BigInt(COUNT), 2n * UNIT]));
  expect(all.swept).toEqual([COUNT, 2]);
  expect(all.written).toBeLessThanOrEqual(WRITTEN_MAX);
  expect((await after(sweep([UNIT * BigInt(COUNT), 2n * UNIT]))).written).toBe(0);
  const none = await after(sweep([UNIT - 1n, 3n * UNIT]));
  expect(none.swept).toEqual([0, 3]);
  expect(none.written).toBeLessThanOrEqual(WRITTEN_MAX);
});

test('nor of those that transactions have collected into a treasury', async () => {
  const collected = await after((trx) =>
    markCollected(trx, TEST_NETWORK.name, payments.map(addressOf), ['0x0', '0x1'], START),
  );
  expect(collected.swept).toEqual([COUNT, 3]);
  expect(collected.written).toBeLessThanOrEqual(WRITTEN_MAX);
});

/** The buffers of the largest statement that lists what lies unswept. */
async function largestListing(): Promise<number> {
  // As autovacuum does soon: without it a plan reads more where there is little.
  const owner = await connectOwner(world.database);
  await owner.query('analyze credits');
  await owner.end();
  const { statementsOf, explain, end } = listen(world.database.url);
  const heard = await statementsOf((db) => listUnsweptDeposits(db, place, wanted, sql`false`));
  const costs = await explain(heard);
  await end();
  return Math.max(...costs.map(({ buffers }) => buffers));
}

const place = { network: TEST_NETWORK.name, contract };
const wanted = { minimum: 2n * UNIT, before: START };

/** So many addresses more, with two transfers of a dollar each, of which one is confirmed. */
async function fill(from: number, count: number): Promise<void> {
  const [address, place] = [sql`${from}::integer + (n - 1) / 2`, sql`(n - 1) % 2`];
  const differing = sql`jsonb_build_object(
    'id', concat('crd_', ${address}, 'x', ${place}), 'tx_hash', concat('0xc', ${address}), 'transfer_index', ${place},
    'recipient', concat('0x', ${address}), 'confirmed_at', case when ${place} = 0 then now() end, 'swept_at', null)`;
  await copyCredits(world.db, sql`c.tx_hash = '0x1' and c.transfer_index = 0`, differing, 2 * count);
}

test('what lies unswept is added up by statements that do not grow with the number of addresses', async () => {
  await sql`update credits set swept_at = now()`.execute(world.db);
  await fill(1_000, 300);
  const few = await largestListing();
  await fill(2_000, 3_000);
  expect(await largestListing()).toBeLessThan(2 * few);
  // The most first; what is not confirmed counts for what is small, and is not swept.
  await sql`update credits set amount_units = ${3n * UNIT} where recipient in ('0x1005', '0x2005')`.execute(world.db);
  await sql`update credits set amount_units = 1 where recipient = '0x3005'`.execute(world.db);
  const { sweepable, small } = await listUnsweptDeposits(world.db, place, wanted, sql`c.recipient = '0x2005'`);
  expect(sweepable).toMatchObject([{ address: '0x1005', paymentId: payments[1]!.id, units: 3n * UNIT }]);
  expect(small).toEqual({ addresses: 1, units: 2n });
});
