import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readSourceFiles } from '../../scripts/checks/source-files.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

test('processes that start concurrently all grant the application its rights', async () => {
  const database = await createTestDatabase();
  const role = decodeURIComponent(new URL(database.url).username);
  const starts = Array.from({ length: 6 }, () => migrate(database.ownerUrl, role));
  const failed = (await Promise.allSettled(starts)).filter(({ status }) => status === 'rejected');
  await database.drop();
  expect(failed).toEqual([]);
});

test('a process that migrates gives no rights on what a newer release has made', async () => {
  const database = await createTestDatabase();
  const owner = await connectOwner(database);
  const role = decodeURIComponent(new URL(database.url).username);
  await owner.query(`
    insert into kysely_migration (name, timestamp) values ('9999-next', '2026-01-01T00:00:00Z');
    create table written_by_functions (id text);
    grant select on written_by_functions to ${role}`);
  await migrate(database.ownerUrl, role);
  const { rows } = await owner.query(`
    select has_table_privilege('${role}', 'written_by_functions', 'insert, update, delete') as writes,
           has_table_privilege('${role}', 'written_by_functions', 'select') as reads`);
  await owner.end();
  await database.drop();
  expect(rows).toEqual([{ writes: false, reads: true }]);
});

/** Nothing depends on their rows, and tests begin anew by emptying them. */
const HARMLESS = ['admins', 'platform_settings', 'rates'];

test('the application may delete only where its code does', async () => {
  const connection = await connectTestDatabase();
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and has_table_privilege(current_user, oid, 'delete')`.execute(connection.db);
  await connection.close();
  const deleting = new Set(
    readSourceFiles()
      .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/db/migrations/'))
      .flatMap(({ text }) => [...text.matchAll(/(?:deleteFrom\('|delete from )(\w+)/g)].map(([, table]) => table)),
  );
  const needless = rows.map(({ name }) => name).filter((name) => !deleting.has(name) && !HARMLESS.includes(name));
  expect(needless.sort()).toEqual([]);
});

test('the application writes nothing through a view, which would do it with the rights of the owner', async () => {
  const connection = await connectTestDatabase();
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
       and has_table_privilege(current_user, oid, 'insert, update, delete')`.execute(connection.db);
  const untracking = sql`update ledger_balances set track = false, owner_id = null`.execute(connection.db);
  await expect(untracking).rejects.toThrow(/permission denied/);
  // A release before grants all on what it does not know.
  const owner = await connectOwner(connection.database);
  await owner.query('grant update on ledger_balances to public');
  const again = sql`update ledger_balances set track = false, owner_id = null`.execute(connection.db);
  await expect(again).rejects.toThrow('permission denied for table ledger_accounts');
  await owner.end();
  await connection.close();
  expect(rows).toEqual([]);
});
