import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import { makeDataFolder, removeDataFolder, type ServiceProcess, startServiceProcess } from '../lib/service-process.ts';
import { readCpuMs } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings, HIGH_LIMITS, vacuum } from './service.ts';

const SETTLES_WITHIN_MS = 20_000;
/** A whole minute: many jobs come once in one. */
const IDLE_S = 60;

/**
 * Measures what a process that has nothing to do costs: one that answers and runs all jobs but watches no chain, since
 * what a watcher costs is what its `pollMs` asks for; and the whole sandbox, whose watchers look five times a second.
 */
export async function benchIdle(service: BenchService, endings: Endings): Promise<Figure[]> {
  const quiet = await measure(await startQuiet(service, endings), service.ownerUrl, 'kasi_idle');
  const { process, ownerUrl } = await startSandbox(endings);
  const sandbox = await measure(process, ownerUrl, new URL(ownerUrl).pathname.slice(1));
  return [
    ...figuresOf('an idle process', quiet, { statements: { atMost: 5 }, cpu: { atMost: 1.5, goal: 1 } }),
    ...figuresOf('an idle sandbox', sandbox, { statements: { atMost: 10 }, cpu: { atMost: 4, goal: 1 } }),
  ];
}

type Idle = { readonly statements: number; readonly cpu: number };
type Bounds = {
  readonly statements: { readonly atMost: number };
  readonly cpu: { readonly atMost: number; readonly goal: number };
};

const figuresOf = (name: string, idle: Idle, { statements, cpu }: Bounds): Figure[] => [
  {
    ...{ name: `Statements of ${name}`, value: idle.statements, unit: '/s', detail: '' },
    limit: statements,
  },
  {
    ...{ name: `CPU of ${name}`, value: idle.cpu, unit: '% of a core', detail: '' },
    ...{ limit: { atMost: cpu.atMost }, goal: cpu.goal },
  },
];

async function startQuiet(service: BenchService, endings: Endings): Promise<ServiceProcess> {
  const { networks } = await createClient({ baseUrl: service.url }).sandbox.get();
  const ownerUrl = await createBenchDatabase(service, 'kasi_idle');
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const idle = await startServiceProcess({
    dataDir,
    port: await findFreePort(),
    env: {
      ...{ KASI_ROLES: 'api,scheduler', EVM_RPC_URL: networks[0]?.rpcUrl ?? '' },
      ...{ DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: ownerUrl, RATE_LIMITS: HIGH_LIMITS, LOG_LEVEL: 'error' },
    },
  });
  endings.push(idle.stop);
  await idle.ready();
  return idle;
}

async function startSandbox(
  endings: Endings,
): Promise<{ readonly process: ServiceProcess; readonly ownerUrl: string }> {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const process = await startServiceProcess({ dataDir, port: await findFreePort(), env: { LOG_LEVEL: 'error' } });
  endings.push(process.stop);
  await process.ready();
  const database = findEmbeddedPostgres(dataDir);
  if (!database) throw new Error('the sandbox has no database');
  return { process, ownerUrl: database.ownerUrl };
}

async function measure({ pid }: ServiceProcess, ownerUrl: string, database: string): Promise<Idle> {
  // Else autovacuum comes to the new tables, and its transactions are counted.
  await vacuum(ownerUrl);
  await sleep(SETTLES_WITHIN_MS);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const before = { cpu: await readCpuMs(pid), statements: await countCommits(client, database) };
    await sleep(IDLE_S * 1000);
    return {
      statements: ((await countCommits(client, database)) - before.statements) / IDLE_S,
      cpu: ((await readCpuMs(pid)) - before.cpu) / (IDLE_S * 10),
    };
  } finally {
    await client.end();
  }
}

/** Transactions of a database; one outside a transaction is one, too. */
async function countCommits(client: pg.Client, database: string): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    'select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = $1',
    [database],
  );
  return rows[0].n;
}
