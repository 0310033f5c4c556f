import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { findMasterKey } from '../../src/sandbox/secrets.ts';
import { makeDataFolder, removeDataFolder, type ServiceProcess, startServiceProcess } from '../lib/service-process.ts';

/** The service that all parts measure. */
export type BenchService = {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly ownerUrl: string;
};

/** Limits that no part reaches: all requests are counted, none refused. */
export const HIGH_LIMITS = 'requests=100000,public=100000,payment_read=100000';

export const PASSWORD = 'Password-1';

/** What has to be ended when the bench ends, last started first. */
export type Endings = (() => Promise<void>)[];

/** Starts the whole service as its own process, on a temporary data folder; with fewer roles, if these are named. */
export async function startBenchService(endings: Endings, roles = 'api,scheduler,watcher'): Promise<BenchService> {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const port = await findFreePort();
  const env = {
    ...{ PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error', RATE_LIMITS: HIGH_LIMITS },
    // Parts may name other addresses than this machine's, as a proxy would.
    ...{ TRUST_PROXY: '127.0.0.1', KASI_ROLES: roles },
  };
  const { url, pid, ready, stop } = await startServiceProcess({ dataDir, port, env });
  endings.push(stop);
  await ready();
  const database = findEmbeddedPostgres(dataDir);
  if (!database) throw new Error('the service has no database');
  return { url, pid, dataDir, databaseUrl: database.url, ownerUrl: database.ownerUrl };
}

/** Starts another process of the installation, which runs no job. */
export async function startBeside(
  service: BenchService,
  endings: Endings,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { networks } = await createClient({ baseUrl: service.url }).sandbox.get();
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const started = await startServiceProcess({
    dataDir,
    port: await findFreePort(),
    env: {
      ...{ KASI_ROLES: 'api', DATABASE_URL: service.databaseUrl, DATABASE_OWNER_URL: service.ownerUrl },
      ...{ EVM_RPC_URL: networks[0]?.rpcUrl ?? '', MASTER_KEY: findMasterKey(service.dataDir)?.toString('hex') ?? '' },
      ...{ LOG_LEVEL: 'error', RATE_LIMITS: HIGH_LIMITS },
      ...env,
    },
  });
  endings.push(started.stop);
  await started.ready();
  return started;
}

/** Creates a migrated database beside the service's; resolves with its URL, as the owner. */
export async function createBenchDatabase(service: BenchService, name: string): Promise<string> {
  const owner = new pg.Client({ connectionString: service.ownerUrl });
  await owner.connect();
  await owner.query(`create database ${name}`);
  await owner.end();
  const url = new URL(service.ownerUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

/** Vacuums, as in a database that has run for a while. */
export async function vacuum(url: string, tables = ''): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`vacuum (analyze) ${tables}`);
  await client.end();
}

/** A new merchant and its access token. */
export async function registerBenchMerchant(
  service: BenchService,
): Promise<{ readonly id: string; readonly token: string }> {
  const { merchant, token } = await createClient({ baseUrl: service.url }).auth.register({
    businessName: 'Bench',
    email: `bench-${Math.random().toString(36).slice(2)}@example.org`,
    password: PASSWORD,
    phone: '+94112345678',
    businessType: 'company',
  });
  return { id: merchant.id, token };
}

/** Resident memory of a process in MB (Linux). */
export async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
