import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ending, endProcess, findFreePort, findProcess, holdFolder, readHolder, readText } from './daemon.ts';
import {
  APPLICATION_ROLE,
  type Cluster,
  checkCluster,
  createCluster,
  DATABASE,
  findCluster,
  OWNER_ROLE,
  saveRecord,
} from './embedded-cluster.ts';
import {
  type Account,
  accountFor,
  asAccount,
  listClustersOutside,
  reachableBinaries,
  SYSTEM_DIR,
} from './embedded-place.ts';

export type EmbeddedOptions = {
  /** The service's data folder; the server takes its subfolder `postgres`. */
  dataDir: string;
  log: (line: string) => void;
  /** False gives up safety after a power failure for speed: for tests. */
  durable?: boolean;
  /** Where root keeps what the account of PostgreSQL could not reach inside the data folder. */
  systemDir?: string;
};

export type DatabaseUrls = { url: string; ownerUrl: string };
export type EmbeddedPostgres = DatabaseUrls & { stop(): Promise<void> };

/** The postmaster that serves a cluster, as its own file tells. */
type Server = { pid: number; port: number; ready: boolean };

// Fast: sessions are ended, everything is written. Then at once, then by force; the next start repairs after those two.
const STOPPING: Ending = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const READY_WITHIN_MS = 60_000;
const POLL_MS = 10;
const LOG_MAX_BYTES = 5_000_000;

/**
 * Starts the PostgreSQL of a data folder on a free port of 127.0.0.1, making the cluster on the first start, and resolves
 * when it takes connections. It runs in a session of its own, so no Ctrl-C and no death of this process ends it; `stop()`
 * does. A server that a killed process left running is taken over. Throws while another living process uses the folder,
 * and with the server's own words when it does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true, systemDir = SYSTEM_DIR } = options;
  const folder = folderOf(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const release = holdFolder(folder);
  try {
    const found = findCluster(folder);
    const account = accountFor(found?.directory);
    const native = reachableBinaries(account, systemDir);
    if (found === undefined) await endForgotten(folder, systemDir, log);
    else checkCluster(folder, found, native, account);
    const cluster = found ?? createCluster(folder, native, account, { durable, systemDir });
    const server = await takeOverOrStart({
      cluster,
      folder,
      account,
      program: join(native, 'bin', 'postgres'),
      durable,
      log,
    });
    return {
      ...urlsOf(cluster, server.port),
      stop: async () => {
        await stopServer(cluster.directory, server.pid);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Addresses of the server that runs on a data folder now, for scripts beside the service; undefined when none runs. */
export function findEmbeddedPostgres(dataDir: string): DatabaseUrls | undefined {
  const cluster = findCluster(folderOf(dataDir));
  const server = cluster && findServer(cluster.directory);
  return cluster && server?.ready ? urlsOf(cluster, server.port) : undefined;
}

/** Stops what a killed process left running on a data folder, and deletes the database for good. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  const holder = readHolder(folder);
  if (holder !== undefined) throw new Error(`The database of ${dataDir} is in use by process ${holder}.`);
  const cluster = findCluster(folder);
  if (cluster !== undefined) {
    const server = findServer(cluster.directory);
    if (server !== undefined) await stopServer(cluster.directory, server.pid);
    rmSync(cluster.directory, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

function folderOf(dataDir: string): string {
  return join(resolve(dataDir), 'postgres');
}

function urlsOf({ record }: Cluster, port: number): DatabaseUrls {
  const url = (role: string, password: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${DATABASE}`;
  return {
    url: url(APPLICATION_ROLE, record.applicationPassword),
    ownerUrl: url(OWNER_ROLE, record.ownerPassword),
  };
}

type Launch = {
  cluster: Cluster;
  folder: string;
  account: Account;
  program: string;
  durable: boolean;
  log: (line: string) => void;
};

async function takeOverOrStart(launch: Launch): Promise<Server> {
  const { cluster, folder, log } = launch;
  const left = findServer(cluster.directory);
  if (left !== undefined) {
    const server = sameCommand(left, launch) ? await waitUntilReady(cluster.directory, left.pid) : undefined;
    if (server !== undefined) {
      log(`PostgreSQL still runs on port ${server.port} (process ${server.pid}): taken over.`);
      return server;
    }
    // Started with other settings or by another version, or already on its way down.
    await stopServer(cluster.directory, left.pid);
  }
  // Nobody serves this folder, so a file that says so is stale. PostgreSQL itself would believe it if some other process
  // got that number meanwhile. Its lock on shared memory still keeps out a second server.
  rmSync(join(cluster.directory, 'postmaster.pid'), { force: true });
  const server = await startServer(launch);
  if (cluster.record.port !== server.port) saveRecord(folder, { ...cluster.record, port: server.port });
  log(`PostgreSQL listens on port ${server.port} (process ${server.pid}).`);
  return server;
}

async function startServer(launch: Launch): Promise<Server> {
  const { cluster, folder, account, program } = launch;
  const retries = 50;
  for (let attempt = 0; ; attempt += 1) {
    const port = await findFreePort(attempt === 0 ? cluster.record.port : undefined);
    const output = openLog(join(folder, 'server.log'));
    const startedAtByte = fstatSync(output).size;
    const stdio: ['ignore', number, number] = ['ignore', output, output];
    const child = spawn(program, command(launch, port), { ...asAccount(account), stdio, detached: true });
    closeSync(output);
    child.unref();
    await once(child, 'spawn');
    const server = await waitUntilReady(cluster.directory, child.pid as number);
    if (server !== undefined) return server;
    const said = readFileSync(join(folder, 'server.log')).subarray(startedAtByte).toString('utf8').trim();
    // Both pass: another program took the port first; sessions of a killed server are about to notice that it is gone.
    const passes = /could not bind|could not create any TCP|pre-existing shared memory/.test(said);
    if (!passes || attempt === retries) throw new Error(`PostgreSQL did not start:\n${said}`);
    await sleep(200);
  }
}

function command({ cluster, durable }: Launch, port: number): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
        }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster.directory, ...flags, '-p', String(port)];
}

function sameCommand(server: Server, launch: Launch): boolean {
  const wanted = [launch.program, ...command(launch, server.port)].join(' ');
  return findProcess(server.pid)?.args.join(' ') === wanted;
}

function openLog(path: string): number {
  const file = openSync(path, 'a', 0o600);
  if (fstatSync(file).size > LOG_MAX_BYTES) ftruncateSync(file);
  return file;
}

/** The server once it takes connections; undefined when it ends first, or is ending. */
async function waitUntilReady(directory: string, pid: number): Promise<Server | undefined> {
  for (let waited = 0; waited < READY_WITHIN_MS; waited += POLL_MS) {
    const server = findServer(directory);
    if (server?.pid === pid && server.ready) return server;
    if (!isServerOf(directory, pid)) return undefined;
    await sleep(POLL_MS);
  }
  throw new Error(`PostgreSQL in ${directory} runs (process ${pid}) but takes no connections.`);
}

/** Reads `postmaster.pid` (process, folder, start, port, socket folder, address, shared memory, state), and believes it only of a process that serves this folder. */
function findServer(directory: string): Server | undefined {
  const lines = readText(join(directory, 'postmaster.pid'))?.split('\n');
  const pid = Number(lines?.[0]);
  if (lines === undefined || !isServerOf(directory, pid)) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

function isServerOf(directory: string, pid: number): boolean {
  const args = findProcess(pid)?.args;
  return args?.[0]?.endsWith('/postgres') === true && args.join(' ').includes(` -D ${directory} `);
}

async function stopServer(directory: string, pid: number): Promise<void> {
  await endProcess(pid, () => isServerOf(directory, pid), STOPPING);
}

/**
 * The data folder is new, but one at the same path had its cluster under the system's folder: it was deleted. Its server,
 * if it still runs, is nobody's. Its data is not ours to delete (the folder may have been moved), only to point out.
 */
async function endForgotten(folder: string, systemDir: string, log: (line: string) => void): Promise<void> {
  for (const directory of listClustersOutside(folder, systemDir)) {
    const server = findServer(directory);
    if (server !== undefined) await stopServer(directory, server.pid);
    log(`${directory} holds the database of an earlier ${folder}. If that one was deleted, delete this too.`);
  }
}
