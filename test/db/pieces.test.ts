import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { expectAnswers } from '../../src/db/answers.ts';
import { openDatabase } from '../../src/db/database.ts';
import { expectLosses } from '../../src/db/losses.ts';
import { createNamer } from '../../src/db/prepared.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { countPieces } from '../support/pieces.ts';
import { countBlocked } from '../support/waiting.ts';

const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
/** One connection, so that what a failed transaction left behind would hit the next one. */
const db: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
/** Another that has prepared nothing but what a test has it send. */
const other: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
await owner.query(
  `create table notes (id integer primary key, text text);
   grant all on notes to public`,
);
beforeEach(async () => {
  await owner.query('delete from notes');
});
afterAll(async () => {
  await db.destroy();
  await other.destroy();
  await owner.end();
  await database.drop();
});

const insert = (id: number, text = 'a') => sql`insert into notes (id, text) values (${id}, ${text})`;
const read = async (on: Db | Trx): Promise<number[]> =>
  (await sql<{ id: number }>`select id from notes where id > ${0} order by id`.execute(on)).rows.map(({ id }) => id);

test('a transaction begins with its first statement, and commits with those that nobody waits for', async () => {
  await read(db);
  const changed: (bigint | undefined)[] = [];
  const pieces = await countPieces(() =>
    inTransaction(db, async (trx) => {
      expect(await read(trx)).toEqual([]);
      for (const id of [1, 2, 3]) trx.later(insert(id), ({ numAffectedRows }) => changed.push(numAffectedRows));
    }),
  );
  expect(pieces).toBe(2);
  expect(changed).toEqual([1n, 1n, 1n]);
  expect(await read(db)).toEqual([1, 2, 3]);
});

test('what somebody waits for comes after what was said before it', async () => {
  await inTransaction(db, async (trx) => {
    trx.later(insert(1));
    expect(await read(trx)).toEqual([1]);
    trx.later(insert(2));
    await new Promise((resolve) => setImmediate(resolve));
    trx.later(insert(3));
    await sql`delete from notes where id = 2`.execute(trx);
    trx.later(insert(4));
    const many = sql.join(Array.from({ length: 50 }, (_, index) => sql`(${100 + index}::integer)`));
    await sql`insert into notes (id) select * from (values ${many}) as many (id) where id < 102`.execute(trx);
    expect(await read(trx)).toEqual([1, 3, 4, 100, 101]);
  });
  expect(await read(db)).toEqual([1, 3, 4, 100, 101]);
});

test('the first that fails is why the transaction fails, whatever was sent after it', async () => {
  await insert(1).execute(db);
  const twin = { code: '23505', constraint: 'notes_pkey' };
  const wakes: string[] = [];
  const withTwin = (rest: (trx: Trx) => Promise<unknown>) =>
    inTransaction(db, async (trx) => {
      trx.later(insert(7));
      trx.later(insert(1), () => wakes.push('changed'));
      trx.later(insert(8));
      await rest(trx);
    });
  await expect(withTwin(async () => undefined)).rejects.toMatchObject(twin);
  await expect(withTwin((trx) => read(trx))).rejects.toMatchObject(twin);
  await expect(withTwin((trx) => insert(1).execute(trx))).rejects.toMatchObject(twin);
  await expect(withTwin(() => sleep(50))).rejects.toMatchObject(twin);
  const later = async (trx: Trx): Promise<void> => {
    await sleep(50);
    await read(trx).catch(() => undefined);
  };
  await expect(withTwin(later)).rejects.toMatchObject(twin);
  expect(wakes).toEqual([]);
  expect(await read(db)).toEqual([1]);
});

test('a transaction that waits whole is one piece, which needs neither a begin nor a commit', async () => {
  const insertBoth = (first: number, second: number) =>
    inTransaction(other, async (trx) => {
      trx.later(insert(first));
      trx.later(insert(second));
    });
  await read(other); // A new connection asks something itself.
  expect(await countPieces(() => insertBoth(1, 2))).toBe(1);
  const refused = async () =>
    expect(insertBoth(3, 1)).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' });
  expect(await countPieces(refused)).toBe(1);
  expect(await read(other)).toEqual([1, 2]);
  const named = sql<{ statement: string }>`select statement from pg_prepared_statements where statement <> ${''}`;
  const texts = (await named.execute(other)).rows.map(({ statement }) => statement);
  expect(texts.filter((text) => !/^(insert|select)/.test(text))).toEqual([]);
  await inTransaction(other, async (trx) => {
    await read(trx);
    trx.later(insert(4));
  });
  expect(await read(other)).toEqual([1, 2, 4]);
});

test('a check sees what others have committed while its piece waited for them', async () => {
  await owner.query(`create function refuse(text) returns void language plpgsql as
    $$ begin raise exception 'refused'; end $$`);
  await insert(1).execute(db);
  await owner.query(`begin; update notes set text = 'held' where id = 1`);
  const unchecked: boolean[] = [];
  const changing = inTransaction(db, async (trx) => {
    trx.check(sql`select refuse(text) from notes where id = ${9}`);
    trx.later(sql`update notes set text = ${'b'} where id = 1`);
    unchecked.push(trx.isUnchecked());
  });
  const refused = expect(changing).rejects.toThrow('refused');
  await expect.poll(() => countBlocked(other), { interval: 20, timeout: 60_000 }).toBe(1);
  await owner.query(`insert into notes (id) values (9); commit`);
  await refused;
  expect(unchecked).toEqual([true]);
  await inTransaction(db, async (trx) => {
    trx.check(sql`select refuse(text) from notes where id = ${10}`);
    await read(trx);
    expect(trx.isUnchecked()).toBe(false);
  });
});

test('work does not go on with a result of what was sent with a check that failed', async () => {
  const done: string[] = [];
  const refused = inTransaction(db, async (trx) => {
    trx.check(sql`select 1 / ${0}::integer`, () => done.push('confirmed'));
    await read(trx);
    done.push('counted outside of the transaction');
  });
  await expect(refused).rejects.toMatchObject({ code: '22012' });
  expect(done).toEqual([]);
});

test('a check of work that gives up is never sent', async () => {
  const pieces = await countPieces(async () => {
    const refused = inTransaction(db, async (trx) => {
      trx.check(insert(1));
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await new Promise((resolve) => setImmediate(resolve));
  });
  expect(pieces).toBe(0);
  expect(await read(db)).toEqual([]);
});

test('work that gives up before anything was sent costs nothing, and keeps its own error', async () => {
  const pieces = await countPieces(async () => {
    await inTransaction(db, async () => undefined);
    const refused = inTransaction(db, async (trx) => {
      trx.later(insert(1));
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
  });
  expect(pieces).toBe(0);
  const refused = inTransaction(db, async (trx) => {
    await read(trx);
    trx.later(insert(1));
    throw new Error('refused later');
  });
  await expect(refused).rejects.toThrow('refused later');
  expect(await read(db)).toEqual([]);
});

test('a serialisation failure of one that nobody waits for repeats the work', async () => {
  let attempts = 0;
  await owner.query(`create function fail_with(code text) returns void language plpgsql as
    $$ begin raise exception 'failed' using errcode = code; end $$`);
  await inTransaction(db, async (trx) => {
    attempts += 1;
    trx.later(insert(attempts));
    if (attempts < 3) trx.later(sql`select fail_with(${attempts === 1 ? '40001' : '40P01'})`);
  });
  expect(attempts).toBe(3);
  expect(await read(db)).toEqual([3]);
});

test('a value that can not be sent fails its transaction, and nothing of it is sent', async () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const inserting = inTransaction(db, async (trx) => {
    trx.later(insert(1));
    trx.later(sql`select ${loop}::jsonb`);
    trx.later(insert(2));
  });
  await expect(inserting).rejects.toThrow(/circular/i);
  expect(await read(db)).toEqual([]);
});

test('a table that was altered meanwhile makes the transaction begin anew', async () => {
  const all = sql<object>`select * from notes where id >= ${1}`;
  await insert(1).execute(db);
  await all.execute(db);
  await owner.query('alter table notes add column more integer');
  let attempts = 0;
  await inTransaction(db, async (trx) => {
    attempts += 1;
    trx.later(insert(attempts + 1));
    trx.later(all, ({ rows }) => expect(rows).toHaveLength(2));
    trx.later(insert(attempts + 3));
  });
  expect(attempts).toBe(2);
  expect(await read(db)).toEqual([1, 3, 5]);
});

test('a constraint that is checked at the commit is an error of the transaction', async () => {
  await owner.query('alter table notes add constraint once unique (text) deferrable initially deferred');
  const twice = inTransaction(db, async (trx) => {
    trx.later(insert(1, 'same'));
    trx.later(insert(2, 'same'));
  });
  await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'once' });
  await expect(insert(3, 'other').execute(db)).resolves.toBeDefined();
  await expect(insert(4, 'other').execute(db)).rejects.toMatchObject({ code: '23505', constraint: 'once' });
  expect(await read(db)).toEqual([3]);
});

test('a transaction says its level where the session begins at another, as behind a pooler', async () => {
  const { pool, client } = await openNamed({ options: '-c default_transaction_isolation=repeatable\\ read' });
  const level = async (): Promise<unknown> => {
    const begun = client.query('start transaction isolation level read committed', []);
    const asked = client.query(`select current_setting('transaction_isolation') as level where $1`, [true]);
    const [, { rows }] = await Promise.all([begun, asked, client.query('commit', [])]);
    return rows[0];
  };
  expect(await level()).toEqual({ level: 'read committed' });
  expect(await level()).toEqual({ level: 'read committed' });
  client.release();
  await pool.end();
});

/** A connection whose statements go in pieces, of a session that asks for nothing else than this. */
async function openNamed(config: pg.PoolConfig, answerWithinMs = 60_000) {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, ...config });
  expectLosses(pool, () => {});
  const namer = createNamer();
  pool.on('connect', (client) => {
    expectAnswers(client, answerWithinMs);
    namer.prepare(client);
  });
  return { pool, client: await pool.connect() };
}

test('each statement of a piece may take as long as one alone', async () => {
  const { pool, client } = await openNamed({}, 400);
  const doing = (seconds: number[]) =>
    Promise.all([
      client.query('begin', []),
      ...seconds.map((each) => client.query('select pg_sleep($1)', [each])),
      client.query('commit', []),
    ]);
  const last = (await doing([0.25, 0.25, 0.25])).at(-1);
  expect(last).toMatchObject({ command: 'COMMIT' });
  await expect(doing([0.1, 3])).rejects.toThrow('read timeout');
  client.release();
  await pool.end();
});
