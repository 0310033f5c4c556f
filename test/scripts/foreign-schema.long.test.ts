import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';

/** Commands, with what they are told: one that makes a login, some that book or sign, some that only read. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['admin.ts', 'new@kasi.example'],
  ['reset-password.ts', 'shop@kasi.example', 'lost it'],
  ['reset-two-factor.ts', 'shop@kasi.example', 'lost every code'],
  ['recover.ts', 'devnet', '0x00000000000000000000000000000000000000f0'],
  ['rescan.ts', 'devnet', '1', '2'],
  ['sweep.ts', '--dry-run'],
  ['keys-rewrap.ts'],
  ['reconcile.ts'],
  ['audit-verify.ts'],
];

async function withSchema(change: readonly string[], work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => undefined });
  const owner = await connectOwner(database);
  try {
    await markAsSandbox(db);
    for (const statement of change) await owner.query(statement);
    await work(database);
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from admins`.execute(db);
    expect(rows[0]?.count).toBe(0n);
  } finally {
    await owner.end();
    await db.destroy();
    await database.drop();
  }
}

const runAll = (database: TestDatabase) =>
  Promise.all(COMMANDS.map(([script, ...words]) => runScript(script, words, { DATABASE_URL: database.url })));

test('no command runs on a schema that a newer release has left its release behind with', async () => {
  const newer = [
    `insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`,
    `update schema_compatibility set runs_since = '9999-later'`,
  ];
  await withSchema(newer, async (database) => {
    for (const { code, err } of await runAll(database)) {
      expect(err).toMatch(
        /^The schema of the database was made by a newer release, up to 9999-later, and only code that /,
      );
      expect(code).toBe(1);
    }
  });
});

test('no command runs on a schema that its release has yet to migrate', async () => {
  const older = ['delete from kysely_migration where name = (select max(name) from kysely_migration)'];
  await withSchema(older, async (database) => {
    for (const { code, err } of await runAll(database)) {
      expect(err).toMatch(
        /^The schema of the database is older than this release: 1 migrations are missing, .+npx kasi migrate/,
      );
      expect(code).toBe(1);
    }
  });
});
