import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { CreditRow } from '../../src/payments/credits.ts';
import { storeMissingCredits } from '../../src/payments/missing-credits.ts';
import type { Payment } from '../../src/payments/types.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

let world: PaymentWorld;
let payment: Payment;
beforeAll(async () => {
  world = await createPaymentWorld();
  payment = await world.create();
});
afterAll(() => world.close());

/** The transfers of a block that was stored and taken back, as they are read again. */
async function takenBack(height: number, units: readonly bigint[]): Promise<CreditRow[]> {
  await world.arriveTogether(payment, units, { height });
  const { rows } = await sql<CreditRow>`
    select id || 'x' as id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time, token,
           contract, sender, recipient, amount_units, decimals, value_e18, rate, seen_at
      from credits where block_number = ${height}`.execute(world.db);
  await world.orphan(height - 1);
  return rows;
}

/** How many rows of credits are read while these are stored again, those that triggers read included. */
const rowsRead = (rows: readonly CreditRow[]): Promise<number> =>
  inTransaction(world.db, async (trx) => {
    expect(await storeMissingCredits(trx, rows, START)).toBe(rows.length);
    const { rows: counts } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::integer as read
        from pg_stat_xact_user_tables where relname = 'credits'`.execute(trx);
    return counts[0]!.read;
  });

/** In units of USDT: what is less is dust. */
const DOLLAR = 1_000_000n;

const equal = (count: number) => Array.from({ length: count }, () => DOLLAR);
const unequal = (count: number) => Array.from({ length: count }, (_, i) => DOLLAR + BigInt(i));

test.each([
  ['equal', equal, 100],
  ['unequal', unequal, 200],
])(
  'what it takes to bring back the %s transfers of a transaction grows with their number alone',
  async (_, of, height) => {
    const few = await rowsRead(await takenBack(height, of(200)));
    const many = await rowsRead(await takenBack(height + 1, of(2_000)));
    expect(many / few).toBeLessThan(15);
  },
);

test.each([
  ['equal', equal, 300],
  ['unequal', unequal, 400],
])('and so does storing %s ones that were missed', async (_, of, height) => {
  const missed = async (at: number, count: number) =>
    (await takenBack(at, of(count))).map((row) => ({ ...row, tx_hash: `${row.tx_hash}m` }));
  const few = await rowsRead(await missed(height, 200));
  const many = await rowsRead(await missed(height + 1, 2_000));
  expect(many / few).toBeLessThan(15);
});
