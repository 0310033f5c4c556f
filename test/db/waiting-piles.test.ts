import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAnyDue, listDuePayments } from '../../src/payments/due.ts';
import { payPlain } from '../../src/payments/pay-plain.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fillRows, loosenRows } from '../support/loose-rows.ts';

const NOW = new Date();

let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = await connectOwner(database);
  await loosenRows(owner);
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

const fill = (table: string, count: number, columns: Readonly<Record<string, string>>) =>
  fillRows(owner, table, count, columns);

test('payments that wait for a second endpoint are not looked up for those that could be confirmed', async () => {
  const paid = { status: `'paid'`, paid_at: 'now()', expires_at: 'now()' };
  const credit = { network: `'n1'`, tx_hash: `'0x' || g`, applied_at: 'now()', value_e18: '25e18', canonical: 'true' };
  await fill('chain_cursors', 1, {
    ...{ network: `'n1'`, height: '9000', head_height: '9000', confirmed_height: '8000', second_opinion_from: '1' },
  });
  await fill('payments', 10_000, { ...paid, id: `'pay_a' || g` });
  const over = { confirmed_at: 'now()', final_at: 'now()', block_number: 'g' };
  await fill('credits', 10_000, { ...credit, ...over, id: `'crd_a' || g`, payment_id: `'pay_a' || g` });
  await owner.query('analyze');
  await fill('payments', 2_000, { ...paid, id: `'pay_w' || g`, status: `'confirming'`, credit_count: '1' });
  const waits = { id: `'crd_w' || g`, payment_id: `'pay_w' || g`, tx_hash: `'0xw' || g`, block_number: '5000 + g' };
  await fill('credits', 2_000, { ...credit, ...waits });

  const all = { condition: sql<boolean>`true`, except: sql<boolean>`false` };
  const buffers = await buffersOf(database, async (db) => {
    expect((await sql<{ due: boolean }>`select ${isAnyDue} as due`.execute(db)).rows).toEqual([{ due: false }]);
    expect((await listDuePayments(db, { after: '', limit: 500 }, all)).refs).toEqual([]);
    expect(await payPlain(db, {} as never, 200, NOW)).toBe(0);
  });
  expect(buffers).toBeLessThan(1_000);
});
