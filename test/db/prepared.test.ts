import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { LISTED, VARYING } from '../../src/db/prepared.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
  owner = await connectOwner(database);
  await owner.query(
    'create table shapes (id integer); insert into shapes values (1); grant select on shapes to public',
  );
});
afterAll(async () => {
  await owner.end();
  await db.destroy();
  await database.drop();
});

const prepared = async (): Promise<number> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_prepared_statements`.execute(db);
  return Number(rows[0]?.count);
};

test('a statement is prepared once per connection, however often it is used', async () => {
  for (let i = 0; i < 5; i += 1) {
    const { rows } = await sql<{ sum: number }>`select 1 + ${i}::integer as sum`.execute(db);
    expect(rows[0]?.sum).toBe(1 + i);
  }
  expect(await prepared()).toBe(1);
});

test('a statement whose text varies is not prepared, so that it takes the name of no other', async () => {
  const before = await prepared();
  const { rows } = await sql<{ sum: number }>`select ${VARYING} 2 + ${3}::integer as sum`.execute(db);
  expect(rows).toEqual([{ sum: 5 }]);
  expect(await prepared()).toBe(before);
});

test('lists, whose filters make more texts than there are names, leave names to all other statements', async () => {
  const own = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    const names = async (): Promise<string[]> => {
      const { rows } = await sql<{ text: string }>`select statement as text from pg_prepared_statements`.execute(own);
      return rows.map(({ text }) => text);
    };
    for (let i = 0; i < 400; i += 1) await sql`select ${LISTED} ${sql.lit(i)} + ${i}::integer`.execute(own);
    expect(await names()).toHaveLength(150);
    await sql`select 'of something else', ${1}::integer`.execute(own);
    expect((await names()).filter((text) => text.includes('of something else'))).toHaveLength(1);
  } finally {
    await own.destroy();
  }
});

test('a failing statement rolls back its transaction and works again afterwards', async () => {
  const divide = (by: number) => sql<{ share: number }>`select 12 / ${by}::integer as share`;
  await expect(inTransaction(db, (trx) => divide(0).execute(trx))).rejects.toThrow(/division by zero/);
  expect((await inTransaction(db, (trx) => divide(4).execute(trx))).rows[0]?.share).toBe(3);
});

test('after its table was altered, a statement is prepared again, and nobody notices', async () => {
  const read = () => sql<Record<string, unknown>>`select * from shapes where id = ${1}`.execute(db);
  expect(Object.keys((await read()).rows[0] ?? {})).toEqual(['id']);
  await owner.query("alter table shapes add column name text default 'round'");
  expect(Object.keys((await read()).rows[0] ?? {})).toEqual(['id', 'name']);
});

test('in a transaction it ends the attempt, and the work is done again from its beginning', async () => {
  const read = (trx: Db | Trx) => sql<Record<string, unknown>>`select * from shapes where id = ${1}`.execute(trx);
  await read(db);
  await owner.query('alter table shapes add column colour text');
  let attempts = 0;
  const { rows } = await inTransaction(db, (trx) => {
    attempts += 1;
    return read(trx);
  });
  expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'name', 'colour']);
  expect(attempts).toBe(2);
});

test('a stale plan is known in whatever language the server says so', async () => {
  await owner.query('create table translated (id integer); prepare stale as select * from translated; execute stale');
  await owner.query('alter table translated add column more integer');
  const error = await owner.query('execute stale').catch((failure: Error) => failure);
  Object.assign(error, { message: 'im Cache gespeicherter Plan darf den Ergebnistyp nicht ändern' });
  let attempts = 0;
  const answer = await inTransaction(db, async () => {
    attempts += 1;
    if (attempts === 1) throw error;
    return 'done';
  });
  expect([answer, attempts]).toEqual(['done', 2]);
});
