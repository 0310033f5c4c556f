import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../src/db/daemon.ts';
import { startServiceProcess } from '../lib/service-process.ts';
import { readCpuMs } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings, HIGH_LIMITS } from './service.ts';

const SETTLES_WITHIN_MS = 10_000;
const IDLE_S = 20;

/**
 * Measures what a process that has nothing to do costs: one that answers and runs all jobs but watches no chain, since
 * what a watcher costs is what its `pollMs` asks for. The whole sandbox, whose watchers look five times a second, is
 * measured besides.
 */
export async function benchIdle(service: BenchService, endings: Endings): Promise<Figure[]> {
  const ownerUrl = await createBenchDatabase(service, 'kasi_idle');
  const idle = await startServiceProcess({
    dataDir: service.dataDir,
    port: await findFreePort(),
    env: {
      KASI_ROLES: 'api,scheduler',
      ...{ DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: ownerUrl, RATE_LIMITS: HIGH_LIMITS, LOG_LEVEL: 'error' },
      EVM_RPC_URL: 'http://127.0.0.1:9',
    },
  });
  endings.push(idle.stop);
  await idle.ready();
  await sleep(SETTLES_WITHIN_MS);
  const client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  const before = { cpu: await readCpuMs(idle.pid), statements: await countCommits(client) };
  await sleep(IDLE_S * 1000);
  const statements = ((await countCommits(client)) - before.statements) / IDLE_S;
  const cpu = ((await readCpuMs(idle.pid)) - before.cpu) / (IDLE_S * 10);
  await client.end();
  return [
    { name: 'Statements of an idle process', value: statements, unit: '/s', limit: { atMost: 8 }, goal: 5, detail: '' },
    { name: 'CPU of an idle process', value: cpu, unit: '% of a core', limit: { atMost: 3 }, goal: 1, detail: '' },
  ];
}

/** Transactions of the idle database; one outside a transaction is one, too. */
async function countCommits(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    `select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = 'kasi_idle'`,
  );
  return rows[0].n;
}
