import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAnswers } from '../../src/db/answers.ts';
import { openDatabase } from '../../src/db/database.ts';
import { expectLosses } from '../../src/db/losses.ts';
import { createNamer } from '../../src/db/prepared.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
let pool: pg.Pool;
let owner: pg.Client;
/** How often a connection was told the columns of a statement. */
let descriptions = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 4, applicationName: 'test', onError: () => {} });
  owner = await connectOwner(database);
  owner.on('error', () => undefined);
  await owner.query(
    `create table coins (id bigint primary key, name text, weight numeric(20, 0), found timestamptz, notes jsonb);
     insert into coins values (1, 'penny', 3, '2026-01-02T03:04:05Z', '{"old": true}'), (2, null, null, null, null);
     grant all on coins to public`,
  );
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const namer = createNamer();
  // A connection that the end of the test has closed on the server's side.
  expectLosses(pool, () => undefined);
  pool.on('connect', (client) => {
    expectAnswers(client, 10_000);
    namer.prepare(client);
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.on('rowDescription', () => {
      descriptions += 1;
    });
  });
});
afterAll(async () => {
  await pool.end();
  await db.destroy();
  await owner.end();
  await database.drop();
});

const PENNY = {
  id: 1n,
  name: 'penny',
  weight: 3n,
  found: new Date('2026-01-02T03:04:05Z'),
  notes: { old: true },
};

test('a connection is told the columns of a statement once, however often it runs', async () => {
  const client = await pool.connect();
  const other = await pool.connect();
  // A new connection asks something itself.
  for (const each of [client, other]) await each.query('select 1');
  descriptions = 0;
  try {
    const read = (on: pg.PoolClient, id: number) => on.query('select id, name from coins where id = $1', [id]);
    for (const id of [1, 2, 3, 1]) expect((await read(client, id)).rowCount).toBe(id === 3 ? 0 : 1);
    expect(descriptions).toBe(1);
    expect((await read(other, 1)).rows).toEqual([{ id: '1', name: 'penny' }]);
    expect(descriptions).toBe(2);
    const { fields, command, rows } = await read(client, 1);
    expect(fields.map(({ name }) => name)).toEqual(['id', 'name']);
    expect({ command, rows }).toEqual({ command: 'SELECT', rows: [{ id: '1', name: 'penny' }] });
  } finally {
    client.release();
    other.release();
  }
});

test('types stay right at every execution, and rows are objects of their own', async () => {
  const read = (id: number) => sql<typeof PENNY>`select * from coins where id = ${id}`.execute(db);
  const first = await read(1);
  expect(first.rows).toEqual([PENNY]);
  (first.rows[0] as { name: string }).name = 'changed';
  expect((await read(1)).rows).toEqual([PENNY]);
  expect((await read(2)).rows).toEqual([{ id: 2n, name: null, weight: null, found: null, notes: null }]);
  expect((await read(3)).rows).toEqual([]);
  expect((await read(1)).rows).toEqual([PENNY]);
});

test('statements without rows, and those that return some, say how many rows they changed', async () => {
  for (const id of [11, 12]) {
    const { numAffectedRows } = await sql`insert into coins (id) values (${id})`.execute(db);
    expect(numAffectedRows).toBe(1n);
  }
  for (const id of [11, 12, 13]) {
    const { rows, numAffectedRows } = await sql`delete from coins where id = ${id} returning id`.execute(db);
    expect(numAffectedRows).toBe(id === 13 ? 0n : 1n);
    expect(rows).toEqual(id === 13 ? [] : [{ id: BigInt(id) }]);
  }
});

test('an error of one execution leaves the next ones right, whether it was the first or not', async () => {
  const divide = (by: number) => sql<{ share: number }>`select 12 / ${by}::integer as share`.execute(db);
  const insert = (id: number) => sql`insert into coins (id, name) values (${id}, 'twin')`.execute(db);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect((await divide(4)).rows).toEqual([{ share: 3 }]);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect((await divide(6)).rows).toEqual([{ share: 2 }]);
  await expect(insert(1)).rejects.toMatchObject({ code: '23505' });
  await insert(21);
  await expect(insert(21)).rejects.toMatchObject({ code: '23505' });
  await expect(inTransaction(db, () => insert(21))).rejects.toMatchObject({ code: '23505' });
  await sql`delete from coins where id = ${21}`.execute(db);
});

test('a value that can not be sent fails alone', async () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const client = await pool.connect();
  try {
    const echo = (value: unknown) => client.query('select $1::text as said', [value]);
    expect((await echo('a')).rows).toEqual([{ said: 'a' }]);
    await expect(client.query('select $1::jsonb as loop', [loop])).rejects.toThrow(/circular/i);
    expect((await echo('b')).rows).toEqual([{ said: 'b' }]);
  } finally {
    client.release();
  }
});

test('columns that change under prepared statements are never read as the old ones', async () => {
  const text = 'select * from shapes where id >= $1 order by id';
  await owner.query(
    'create table shapes (id integer, name text); insert into shapes values (1, $$one$$); grant select on shapes to public',
  );
  const read = async () => (await sql`select * from shapes where id >= ${0}`.execute(db)).rows;
  const onEach = () => Promise.all(Array.from({ length: 8 }, read));
  for (const rows of await onEach()) expect(rows).toEqual([{ id: 1, name: 'one' }]);
  await owner.query('alter table shapes rename column name to title');
  for (const rows of await onEach()) expect(rows).toEqual([{ id: 1, title: 'one' }]);
  await owner.query('alter table shapes alter column id type bigint');
  for (const rows of await onEach()) expect(rows).toEqual([{ id: 1n, title: 'one' }]);
  await owner.query('alter table shapes drop column title, add column sides integer default 4');
  for (const rows of await onEach()) expect(rows).toEqual([{ id: 1n, sides: 4 }]);

  // As behind a pooler that prepares the statement again by itself: the name is known, and its rows have changed.
  const client = await pool.connect();
  try {
    await client.query(text, [0]);
    const { rows } = await client.query('select name from pg_prepared_statements where statement = $1', [text]);
    const name = (rows[0] as { name: string }).name;
    await owner.query('alter table shapes add column colour text');
    await client.query(`deallocate ${name}`);
    await client.query(`prepare ${name} (integer) as ${text}`);
    await expect(client.query(text, [0])).rejects.toThrow(/not as they were described/);
    expect((await client.query(text, [0])).rows).toEqual([{ id: '1', sides: 4, colour: null }]);
  } finally {
    client.release();
  }
});

test('many connections at once read their own rows', async () => {
  const read = (id: number) => sql<{ id: bigint; name: string | null }>`select id, name from coins where id = ${id}`;
  const ids = Array.from({ length: 200 }, (_, index) => (index % 3) + 1);
  const results = await Promise.all(ids.map((id) => read(id).execute(db)));
  for (const [index, { rows }] of results.entries()) {
    const expected = { 1: [{ id: 1n, name: 'penny' }], 2: [{ id: 2n, name: null }], 3: [] };
    expect(rows).toEqual(expected[ids[index] as 1 | 2 | 3]);
  }
});
