import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  await markAsSandbox(connection.db);
});
afterAll(async () => {
  await connection.close();
});

const run = (script: string, ...args: string[]) => runScript(script, args, { DATABASE_URL: connection.database.url });

test('creating an administrator prints the password once', async () => {
  const made = await run('admin.ts', 'admin@kasi.example');
  expect(made.out).toMatch(/^New administrator admin@kasi\.example\nPassword: \S{24,}\n$/);
  expect((await run('admin.ts', 'admin@kasi.example')).out).toContain('New password for admin@kasi.example');
  expect((await run('admin.ts')).err).toContain('Usage:');
});

test('an address that no administrator has makes another only with --new, and a known one never with it', async () => {
  await run('admin.ts', 'admin@kasi.example');
  const count = async () => (await connection.db.selectFrom('admins').select('email').execute()).length;
  const before = await count();
  const mistyped = await run('admin.ts', 'amdin@kasi.example');
  expect(mistyped).toMatchObject({ code: 1, out: '' });
  expect(mistyped.err).toBe(
    'No administrator has the address amdin@kasi.example. There are: admin@kasi.example. To make another super_admin: npx kasi admin amdin@kasi.example --new\n',
  );
  expect(await count()).toBe(before);
  const taken = await run('admin.ts', 'admin@kasi.example', '--new');
  expect(taken).toMatchObject({ code: 1, out: '' });
  expect(taken.err).toMatch(/^There is an administrator admin@kasi\.example already\. Without --new /);
  const second = await run('admin.ts', 'second@kasi.example', '--new');
  expect(second).toMatchObject({ code: 0, out: expect.stringMatching(/^New administrator second@kasi\.example\n/) });
  expect(await count()).toBe(before + 1);
});

test('a command whose database is away says so in one line', async () => {
  const url = new URL(connection.database.url);
  url.port = '1';
  const { code, err } = await runScript('admin.ts', ['admin@kasi.example'], { DATABASE_URL: url.href });
  expect(err).toMatch(/^The database can not be used: .*ECONNREFUSED.* Look whether .*\n$/);
  expect(code).toBe(1);
});

test('a command whose database does not answer says so in one line, too', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const url = new URL(connection.database.url);
  url.port = String((silent.address() as AddressInfo).port);
  const { code, err } = await runScript('admin.ts', ['admin@kasi.example'], { DATABASE_URL: url.href });
  expect(err).toMatch(/^The database can not be used: .*timeout.* Look whether .*\n$/);
  expect(code).toBe(1);
});

test('a command that waits too long for a lock does not say that the database is away', async () => {
  const { code, err } = await inTransaction(connection.db, async (trx) => {
    await sql`lock table admins in access exclusive mode`.execute(trx);
    return run('admin.ts', 'locked@kasi.example');
  });
  expect(err).toContain('canceling statement due to lock timeout');
  expect(err).not.toContain('can not be used');
  expect(code).toBe(1);
});

test('a password that could not be shown is no success', () => {
  const full = openSync('/dev/full', 'w');
  const env = { PATH: process.env['PATH'], DATABASE_URL: connection.database.url };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/admin.ts', 'shown@kasi.example', '--new'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^What this command had to tell could not be written: .*ENOSPC/),
  ]);
});
