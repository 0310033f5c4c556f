import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { type Infrastructure, prepareInfrastructure } from '../../src/infrastructure.ts';
import {
  connectOwner,
  createDatabase,
  createTestDatabase,
  type TestDatabase,
  withDatabase,
} from '../support/database.ts';
import { liveEnv, UNREACHED_NETWORK } from '../support/live.ts';

let database: TestDatabase;
const started: Infrastructure[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
  await database.drop();
});

/** Prepares a live process as `main.ts` does. */
async function start(env: Readonly<Record<string, string>> = {}, on: TestDatabase = database): Promise<void> {
  const { DATABASE_OWNER_URL, ...settings } = liveEnv(on, [UNREACHED_NETWORK]);
  started.push(await prepareInfrastructure(parseConfig({ ...settings, ...env }), pino({ level: 'silent' })));
}

async function asOwner(...statements: readonly string[]): Promise<void> {
  const owner = await connectOwner(database);
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

test('live needs no credentials of the owner on a schema that is there', async () => {
  await expect(start()).resolves.toBeUndefined();
});

test('live refuses an older schema in one sentence and changes nothing, unless it is told to migrate', async () => {
  const name = `kasi_empty_${Date.now()}`;
  const { url, ownerUrl } = inject('postgres');
  await createDatabase(ownerUrl, name);
  const empty = { ...database, url: withDatabase(url, name), ownerUrl: withDatabase(ownerUrl, name) };
  await expect(start({}, empty)).rejects.toThrow(/older than this release.*npx kasi migrate/s);
  await expect(start({ MIGRATE: '1' }, empty)).rejects.toThrow('DATABASE_OWNER_URL is missing');
  const owner = await connectOwner(empty);
  expect((await owner.query(`select 1 from pg_tables where schemaname = 'public'`)).rows).toEqual([]);
  await start({ MIGRATE: '1', DATABASE_OWNER_URL: empty.ownerUrl }, empty);
  expect((await owner.query('select count(*)::int as made from kysely_migration')).rows[0].made).toBeGreaterThan(28);
  await expect(start({}, empty)).resolves.toBeUndefined();
  await owner.end();
  await asOwner(`drop database ${name} with (force)`);
});

test('live says in one sentence that the database is away, or takes no writes', async () => {
  const away = new URL(database.url);
  away.port = '1';
  await expect(start({ DATABASE_URL: away.href })).rejects.toThrow(
    /^The database can not be used: .*ECONNREFUSED.* Look whether it runs and takes writes, and at DATABASE_URL\.$/,
  );
  const mistyped = new URL(database.url);
  mistyped.password = 'mistyped';
  await expect(start({ DATABASE_URL: mistyped.href })).rejects.toThrow(
    /^The database does not let this in: password authentication failed .*\. Look at user, .* in DATABASE_URL\.$/,
  );
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await asOwner(`alter database ${name} set default_transaction_read_only = on`);
  await expect(start()).rejects.toThrow(/^The database can not be used: .*read-only transaction\. Look whether/);
});

test('a process comes up on the schema of a newer release that says it may, and on no other', async () => {
  await asOwner(`insert into kysely_migration (name, timestamp) values ('9999-next', now()::text)`);
  await expect(start()).resolves.toBeUndefined();
  await expect(start({ MIGRATE: '1', DATABASE_OWNER_URL: database.ownerUrl })).resolves.toBeUndefined();
  await asOwner(`update schema_compatibility set runs_since = '9999-next'`);
  await expect(start()).rejects.toThrow(/newer release.*9999-next.*start a release/s);
  await expect(start({ MIGRATE: '1', DATABASE_OWNER_URL: database.ownerUrl })).rejects.toThrow('newer release');
});

test.for(['DATABASE_LISTEN_URL', 'DATABASE_READ_URL'])(
  'live refuses the role of the owner in %s, too',
  async (name) => {
    await expect(start({ [name]: database.ownerUrl })).rejects.toThrow(`The role kasi_owner of ${name} owns tables`);
    await expect(start({ [name]: database.url })).resolves.toBeUndefined();
  },
);

test('live refuses the role of the owner, and one that the owner may be', async () => {
  await expect(start({ DATABASE_URL: database.ownerUrl })).rejects.toThrow(
    /The role kasi_owner of DATABASE_URL owns tables.*npx kasi database roles/s,
  );
  await expect(
    start({ DATABASE_URL: database.ownerUrl, DATABASE_OWNER_URL: database.ownerUrl, MIGRATE: '1' }),
  ).rejects.toThrow('kasi_owner');
  await asOwner('grant update on entries to kasi_app');
  await expect(start()).rejects.toThrow(/kasi_app .*may change rows that are written once: entries/s);
  await asOwner('revoke update on entries from kasi_app', 'grant trigger on ledger_accounts to kasi_app');
  await expect(start()).rejects.toThrow(/kasi_app .*triggers/s);
});
