import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { startTcpProxy } from '../../scripts/lib/tcp-proxy.ts';
import { startService } from '../harness.ts';
import { createTestDatabase, urlsOf } from '../support/database.ts';
import { shownOf } from '../support/metrics.ts';

type Ready = { readonly status: string; readonly checks: readonly { readonly name: string; readonly ok: boolean }[] };

test('readiness reports an unreachable database, but neither its address nor its user', async () => {
  const service = await startService();
  const name = new URL(service.service.platform.config.databaseUrl ?? '').pathname.slice(1);
  const owner = new pg.Client({ connectionString: inject('postgres').ownerUrl });
  await owner.connect();
  await owner.query(`alter database ${name} allow_connections false`);
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const answer = await service.send('GET', '/readyz');
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    status: 'not_ready',
    checks: [
      { name: 'database', ok: false, detail: 'does not answer' },
      { name: 'notifications', ok: false, required: false },
      { name: 'connections', ok: false, detail: 'can not be had' },
    ],
  });
  expect(answer.text).not.toContain(name);
  await owner.query(`alter database ${name} allow_connections true`);
  await expect.poll(async () => (await service.send('GET', '/readyz')).status).toBe(200);
  await owner.end();
  await service.close().catch((error: Error) => expect(error.message).toMatch(/The service logged errors/));
});

test('readiness says that the database takes no writes, as a standby or a server with a full disk', async () => {
  const service = await startService({ logger: pino({ level: 'silent' }) });
  const name = new URL(service.service.platform.config.databaseUrl ?? '').pathname.slice(1);
  const owner = new pg.Client({ connectionString: inject('postgres').ownerUrl });
  await owner.connect();
  const end = () => owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await owner.query(`alter database ${name} set default_transaction_read_only = on`);
  await end();
  const ready = async () => (await service.send('GET', '/readyz')).body;
  await expect.poll(ready).toMatchObject({
    status: 'degraded',
    checks: expect.arrayContaining([expect.objectContaining({ name: 'writes' })]),
  });
  await owner.query(`alter database ${name} reset default_transaction_read_only`);
  await end();
  await expect.poll(ready).toMatchObject({ status: 'ready' });
  expect(JSON.stringify(await ready())).not.toContain('writes');
  await owner.end();
  await service.close();
});

test.for([
  [3_600, '60 minutes ahead of'],
  [-45, '45 seconds behind'],
] as const)(
  'readiness and metrics say of a clock of the machine that it is %d seconds off',
  async ([seconds, found]) => {
    const service = await startService();
    const real = Date.now;
    const look = async () => (await service.send('GET', '/readyz')).body as Ready;
    expect(await look()).toMatchObject({ status: 'ready' });
    try {
      Date.now = () => real() + seconds * 1000;
      const { status, checks } = await look();
      expect(status).toBe('degraded');
      expect(checks.filter(({ ok }) => !ok)).toEqual([
        {
          ...{ name: 'clock', ok: false, required: false },
          detail: `of this machine: ${found} the database, so signatures are refused`,
        },
      ]);
      const text = await service.metrics();
      expect(Math.abs(Number(shownOf(text, 'kasi_clock_ahead_seconds')) - seconds)).toBeLessThan(5);
    } finally {
      Date.now = real;
    }
    expect(await look()).toMatchObject({ status: 'ready' });
    await service.close();
  },
);

test('readiness says that the disk of the database is full, and each refused request is told without a stack', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const service = await startService({ logger });
  const merchant = await service.activeMerchant();
  const { ownerUrl } = await urlsOf(service.db);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  // The words and the code of a server whose disk is full.
  await owner.query(`
    create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
    end $$;
    create trigger no_room before insert on payment_links for each row execute function no_room()`);
  const refused = merchant.client.paymentLinks.create({ title: 'Tea', amount: 5, currency: 'USD' }, { maxRetries: 0 });
  await expect(refused).rejects.toMatchObject({ status: 503 });
  expect((await service.send('GET', '/readyz')).body).toMatchObject({
    status: 'degraded',
    checks: expect.arrayContaining([
      { name: 'database', ok: true },
      {
        ...{ name: 'writes', ok: false, required: false },
        detail: 'the disk of the database is full, so what writes fails: make room there, it goes on by itself',
      },
    ]),
  });
  const told = lines.filter((line) => line.includes('No space left'));
  expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 40, reason: 'could not extend file "base/1/2": No space left on device' },
  ]);
  expect(told[0]).not.toContain('stack');
  await owner.query('drop trigger no_room on payment_links');
  await owner.end();
  await service.close();
});

test('a process whose connections are all in use says so at once, and its metrics can be read', async () => {
  const service = await startService();
  const { db } = service.service.platform;
  const holds = Array.from({ length: 30 }, () => sql`select pg_sleep(4)`.execute(db).catch(() => null));
  await expect
    .poll(async () => shownOf(await service.metrics(), 'kasi_db_pool_connections{pool="main",state="waiting"}'))
    .toBe(10);
  const startMs = performance.now();
  const { status, body } = await service.send('GET', '/readyz');
  expect(performance.now() - startMs).toBeLessThan(2000);
  // It is busy and not dead: taken out by the proxy, it would leave its work to others that are as busy.
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'degraded',
    checks: expect.arrayContaining([
      expect.objectContaining({ name: 'database', ok: true }),
      expect.objectContaining({ name: 'notifications', ok: true }),
      { name: 'connections', ok: false, required: false, detail: expect.stringMatching(/^none of 20 was free/) },
    ]),
  });
  expect(shownOf(await service.metrics(), 'kasi_metrics_source_up{source="relays"}')).toBe(1);
  await Promise.all(holds);
  await expect.poll(async () => ((await service.send('GET', '/readyz')).body as Ready).status).toBe('ready');
  await service.close();
});

test('a process that is refused connections for what it does is not ready, though readiness has its own', async () => {
  const service = await startService({ logger: pino({ level: 'silent' }) });
  const { db, config } = service.service.platform;
  const name = new URL(config.databaseUrl ?? '').pathname.slice(1);
  expect((await service.send('GET', '/readyz')).status).toBe(200);
  const asked = Array.from({ length: 20 }, () =>
    sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)`.execute(db),
  );
  const pids = (await Promise.all(asked)).flatMap(({ rows }) => rows.map(({ pid }) => pid));
  const owner = new pg.Client({ connectionString: inject('postgres').ownerUrl });
  await owner.connect();
  await owner.query(`alter database ${name} connection limit 1`);
  await owner.query('select pg_terminate_backend(pid) from unnest($1::integer[]) pid', [pids]);
  await expect.poll(async () => (await service.send('GET', '/readyz')).status).toBe(503);
  expect((await service.send('GET', '/readyz')).body).toMatchObject({
    status: 'not_ready',
    checks: expect.arrayContaining([
      { name: 'database', ok: true },
      { name: 'connections', ok: false, detail: 'can not be had' },
    ]),
  });
  await owner.query(`alter database ${name} connection limit -1`);
  await owner.end();
  await expect.poll(async () => (await service.send('GET', '/readyz')).status).toBe(200);
  await service.close();
});

test('readiness reports within seconds a database that takes connections and answers nothing', async () => {
  const database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.url);
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const through = Object.assign(new URL(database.url), { port: String(proxy.port) }).href;
  const service = await startService({ database: { ...database, url: through }, logger: pino({ level: 'silent' }) });
  expect((await service.send('GET', '/readyz')).status).toBe(200);
  await sleep(1100); // The answer about notifications is kept for a second.
  proxy.mute();
  for (let time = 0; time < 3; time += 1) {
    const startMs = performance.now();
    const answer = await service.send('GET', '/readyz');
    expect(performance.now() - startMs).toBeLessThan(3000);
    expect([answer.status, (answer.body as Ready).checks[0]]).toEqual([
      503,
      { name: 'database', ok: false, detail: 'does not answer' },
    ]);
  }
  proxy.restore();
  await expect.poll(async () => (await service.send('GET', '/readyz')).status).toBe(200);
  await service.close();
  await proxy.close();
});
