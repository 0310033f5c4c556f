import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findEmbeddedPostgres, removeEmbeddedPostgres } from '../../src/db/embedded.ts';
import { endAbandonedDevChain } from '../../src/sandbox/dev-chain.ts';

export type BenchService = {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly stop: () => Promise<void>;
};

const READY_WITHIN_MS = 30_000;

/** A port of this machine that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** The whole service as its own process, on a data folder of its own that `stop` deletes. */
export async function startBenchService(env: Readonly<Record<string, string>> = {}): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasi-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...process.env, KASI_DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(url, child);
  const database = findEmbeddedPostgres(dataDir);
  if (!database || child.pid === undefined) throw new Error('the service has no database');
  return {
    url,
    dataDir,
    pid: child.pid,
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    stop: async () => {
      await end(child);
      await endAbandonedDevChain(dataDir);
      await removeEmbeddedPostgres(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const start = performance.now(); performance.now() - start < READY_WITHIN_MS; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('the service was not ready in time');
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** A fresh merchant and its access token. */
export async function registerBenchMerchant(
  service: BenchService,
): Promise<{ readonly id: string; readonly token: string }> {
  const { merchant, token } = await createClient({ baseUrl: service.url }).auth.register({
    businessName: 'Bench',
    email: `bench-${Math.random().toString(36).slice(2)}@example.org`,
    password: 'Password-1',
    phone: '+94112345678',
    businessType: 'company',
  });
  return { id: merchant.id, token };
}

/** Resident memory of a process in MB (Linux). */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
