import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { APPLICATION_ROLE } from '../../src/db/embedded-cluster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Answer, PASSWORD, startService, type TestService } from '../harness.ts';
import { makeTestFolder } from '../support/run-folder.ts';

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
  /** As the system does that has no memory left: the server ends all other sessions, and recovers. */
  const killSession = async (): Promise<void> => {
    const own = sql<{ pid: number }>`select pid from pg_stat_activity where usename = current_user limit 1`;
    for (const { pid } of (await own.execute(service.db)).rows) process.kill(pid, 'SIGKILL');
  };
  return { service, killSession, killServer: async () => void process.kill(postmaster(), 'SIGKILL') };
}

/** Who pays, reads and logs in until told to stop, and what they were answered that they should not be. */
async function visit(service: TestService) {
  const { token, email } = await service.activeMerchant();
  const [made, odd] = [new Set<string>(), [] as string[]];
  let isOver = false;
  const ask: TestService['send'] = async (...request) => {
    const answer = await service.send(...request);
    const { status, headers, text } = answer;
    if (status >= 300 && !(status === 503 && headers.has('retry-after'))) odd.push(`${status} ${text}`);
    return answer;
  };
  /** Under one key until there is an answer, as a client does. */
  const pay = async (): Promise<void> => {
    const sent = { token, headers: { 'idempotency-key': randomUUID() }, body: { amount: 3, currency: 'USD' } };
    const send = (): Promise<Answer> => ask('POST', '/v1/payments', sent);
    let answer = await send();
    for (; answer.status !== 201; answer = await send()) await sleep(20);
    made.add((answer.body as { id: string }).id);
  };
  const look = async (): Promise<void> => {
    await ask('GET', '/v1/payments', { token });
    await ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    await sleep(20);
  };
  const again = async (visit: () => Promise<void>): Promise<void> => {
    while (!isOver) await visit();
  };
  const visitors = [again(pay), again(pay), again(look)];
  return {
    untilMore: async (): Promise<void> => {
      const { size } = made;
      await expect.poll(() => made.size).toBeGreaterThan(size + 10);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(visitors);
      return { made: [...made].sort(), odd };
    },
  };
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
