import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startLongWay } from '../support/long-way.ts';
import { countBlocked } from '../support/waiting.ts';

const NAME = 'to-be-ended';
const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
const losses: string[] = [];
const onError = (error: Error) => void losses.push(error.message);
/** One connection, so that who comes next waits for that of the first. */
const db: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: NAME, onError });
const other: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
await owner.query(`create table notes (id integer primary key, text text); grant all on notes to public`);

beforeEach(async () => {
  losses.length = 0;
  await owner.query(`delete from notes; insert into notes values (1, 'a')`);
});
afterAll(async () => {
  await db.destroy();
  await other.destroy();
  await owner.end();
  await database.drop();
});

const change = sql`update notes set text = ${'b'} where id = 1`;
const inOnePiece = (at: Db) => inTransaction(at, async (trx) => trx.later(change));
const begun = (at: Db) =>
  inTransaction(at, async (trx: Trx) => {
    await sql`select ${1}::integer`.execute(trx);
    await change.execute(trx);
  });
const works: [string, (at: Db) => Promise<unknown>][] = [
  ['a transaction in one piece', inOnePiece],
  ['a transaction that was begun', begun],
  ['a statement', (at) => change.execute(at)],
];

test.for(works)(
  'who waits for a connection is not given one on which the server has just ended %s',
  async ([_, work]) => {
    await sql`select ${1}::integer`.execute(db);
    await owner.query(`begin; update notes set text = 'held' where id = 1`);
    const ended = expect(work(db)).rejects.toThrow(/terminat/);
    const next = inTransaction(db, async (trx) => trx.later(sql`insert into notes (id) values (${2})`));
    await expect.poll(() => countBlocked(other), { interval: 20, timeout: 60_000 }).toBe(1);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${NAME}`.execute(other);
    await ended;
    await expect(next).resolves.toBeUndefined();
    await owner.query('rollback');
    expect((await owner.query('select id, text from notes order by id')).rows).toEqual([
      { id: 1, text: 'a' },
      { id: 2, text: null },
    ]);
    expect(losses).toHaveLength(1);
  },
);

test.for(works)(
  '%s that the server ends has failed once its connection is closed, and its locks are free',
  async ([_, work]) => {
    const way = await startLongWay(new URL(database.url));
    const far = openDatabase({ url: way.url, poolMax: 1, applicationName: 'far', onError });
    onTestFinished(() => far.destroy());
    await sql`select ${1}::integer`.execute(far);
    await owner.query(`begin; update notes set text = 'held' where id = 1`);
    let isOver = false;
    const ended = expect(
      work(far).finally(() => {
        isOver = true;
      }),
    ).rejects.toThrow(/terminat/);
    await expect.poll(() => countBlocked(other), { interval: 20, timeout: 60_000 }).toBe(1);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'far'`.execute(other);
    await way.hasEnded();
    expect(isOver).toBe(false);
    way.arrive();
    await ended;
    await owner.query('rollback');
  },
);

test('a connection that the server ends while nothing is asked of it is not given to the next', async () => {
  const way = await startLongWay(new URL(database.url));
  const far = openDatabase({ url: way.url, poolMax: 1, applicationName: 'far', onError });
  onTestFinished(() => far.destroy());
  await far.connection().execute(async (connection) => {
    await sql`select ${1}::integer`.execute(connection);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'far'`.execute(other);
    await way.hasEnded();
  });
  await expect(sql`select ${1}::integer as one`.execute(far)).resolves.toMatchObject({ rows: [{ one: 1 }] });
  expect(losses).not.toEqual([]);
  way.arrive();
});
