import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { findProcess } from '../../src/db/daemon.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { APPLICATION_ROLE } from '../../src/db/embedded-cluster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { startService } from '../harness.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { visit } from '../support/visitors.ts';

/** A service with its jobs, on a server of its own. */
async function startOnOwnServer() {
  const dataDir = makeTestFolder(inject('runFolder'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  await migrate(server.ownerUrl, APPLICATION_ROLE);
  const database = { ...server, drop: server.stop };
  // What the lost database fails is logged.
  const logger = pino({ level: 'silent' });
  const service = await startService({ env: { KASI_ROLES: 'api,scheduler' }, database, logger });
  const cluster = (): string => {
    const { directory } = JSON.parse(readFileSync(join(dataDir, 'postgres/postgres.json'), 'utf8')) as {
      directory: string;
    };
    return join(dataDir, 'postgres', directory);
  };
  const postmaster = () => Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);
  /** Resolves once it is gone: on a busy machine it goes on for a while, and makes the payments that are waited for. */
  const kill = async (pid: number): Promise<void> => {
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => findProcess(pid), { timeout: 60_000 }).toBeUndefined();
  };
  /** As the system does that has no memory left: the server ends all other sessions, and recovers. */
  const killSession = async (): Promise<void> => {
    const own = sql<{ pid: number }>`select pid from pg_stat_activity where usename = current_user limit 1`;
    for (const { pid } of (await own.execute(service.db)).rows) await kill(pid);
  };
  return { service, killSession, killServer: () => kill(postmaster()) };
}

test('a server that is killed, and sessions of it, cost requests a 503 to come again, and nothing is done twice', async () => {
  const { service, killSession, killServer } = await startOnOwnServer();
  const visitors = await visit(service);
  for (const kill of [killSession, killServer, killSession, killServer]) {
    await visitors.untilMore();
    await kill();
  }
  await visitors.untilMore();
  const { made, odd } = await visitors.stop();
  expect(odd).toEqual([]);
  const stored = await service.db.selectFrom('payments').select('id').orderBy('id').execute();
  expect(stored.map(({ id }) => id)).toEqual(made);
  await expect.poll(async () => (await service.send('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
  // The jobs go on: the last payments are sealed into the feed, and none of them has failed since.
  const left = sql`select from unsealed_events union all select from job_ticks where failure is not null`;
  await expect.poll(async () => (await left.execute(service.db)).rows).toEqual([]);
  expect(await service.db.selectFrom('incidents').select('kind').execute()).toEqual([]);
  expect((await reconcile(service.db)).findings).toEqual([]);
  await service.close();
});
