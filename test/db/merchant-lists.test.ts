import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { listMerchants } from '../../src/merchants/list-queries.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  // Names and addresses with hardly a word in common, as real ones are.
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
                           updated_at)
    select 'mer_' || lpad(n::text, 26, '0'), 'Shop ' || md5(n::text),
           substr(md5('e' || n), 1, 12) || '@example.com', '',
           '+9477' || lpad(n::text, 7, '0'), 'company', case when n % 50 = 0 then 'frozen' else 'active' end,
           timestamptz '2026-01-01' + n * interval '1 second', now()
      from generate_series(1, 1000) n`.execute(connection.db);
  await sql`analyze merchants`.execute(connection.db);
});
afterAll(() => connection.close());

const PAGE = { offset: 0, limit: 20 };

/** The plan of the statement that reads the page, as text. */
async function planOf(condition: ReturnType<typeof sql<boolean>>, db: Db | Trx = connection.db): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select * from merchants m where ${condition} order by created_at desc, id desc limit 20`.execute(db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('a search uses an index and reads no merchant that it does not show', async () => {
  const { found, total } = await listMerchants(connection.db, { search: '9477 0000321' }, PAGE);
  expect([total, found.rows[0]?.id]).toEqual([1, `mer_${'321'.padStart(26, '0')}`]);
  // A thousand merchants are looked at as fast.
  const plan = await connection.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    await sql`set local enable_indexscan = off`.execute(trx);
    return planOf(sql`m.terms @@ merchant_search(${'9477 0000321'})`, trx as Trx);
  });
  expect(plan).toContain('merchants_found');
  expect(plan).not.toContain('Seq Scan');
});

test('a page of all merchants, or of those in one status, is read from an index in order', async () => {
  expect(await planOf(sql`true`)).toContain('merchants_by_time');
  expect(await planOf(sql`m.status = 'frozen'`)).toContain('merchants_by_status');
  const { found, total } = await listMerchants(connection.db, { status: 'frozen' }, PAGE);
  expect([total, found.rows.length, found.rows[0]?.id]).toEqual([20, 20, `mer_${'1000'.padStart(26, '0')}`]);
});

test("no merchant's text and no search is too long for the index", async () => {
  const long = 'ක'.repeat(120);
  await connection.db
    .updateTable('merchants')
    .set({ business_name: long, email: `${'x'.repeat(242)}@example.com` })
    .where('id', '=', `mer_${'1'.padStart(26, '0')}`)
    .execute();
  expect((await listMerchants(connection.db, { search: long }, PAGE)).total).toBe(1);
  expect((await listMerchants(connection.db, { search: 'x'.repeat(200) }, PAGE)).total).toBe(1);
  expect((await listMerchants(connection.db, { search: 'a '.repeat(100) }, PAGE)).total).toBeGreaterThan(0);
  expect((await listMerchants(connection.db, { search: ' - ' }, PAGE)).total).toBe(0);
});
