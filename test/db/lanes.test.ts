import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { LANES_MAX } from '../../src/db/lanes.ts';
import { inTransaction, isOutage } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startLongWay } from '../support/long-way.ts';
import { countBlocked } from '../support/waiting.ts';

const AT_ONCE = 10;
const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
const watcher: pg.Client = await connectOwner(database);
const open = (url = database.url): Db =>
  openDatabase({
    ...{ url, poolMax: AT_ONCE, applicationName: 'test', hasLanes: true },
    onError: () => undefined,
  });
const db = open();
const other: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'other', onError: () => undefined });
await owner.query(`
  create table held (id integer primary key, changes integer not null default 0);
  insert into held values (1);
  create table notes (id integer primary key, process integer not null default pg_backend_pid());
  grant all on held, notes to public`);

let last = 0;
afterAll(async () => {
  await db.destroy();
  await other.destroy();
  await owner.end();
  await watcher.end();
  await database.drop();
});

const insert = (id: number) => sql`insert into notes (id) values (${id})`;
/** A transaction that is sent whole, and the number of what it has noted. */
async function note(at: Db, id = ++last): Promise<number> {
  await inTransaction(at, async (trx) => {
    trx.later(sql`select ${id}::integer`);
    trx.later(insert(id));
  });
  return id;
}
const noteMany = (at: Db) => Promise.all(Array.from({ length: AT_ONCE }, () => note(at)));
const changeHeld = (at: Db) =>
  inTransaction(at, async (trx) => {
    trx.later(insert(++last));
    trx.later(sql`update held set changes = changes + ${1} where id = 1`);
  });

const laneProcesses = async (): Promise<number[]> => {
  const { rows } = await watcher.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'test-lane'`,
  );
  return rows.map(({ pid }) => pid);
};
const processesOf = async (ids: readonly number[]): Promise<number[]> =>
  (await watcher.query<{ process: number }>('select process from notes where id = any ($1)', [ids])).rows.map(
    ({ process }) => process,
  );

/** Which processes wait for a lock, as only their own role may see. */
const waiting = async (): Promise<number[]> => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(other);
  return rows.map(({ pid }) => pid);
};

/** Until all lanes are open, and have prepared what the tests send. */
async function openLanes(at: Db): Promise<void> {
  await expect
    .poll(async () => {
      const found = new Set(await processesOf(await noteMany(at)));
      return (await laneProcesses()).filter((pid) => found.has(pid)).length;
    })
    .toBe(LANES_MAX);
  await Promise.all(Array.from({ length: LANES_MAX }, () => changeHeld(at)));
  await owner.query('update held set changes = 0');
}

test('whole transactions that come together go one behind the other over a few connections', async () => {
  await openLanes(db);
  const lanes = await laneProcesses();
  const most = async (): Promise<number> => {
    const used = await processesOf(await noteMany(db));
    return Math.max(...lanes.map((lane) => used.filter((each) => each === lane).length));
  };
  await expect.poll(most).toBeGreaterThan(1);
  expect(lanes).toHaveLength(LANES_MAX);
});

test('one that fails takes nothing of its neighbours with it', async () => {
  await openLanes(db);
  const taken = await note(db);
  const works = Array.from({ length: AT_ONCE }, (_, at) => (at % 3 === 0 ? note(db, taken) : note(db)));
  const results = await Promise.allSettled(works);
  const failed = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(failed).toHaveLength(4);
  for (const error of failed) expect(error).toMatchObject({ code: '23505', constraint: 'notes_pkey' });
  const done = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(await processesOf(done)).toHaveLength(AT_ONCE - 4);
});

test('one that has failed holds nothing any more, whichever connection its work goes on over', async () => {
  await openLanes(db);
  const taken = await note(db);
  const isFree = async (at: Db): Promise<boolean> => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${1}::bigint) as free`.execute(at);
    return rows[0]?.free === true;
  };
  const free: boolean[] = [];
  for (let time = 0; time < 300; time += 1) {
    const fail = inTransaction(db, async (trx) => {
      trx.later(sql`select pg_advisory_xact_lock(${1}::bigint)`);
      trx.later(insert(taken));
    });
    free.push((await fail.catch(() => isFree(other))) as boolean);
  }
  expect(free).not.toContain(false);
});

test('a transaction that waits for a lock delays no other, and commits once', async () => {
  await openLanes(db);
  await owner.query('begin; select * from held for update');
  const blocked = [changeHeld(db), changeHeld(db)];
  await noteMany(db);
  await expect.poll(() => countBlocked(other)).toBe(2);
  await noteMany(db); // While they still wait, each over its own connection.
  const lanes = await laneProcesses();
  const still = await waiting();
  expect(still).toHaveLength(2);
  expect(still.filter((pid) => lanes.includes(pid))).toEqual([]);
  await owner.query('commit');
  await Promise.all(blocked);
  expect((await watcher.query('select changes from held')).rows).toEqual([{ changes: 2 }]);
});

test('nothing goes behind another on a lane of which one has just waited for a lock', async () => {
  await openLanes(db);
  const lanes = await laneProcesses();
  const behind = async (): Promise<number> => {
    await owner.query('begin; select * from held for update');
    const changes = Array.from({ length: LANES_MAX }, () => changeHeld(db));
    await expect.poll(async () => (await waiting()).filter((pid) => !lanes.includes(pid))).toHaveLength(LANES_MAX);
    changes.push(...Array.from({ length: LANES_MAX }, () => changeHeld(db)));
    const noted = await processesOf(await Promise.all(Array.from({ length: 6 }, () => note(db))));
    await owner.query('commit');
    await Promise.all(changes);
    return noted.filter((pid) => lanes.includes(pid)).length;
  };
  await expect.poll(behind).toBe(0);
  await owner.query('update held set changes = 0');
});

test('one that waits for a lock longer than any may is refused as ever', async () => {
  await openLanes(db);
  await owner.query('begin; select * from held for update');
  await expect(changeHeld(db)).rejects.toMatchObject({ code: '55P03' });
  await owner.query('commit');
  expect((await watcher.query('select changes from held')).rows).toEqual([{ changes: 0 }]);
});

test('a lane whose connection is lost is left, and what was on it fails', async () => {
  await openLanes(db);
  const before = await laneProcesses();
  await owner.query('begin; select * from held for update');
  const hurt = Promise.allSettled([changeHeld(db), changeHeld(db)]);
  await watcher.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [before]);
  await expect.poll(laneProcesses).not.toEqual(expect.arrayContaining(before));
  await owner.query('commit');
  const results = await hurt;
  for (const each of results) if (each.status === 'rejected') expect(isOutage(each.reason)).toBe(true);
  // Each is done or not, and has said which.
  const done = results.filter(({ status }) => status === 'fulfilled').length;
  expect((await watcher.query('select changes from held')).rows).toEqual([{ changes: done }]);
  await noteMany(db);
  await openLanes(db);
  expect((await laneProcesses()).filter((pid) => before.includes(pid))).toEqual([]);
});

test('a lane that the server ends while nothing goes over it is left at that word', async () => {
  const way = await startLongWay(new URL(database.url));
  const far = open(way.url);
  onTestFinished(() => far.destroy());
  await openLanes(far);
  const before = await laneProcesses();
  await watcher.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [before]);
  await way.isTold(LANES_MAX);
  expect(await processesOf([await note(far)])).toHaveLength(1);
  way.arrive();
});

test('lanes are left with all connections to a server that does not write any more', async () => {
  await openLanes(db);
  const before = await laneProcesses();
  await inTransaction(db, async (trx) => {
    await sql`set transaction read only`.execute(trx);
    await insert(++last).execute(trx);
  }).catch((error) => expect(error).toMatchObject({ code: '25006' }));
  await noteMany(db);
  await openLanes(db);
  expect((await laneProcesses()).filter((pid) => before.includes(pid))).toEqual([]);
});

test('a closed database leaves no lane', async () => {
  const own = open();
  await openLanes(own);
  const ofOwn = (await laneProcesses()).length;
  await own.destroy();
  await expect.poll(async () => (await laneProcesses()).length).toBe(ofOwn - LANES_MAX);
});
