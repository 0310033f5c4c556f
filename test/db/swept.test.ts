import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { markCollected, markSwept } from '../../src/payments/swept.ts';
import type { Payment } from '../../src/payments/types.ts';
import { connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const COUNT = 12_000;
/** What a statement may write: half a second. */
const WRITTEN_MAX = 5_000;
const HEIGHT = 20;

let world: PaymentWorld;
let payments: readonly Payment[];
beforeAll(async () => {
  world = await createPaymentWorld();
  payments = [await world.create(), await world.create()];
  for (const [i, payment] of payments.entries()) {
    const units = Array.from({ length: i === 0 ? COUNT : 3 }, () => 10n);
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
  const all = await after(sweep([10n * BigInt(COUNT), 20n]));
  expect(all.swept).toEqual([COUNT, 2]);
  expect(all.written).toBeLessThanOrEqual(WRITTEN_MAX);
  expect((await after(sweep([10n * BigInt(COUNT), 20n]))).written).toBe(0);
  const none = await after(sweep([9n, 30n]));
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
