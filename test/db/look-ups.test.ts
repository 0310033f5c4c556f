import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase, poolLoad } from '../../src/db/database.ts';
import { inTransaction, isUnavailable } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countPieces } from '../support/pieces.ts';
import { isWaiting } from '../support/waiting.ts';

const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
const open = (poolMax: number): Db =>
  openDatabase({ url: database.url, poolMax, applicationName: 'test', onError: () => {} });
const db = open(4);
await owner.query(
  `create table shapes (id integer primary key, name text);
   insert into shapes select i, 'shape ' || i from generate_series(1, 300) i;
   grant select on shapes to public`,
);
afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

type Shape = { readonly id: number; readonly name: string };
const shape = (id: number) => sql<Shape>`select * from shapes where id = ${id}`;
const share = (by: number) => sql<{ share: number }>`select 12 / ${by}::integer as share`;
const asleep = (seconds: number) => sql<{ slept: string }>`select pg_sleep(${seconds})::text as slept`;
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('what is looked up in one turn goes together, and each gets its own rows', async () => {
  await db.lookUp(shape(1));
  const pieces = await countPieces(async () => {
    const found = await Promise.all(range(20).map((id) => db.lookUp(shape(id * 20))));
    expect(found).toEqual(range(20).map((n) => (n <= 15 ? [{ id: n * 20, name: `shape ${n * 20}` }] : [])));
  });
  expect(pieces).toBe(1);
  await vi.waitFor(() => expect(poolLoad(db)).toMatchObject({ in_use: 0, waiting: 0 }), 60_000);
});

test('many at once, over many turns, never mix their rows', async () => {
  const ask = async (id: number): Promise<void> => {
    await sleep(id % 7);
    const [rows, other] = await Promise.all([db.lookUp(shape(id)), db.lookUp(share((id % 12) + 1))]);
    expect(rows).toEqual([{ id, name: `shape ${id}` }]);
    expect(other).toEqual([{ share: Math.floor(12 / ((id % 12) + 1)) }]);
  };
  await Promise.all(range(300).map(ask));
  await vi.waitFor(() => expect(poolLoad(db)).toMatchObject({ in_use: 0, waiting: 0 }), 60_000);
});

test('one that fails fails alone', async () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const results = await Promise.allSettled([
    db.lookUp(shape(1)),
    db.lookUp(share(0)),
    db.lookUp(shape(2)),
    db.lookUp(sql`select ${loop}::jsonb`),
    db.lookUp(share(0)),
    db.lookUp(share(4)),
  ]);
  const failed = { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) };
  expect(results).toEqual([
    { status: 'fulfilled', value: [{ id: 1, name: 'shape 1' }] },
    failed,
    { status: 'fulfilled', value: [{ id: 2, name: 'shape 2' }] },
    { status: 'rejected', reason: expect.objectContaining({ message: expect.stringMatching(/circular/i) }) },
    failed,
    { status: 'fulfilled', value: [{ share: 3 }] },
  ]);
});

test('a table that was altered meanwhile is read as it is now', async () => {
  const read = () => Promise.all(range(9).map((id) => db.lookUp(shape(id))));
  await read();
  await owner.query("alter table shapes add column colour text default 'red'");
  expect(await read()).toEqual(range(9).map((id) => [{ id, name: `shape ${id}`, colour: 'red' }]));
});

test('a slow one keeps those of its piece waiting, and no others', async () => {
  await owner.query('select pg_advisory_lock(7)');
  const slow = db.lookUp(sql`select pg_advisory_xact_lock_shared(7)`);
  await expect.poll(() => isWaiting(db)).toBe(true);
  expect(await db.lookUp(shape(1))).toHaveLength(1);
  await owner.query('select pg_advisory_unlock(7)');
  expect(await slow).toHaveLength(1);
});

test('a lost connection fails what was under way as unavailable, and nothing after it', async () => {
  const lost = Promise.allSettled([db.lookUp(asleep(60)), db.lookUp(shape(1))]);
  const end = () =>
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%pg_sleep%'
         and pid <> pg_backend_pid()`.execute(db);
  await expect.poll(async () => (await end()).rows.length).toBe(1);
  for (const result of await lost) {
    expect(result.status).toBe('rejected');
    expect(isUnavailable((result as PromiseRejectedResult).reason)).toBe(true);
  }
  const found = await Promise.all(range(5).map((id) => db.lookUp(shape(id))));
  expect(found.map((rows) => rows[0]?.id)).toEqual(range(5));
  await vi.waitFor(() => expect(poolLoad(db)).toMatchObject({ in_use: 0, waiting: 0 }), 60_000);
});

test('it waits for a connection as everybody does, and says so when there is none any more', async () => {
  const narrow = open(1);
  const order: string[] = [];
  const busy = inTransaction(narrow, async (trx) => {
    await sql`select ${1}::integer`.execute(trx);
    await sleep(100);
    order.push('transaction');
  });
  await sleep(20);
  await Promise.all([busy, narrow.lookUp(shape(1)).then(() => order.push('look-up'))]);
  expect(order).toEqual(['transaction', 'look-up']);
  await narrow.destroy();
  await expect(narrow.lookUp(shape(1))).rejects.toThrow(/pool/);
});
