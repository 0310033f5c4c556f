import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dumpSchema } from '../../scripts/generate/schema-dump.ts';
import { migrate, migrationNames, migrationsUpTo } from '../../src/db/migrate.ts';
import { toStep } from '../../src/db/migration-steps.ts';
import { openPatientPool } from '../../src/db/silence.ts';
import { connectOwner, createDatabase, TEMPLATE, withDatabase } from '../support/database.ts';

const makerUrl = inject('postgres').ownerUrl;
const name = `kasi_migrate_${randomBytes(8).toString('hex')}`;
const ownerUrl = withDatabase(makerUrl, name);
/** Where the tests begin. */
const FIRST = '0036-schema-compatibility';
let client: pg.Client;

beforeAll(async () => {
  await createDatabase(makerUrl, name);
  client = await connectOwner({ ownerUrl });
});
afterAll(async () => {
  await client.end();
  const maker = await connectOwner({ ownerUrl: makerUrl });
  await maker.query(`drop database ${name} with (force)`);
  await maker.end();
});

async function listDone(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map((row) => row.name);
}

/** Runs while transactions wait for the migrator's index, and must not wait for it. */
async function writeBesides(): Promise<void> {
  const application = await connectOwner({ ownerUrl });
  await application.query(`set lock_timeout = '200ms'`);
  await application.query('update payments set description = null');
  await application.end();
}

test('an empty database takes all migrations or none', async () => {
  await client.query('create table delisted ()');
  await expect(migrate(ownerUrl)).rejects.toThrow('relation "delisted" already exists');
  const { rows } = await client.query(
    `select tablename as table from pg_tables where schemaname = 'public' order by 1`,
  );
  expect(rows.map(({ table }) => table)).toEqual(['delisted', 'kysely_migration', 'kysely_migration_lock']);
  expect(await listDone()).toEqual([]);
  await client.query('drop table delisted');
});

test('a migrator whose connection is lost while it waits for its turn goes on over another', async () => {
  const turn = `hashtext('kasi migrations')`;
  await client.query(`select pg_advisory_lock(${turn})`);
  const run = migrate(ownerUrl, undefined, migrationsUpTo(FIRST));
  const cut = async (): Promise<number> => {
    // Not before it waits: a connection may be idle between two statements, of which the second would fail.
    const { rows } = await client.query(`
      with others as (
        select pid, state, query like '%pg_try_advisory_lock%' as waits from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid())
      select pg_terminate_backend(pid) from others
       where state = 'idle' and not waits and exists (select from others where waits)`);
    return rows.length;
  };
  await expect.poll(cut).toBeGreaterThan(0);
  await client.query(`select pg_advisory_unlock(${turn})`);
  await run;
  expect(await listDone()).toEqual([...migrationsUpTo(FIRST)]);
});

test('each migration stays when the next one fails, and another run goes on there', async () => {
  await migrate(ownerUrl, undefined, migrationsUpTo(FIRST));
  await client.query('create table delisted ()');
  await expect(migrate(ownerUrl)).rejects.toThrow('relation "delisted" already exists');
  expect(await listDone()).toEqual(migrationNames().filter((each) => each < '0049'));

  await client.query('drop table delisted');
  await client.query('create table credits_read_again ()');
  await expect(migrate(ownerUrl)).rejects.toThrow('relation "credits_read_again" already exists');
  expect(await listDone()).toEqual(migrationNames().filter((each) => each < '0058'));
  await client.query('drop table credits_read_again');
});

test('indexes are built while others write, one that a killed run left is built again, and migrators wait', async () => {
  // What building an index leaves behind that does not come to its end.
  const halfBuilt = 'create unique index concurrently payments_prunable on kysely_migration ((1))';
  await expect(client.query(halfBuilt)).rejects.toThrow('could not create unique index');
  const busy = await connectOwner({ ownerUrl });
  await busy.query('begin');
  await busy.query('update payments set description = null');
  const runs = Promise.all([migrate(ownerUrl), migrate(ownerUrl), migrate(ownerUrl)]);
  await expect.poll(async () => (await client.query(WAITING)).rowCount).toBe(1);
  await writeBesides();
  await busy.query('commit');
  await busy.end();
  await runs;
  expect(await listDone()).toEqual(migrationNames());
  const { rows } = await client.query(
    `select indexrelid::regclass::text as index, indrelid::regclass::text as table, indisvalid as valid
       from pg_index where not indisvalid or indexrelid = 'payments_prunable'::regclass`,
  );
  expect(rows).toEqual([{ index: 'payments_prunable', table: 'payments', valid: true }]);
});

test('one by one they lead to the schema that an empty database takes at once', async () => {
  expect(await dumpSchema(ownerUrl)).toBe(await dumpSchema(withDatabase(makerUrl, TEMPLATE)));
});

test('an index that nothing reads goes while others write, also where a killed run has begun with it', async () => {
  const names = { payments_unread: '(description)', payments_unread_too: '(reason)' };
  for (const [index, columns] of Object.entries(names)) {
    await client.query(`create index ${index} on payments ${columns}`);
  }
  const busy = await connectOwner({ ownerUrl });
  await busy.query('begin');
  await busy.query('update payments set description = null');
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPatientPool(ownerUrl, 2) }) });
  // The first is gone already.
  const dropped = ['payments_gone', ...Object.keys(names)];
  const run = toStep({ name: '9999-unread', dropped }).up(db);
  await expect.poll(async () => (await client.query(DROPPING)).rowCount).toBe(1);
  await writeBesides();
  await busy.query('commit');
  await busy.end();
  await run;
  await db.destroy();
  const { rows } = await client.query(`select from pg_class where relname like 'payments_unread%'`);
  expect(rows).toEqual([]);
});

const DROPPING = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'drop index concurrently%'`;
const WAITING = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'create index concurrently%payments%'`;
