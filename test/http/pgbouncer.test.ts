import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findFreePort } from '../../src/db/daemon.ts';
import { accountFor, asAccount } from '../../src/db/embedded-place.ts';
import { startService, type TestService } from '../harness.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** The first release that knows named statements. Debian 12 has an older one; PGBOUNCER may name another. */
const MIN = [1, 21];
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

const isNewEnough = (): boolean => {
  const { stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > (MIN[0] ?? 0) || (Number(major) === MIN[0] && Number(minor) >= (MIN[1] ?? 0));
};

const listens = (at: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

describe.skipIf(!isNewEnough())('PgBouncer in transaction mode, by the file of deploy/', () => {
  let bouncer: ChildProcess;
  let port: number;
  let service: TestService;

  beforeAll(async () => {
    const database = await createTestDatabase();
    const server = new URL(database.url);
    port = await findFreePort();
    const folder = makeTestFolder(inject('runFolder'));
    const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
    writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
    writeFileSync(
      file,
      readFileSync('deploy/cluster/pgbouncer.ini', 'utf8')
        .replace('kasi = host=127.0.0.1 port=6432 dbname=kasi', `* = host=${server.hostname} port=${server.port}`)
        .replace('listen_port = 6431', `listen_port = ${port}`)
        .replace('/etc/pgbouncer/users.txt', users)
        // Fewer sessions than connections of the process, so that they are shared.
        .replace('default_pool_size = 40', 'default_pool_size = 6'),
    );
    const account = accountFor(undefined);
    if (account) for (const each of [folder, file, users]) chownSync(each, account.uid, account.gid);
    bouncer = spawn(PROGRAM, [file], { ...asAccount(account), stdio: 'ignore' });
    const through = Object.assign(new URL(database.url), { port: String(port) }).href;
    while (!(await listens(port))) await sleep(20);
    service = await startService({ database: { ...database, url: through }, listenPort: Number(server.port) });
  }, 60_000);
  afterAll(async () => {
    await service.close();
    const ended = once(bouncer, 'exit');
    bouncer.kill('SIGTERM');
    await ended;
  });

  test('transactions and named statements work, on fewer sessions than the process has connections', async () => {
    const merchant = await service.activeMerchant();
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => merchant.client.payments.create({ amount: at + 1, currency: 'USD' })),
    );
    const { pagination } = await merchant.client.payments.list({ limit: 1 });
    expect(pagination.total).toBe(40);
    const found = await Promise.all(made.map(({ id }) => merchant.client.payments.get(id)));
    expect(found.map(({ amount }) => amount)).toEqual(made.map(({ amount }) => amount));
    const { rows } = await sql<{ sessions: number }>`
      select count(*)::int as sessions from pg_stat_activity
       where datname = current_database() and application_name = 'kasi'`.execute(service.db);
    expect(rows[0]?.sessions).toBeLessThan(20);
  });

  test('what is sent through it is heard past it', async () => {
    expect((await service.send('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
  });
});
