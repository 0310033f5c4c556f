import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate, migrationNames } from '../../src/db/migrate.ts';
import { connectOwner, createDatabase, withDatabase } from '../support/database.ts';

const makerUrl = inject('postgres').ownerUrl;
const name = `kasi_migrate_${randomBytes(8).toString('hex')}`;
const ownerUrl = withDatabase(makerUrl, name);
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

test('each migration stays when the next one fails, and another run goes on there', async () => {
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
  await expect.poll(async () => (await client.query(WAITING)).rowCount, { timeout: 10_000 }).toBe(1);
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

const WAITING = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like 'create index concurrently%payments%'`;
