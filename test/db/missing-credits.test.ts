import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { CreditRow } from '../../src/payments/credits.ts';
import { storeMissingCredits } from '../../src/payments/missing-credits.ts';
import type { Payment } from '../../src/payments/types.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { rowsRead } from '../support/rows-read.ts';

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

/** How many rows of credits are read while these are stored again. */
const readStoring = (rows: readonly CreditRow[]): Promise<number> =>
  inTransaction(world.db, (trx) =>
    rowsRead(trx, 'credits', async () => {
      expect(await storeMissingCredits(trx, rows, START)).toBe(rows.length);
    }),
  );

/** In units of USDT: what is less is dust. */
const DOLLAR = 1_000_000n;

const equal = (count: number) => Array.from({ length: count }, () => DOLLAR);
const unequal = (count: number) => Array.from({ length: count }, (_, i) => DOLLAR + BigInt(i));

/** A plan that reads the whole table twice takes less; the square of their number takes a hundred times as many. */
const MOST_READ_OF_EACH = 20;

test.each([
  ['equal', equal, 100],
  ['unequal', unequal, 200],
])(
  'what it takes to bring back the %s transfers of a transaction grows with their number alone',
  async (_, of, height) => {
    const read = await readStoring(await takenBack(height, of(2_000)));
    expect(read / 2_000).toBeLessThan(MOST_READ_OF_EACH);
  },
);

test.each([
  ['equal', equal, 300],
  ['unequal', unequal, 400],
])('and so does storing %s ones that were missed', async (_, of, height) => {
  const missed = (await takenBack(height, of(2_000))).map((row) => ({ ...row, tx_hash: `${row.tx_hash}m` }));
  expect((await readStoring(missed)) / 2_000).toBeLessThan(MOST_READ_OF_EACH);
});
