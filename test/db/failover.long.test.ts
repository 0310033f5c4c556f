import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { startTcpProxy } from '../../scripts/lib/tcp-proxy.ts';
import { migrate } from '../../src/db/migrate.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { PASSWORD, startService, type TestService } from '../harness.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { startPair } from '../support/standby.ts';
import { type Visitors, visit } from '../support/visitors.ts';

/** A service with its jobs, which reaches two servers by one address. What the standby lacks was not acknowledged. */
async function startOnPair() {
  const pair = await startPair(makeTestFolder(inject('runFolder')));
  const way = await startTcpProxy({ host: '127.0.0.1', port: pair.primary.port });
  const url = (role: string): string => `postgresql://${role}@127.0.0.1:${way.port}/kasi`;
  await pair.primary.query('create role kasi_app login');
  await pair.primary.query('create database kasi');
  await migrate(url('postgres'), 'kasi_app');
  await pair.primary.query(`alter system set synchronous_standby_names = '*'`);
  await pair.primary.query('select pg_reload_conf()');
  const waitedFor = () => pair.primary.query('select sync_state from pg_stat_replication');
  await expect.poll(async () => (await waitedFor()).rows, { timeout: 60_000 }).toEqual([{ sync_state: 'sync' }]);
  const database = { url: url('kasi_app'), ownerUrl: url('postgres'), drop: async () => undefined };
  // What the lost database fails is logged.
  const logger = pino({ level: 'silent' });
  const service = await startService({ env: { KASI_ROLES: 'api,scheduler' }, database, logger });
  const close = async (): Promise<void> => {
    await service.close();
    await way.close();
    await pair.stop();
  };
  return { pair, way, service, close };
}

/** All is there as it was told, once, and the process is as before without help. */
async function requireWhole(service: TestService, visitors: Visitors): Promise<void> {
  await visitors.untilMore();
  const { made, odd } = await visitors.stop();
  expect(odd).toEqual([]);
  const stored = await service.db.selectFrom('payments').select('id').orderBy('id').execute();
  expect(stored.map(({ id }) => id)).toEqual(made);
  await expect
    .poll(async () => (await service.send('GET', '/readyz')).body, { timeout: 60_000 })
    .toMatchObject({ status: 'ready' });
  const left = sql`select from unsealed_events union all select from job_ticks where failure is not null`;
  await expect.poll(async () => (await left.execute(service.db)).rows, { timeout: 60_000 }).toEqual([]);
  expect((await reconcile(service.db)).findings).toEqual([]);
}

const portsOf = async ({ service }: TestService): Promise<unknown[]> => {
  const { db, sideDb, probeDb } = service.platform;
  const ask = sql<{ port: number }>`select inet_server_port() as port, ${1}::int`;
  const all = await Promise.all([db, db, db, sideDb, sideDb, probeDb].map((each) => ask.execute(each)));
  return [...new Set(all.map(({ rows }) => rows[0]?.port))];
};

test('a primary that is stopped, and comes back as a standby at its old address, is left for its successor', async () => {
  const { pair, way, service, close } = await startOnPair();
  const visitors = await visit(service);
  await visitors.untilMore();
  await pair.primary.stop('SIGINT');
  await pair.standby.query('select pg_promote()');
  await pair.demote();
  // The address still leads to the old one, which now only reads.
  await expect.poll(() => portsOf(service).catch(String), { timeout: 60_000 }).toEqual([pair.primary.port]);
  way.lead(pair.standby.port);
  await visitors.untilMore();
  await expect.poll(() => portsOf(service).catch(String), { timeout: 60_000 }).toEqual([pair.standby.port]);
  await requireWhole(service, visitors);
  await close();
});

test('a primary that is lost at once is replaced, and nothing that was acknowledged is', async () => {
  const { pair, way, service, close } = await startOnPair();
  const visitors = await visit(service);
  await visitors.untilMore();
  await pair.primary.stop();
  way.lead(pair.standby.port);
  await pair.standby.query('select pg_promote()');
  await visitors.untilMore();
  await requireWhole(service, visitors);
  await close();
});

test('a server that stands still for longer than statements may take costs a 503, and goes on', async () => {
  const { pair, service, close } = await startOnPair();
  const visitors = await visit(service);
  await visitors.untilMore();
  const { email } = await service.activeMerchant();
  pair.primary.signal('SIGSTOP');
  // Each takes as long as an answer or a connection is waited for.
  for (let ask = 0; ask < 2; ask += 1) {
    const { status, headers } = await service.send('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    expect([status, headers.has('retry-after')]).toEqual([503, true]);
  }
  pair.primary.signal('SIGCONT');
  await requireWhole(service, visitors);
  await close();
});
