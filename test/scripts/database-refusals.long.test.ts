import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner, withDatabase } from '../support/database.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await markAsSandbox(connection.db);
});
afterAll(() => connection.close());

const changed = (url: string, change: (url: URL) => void): string => {
  const other = new URL(url);
  change(other);
  return other.href;
};

test('a command that the database does not let in says so in a line, with the cure', async () => {
  const { url, ownerUrl } = connection.database;
  const [password, owner, database] = await Promise.all([
    runScript('reconcile.ts', [], { DATABASE_URL: changed(url, (each) => (each.password = 'mistyped')) }),
    runScript('migrate.ts', [], {
      ...{ DATABASE_URL: url, DATABASE_OWNER_URL: changed(ownerUrl, (each) => (each.password = 'mistyped')) },
    }),
    runScript('reconcile.ts', [], { DATABASE_URL: withDatabase(url, 'mistyped') }),
  ]);
  const refused = (what: string) => ({
    ...{ code: 1, out: '' },
    err: `The database does not let this in: ${what}. Look at user, password and name of the database in DATABASE_URL, DATABASE_OWNER_URL or DATABASE_ADMIN_URL, whichever this command takes.\n`,
  });
  expect(password).toEqual(refused('password authentication failed for user "kasi_app"'));
  expect(owner).toEqual(refused('password authentication failed for user "kasi_owner"'));
  expect(database).toEqual(refused('database "mistyped" does not exist'));
});

test('a command whose role lacks a right, or that something else keeps waiting, says so in a line', async () => {
  const { url } = connection.database;
  const owner = await connectOwner(connection.database);
  await owner.query('revoke select on payments from kasi_app');
  const lacking = await runScript('reconcile.ts', [], { DATABASE_URL: url });
  await owner.query('grant select on payments to kasi_app');
  expect(lacking).toEqual({
    ...{ code: 1, out: '' },
    err: 'The role of this command may not do that: permission denied for table payments. npx kasi migrate grants the application’s role its rights anew; what is the owner’s needs DATABASE_OWNER_URL.\n',
  });
  await owner.query('begin');
  await owner.query('lock table payments in access exclusive mode');
  const waiting = await runScript('reconcile.ts', [], { DATABASE_URL: url });
  await owner.query('rollback');
  await owner.end();
  expect(waiting).toEqual({
    ...{ code: 1, out: '' },
    err: 'The database did not get to it: canceling statement due to lock timeout. Something else holds what this command needs, such as a migration, or the server is overloaded: run it again afterwards.\n',
  });
});

test('nothing is migrated where the two URLs lead to two databases, as one from before a failover', async () => {
  const other = await connectTestDatabase();
  await markAsSandbox(other.db);
  const { url } = connection.database;
  const refused = await runScript('migrate.ts', [], { DATABASE_URL: url, DATABASE_OWNER_URL: other.database.ownerUrl });
  const own = await runScript('migrate.ts', [], {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: connection.database.ownerUrl,
  });
  await other.close();
  expect(refused).toEqual({
    ...{ code: 1, out: '' },
    err: 'DATABASE_OWNER_URL and DATABASE_URL lead to two servers or databases, such as one from before a failover: name the same in both.\n',
  });
  expect(own).toMatchObject({ code: 0, out: expect.stringContaining('of this release') });
});

test('a command that was not told of its database names the setting', async () => {
  const none = { DATABASE_URL: '', BACKUP_KEY: '0123456789abcdef'.repeat(4) };
  for (const [script, words, setting] of [
    ['backup.ts', ['/nowhere/copy'], 'DATABASE_OWNER_URL'],
    ['restore.ts', ['/nowhere/copy'], 'DATABASE_OWNER_URL'],
    ['restore.ts', ['--release'], 'DATABASE_OWNER_URL'],
    ['database-roles.ts', [], 'DATABASE_ADMIN_URL'],
    ['deployment-adopt.ts', ['shop-a', 'shop-b'], 'DATABASE_OWNER_URL'],
    ['migrate.ts', [], 'DATABASE_OWNER_URL'],
  ] as const) {
    const refused = await runScript(script, words, none);
    expect([refused.code, refused.err.split('\n')[0]], script).toEqual([2, `${setting} is missing.`]);
  }
  const { ownerUrl } = connection.database;
  for (const [script, words] of [
    ['restore.ts', ['/nowhere/copy']],
    ['migrate.ts', []],
  ] as const) {
    const half = await runScript(script, words, { ...none, DATABASE_OWNER_URL: ownerUrl });
    expect([half.code, half.err.split('\n')[0]], script).toEqual([2, 'DATABASE_URL is missing.']);
  }
});
