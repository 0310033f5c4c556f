import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../lib/folders.ts';
import { type Ending, endProcess, findFreePort, findProcess, openLog, readText } from './daemon.ts';
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
import { lockFolder } from './folder-lock.ts';
import { keepRunning } from './keep-running.ts';
import { untilUnserved, whileServing } from './serving.ts';

export type EmbeddedOptions = {
  /** The service's data folder; the server takes its subfolder `postgres`. */
  dataDir: string;
  log: (line: string) => void;
  /** What should be seen: the server has died, or runs again. `log` unless given. */
  warn?: (line: string) => void;
  /** False, for tests: faster, but data may be lost in a power failure. */
  durable?: boolean;
  /** Where root keeps what PostgreSQL's account cannot reach inside the data folder. */
  systemDir?: string;
  /** Called before a cluster is made, because the folder has none; the folder is this process's then. */
  onNew?: () => void;
};

export type DatabaseUrls = { url: string; ownerUrl: string };
export type EmbeddedPostgres = DatabaseUrls & { stop(): Promise<void> };

/** The postmaster that serves a cluster, from its pid file. */
type Server = { pid: number; port: number; ready: boolean };

// SIGINT ends sessions and writes everything. After SIGQUIT or SIGKILL the next start runs crash recovery.
const STOPPING: Ending = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const READY_WITHIN_MS = 60_000;
const POLL_MS = 10;

/**
 * Starts the PostgreSQL of a data folder on a free port of 127.0.0.1, creating the cluster on the first start, and
 * resolves once it accepts connections. The server runs in its own session: neither Ctrl-C nor the death of this
 * process ends it, only `stop()` does. When it dies by itself it is started again at the same address. Takes over a
 * server that a killed process left running. Throws while another living process uses the folder, and with the server's
 * own output if it does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, warn = log, durable = true, systemDir = SYSTEM_DIR } = options;
  const folder = folderOf(dataDir);
  makeFolder(folder, 0o711);
  const release = lockFolder(folder, warn);
  try {
    const found = findCluster(folder);
    const account = accountFor(found?.directory);
    const native = reachableBinaries(account, systemDir);
    if (found === undefined) {
      await untilUnserved(folder);
      await endForgotten(folder, systemDir, log);
    } else await checkCluster(folder, found, native, account);
    if (found === undefined) options.onNew?.();
    const cluster = found ?? (await createCluster(folder, native, account, { durable, systemDir }));
    const launch = { cluster, folder, account, program: join(native, 'bin', 'postgres'), durable, log };
    const server = await takeOverOrStart(launch);
    const kept = keepRunning({
      server,
      lives: ({ pid }) => isServerOf(cluster.directory, pid),
      restart: ({ port }) => restartServer(launch, port),
      describe: ({ pid, port }) => `PostgreSQL (process ${pid}, port ${port})`,
      warn,
    });
    return {
      ...urlsOf(cluster, server.port),
      stop: async () => {
        const { pid } = await kept.end();
        await stopServer(cluster.directory, pid);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** URLs of the server that runs on a data folder, for scripts beside the service; undefined if none runs. */
export function findEmbeddedPostgres(dataDir: string): DatabaseUrls | undefined {
  const cluster = findCluster(folderOf(dataDir));
  const server = cluster && findServer(cluster.directory);
  return cluster && server?.ready ? urlsOf(cluster, server.port) : undefined;
}

/** Stops a server that a killed process left running on a data folder, and deletes the database. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  if (!existsSync(folder)) return;
  const release = lockFolder(folder, () => undefined);
  try {
    const cluster = findCluster(folder);
    const server = cluster && findServer(cluster.directory);
    if (cluster && server) await stopServer(cluster.directory, server.pid);
    await untilUnserved(folder);
    if (cluster) rmSync(cluster.directory, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  } finally {
    release();
  }
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
    const server = sameCommand(left, launch)
      ? await waitUntilReady(cluster.directory, left.pid, () => isServerOf(cluster.directory, left.pid))
      : undefined;
    if (server !== undefined) {
      log(`PostgreSQL still runs on port ${server.port} (process ${server.pid}): taken over.`);
      return server;
    }
    // It has other settings or another version, or is shutting down.
    await stopServer(cluster.directory, left.pid);
  }
  await removePidFile(launch);
  const server = await startServer(launch);
  if (cluster.record.port !== server.port) saveRecord(folder, { ...cluster.record, port: server.port });
  log(`PostgreSQL listens on port ${server.port} (process ${server.pid}).`);
  return server;
}

/** Starts a server that has died, at the port that everybody knows it by. */
async function restartServer(launch: Launch, port: number): Promise<Server> {
  const { cluster } = launch;
  if (!existsSync(cluster.directory)) throw new Error(`its data in ${cluster.directory} is gone`);
  await removePidFile(launch);
  return startServer(launch, port);
}

/**
 * Removes the pid file once no server runs on the folder, in another container included: PostgreSQL would trust the
 * file if another process had got that pid.
 */
async function removePidFile({ cluster, folder }: Launch): Promise<void> {
  await untilUnserved(folder);
  rmSync(join(cluster.directory, 'postmaster.pid'), { force: true });
}

async function startServer(launch: Launch, onlyPort?: number): Promise<Server> {
  const { cluster, folder, account, program } = launch;
  const retries = 50;
  for (let attempt = 0; ; attempt += 1) {
    const port = onlyPort ?? (await findFreePort(attempt === 0 ? cluster.record.port : undefined));
    const { output, readOutput } = openLog(join(folder, 'server.log'));
    const child = whileServing(folder, (inherited) => {
      const stdio: StdioOptions = ['ignore', output, output, ...inherited];
      return spawn(program, command(launch, port), { ...asAccount(account), stdio, detached: true });
    });
    closeSync(output);
    child.unref();
    let end: string | undefined;
    child.once('exit', (code, signal) => {
      end = signal === null ? `it ended with ${code}` : `${signal} ended it`;
    });
    await once(child, 'spawn');
    // Its arguments can't be read yet while it becomes PostgreSQL, so they don't tell whether it lives.
    const server = await waitUntilReady(cluster.directory, child.pid as number, () => end === undefined);
    if (server !== undefined) return server;
    const said = readOutput();
    // Both pass: another program took the port first, or sessions of a killed server have not yet noticed that it is
    // gone.
    const passes = /could not bind|could not create any TCP|pre-existing shared memory/.test(said);
    if (!passes || attempt === retries) throw new Error(`PostgreSQL did not start (${end}):\n${said}`);
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

/** The server once it accepts connections; undefined if it ends first or is shutting down. */
async function waitUntilReady(directory: string, pid: number, lives: () => boolean): Promise<Server | undefined> {
  for (let waited = 0; waited < READY_WITHIN_MS; waited += POLL_MS) {
    const server = findServer(directory);
    if (server?.pid === pid && server.ready) return server;
    if (!lives()) return undefined;
    await sleep(POLL_MS);
  }
  throw new Error(`PostgreSQL in ${directory} runs (process ${pid}) but takes no connections.`);
}

/**
 * Reads `postmaster.pid` (process, folder, start, port, socket folder, address, shared memory, state). Trusts it only
 * if that process serves this folder.
 */
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
 * For a new data folder at a path whose earlier folder had its cluster under the system folder. That folder was deleted
 * or moved: ends its server if it still runs, and only mentions the data, because a moved folder still needs it.
 */
async function endForgotten(folder: string, systemDir: string, log: (line: string) => void): Promise<void> {
  for (const directory of listClustersOutside(folder, systemDir)) {
    const server = findServer(directory);
    if (server !== undefined) await stopServer(directory, server.pid);
    log(`${directory} holds the database of an earlier ${folder}. If that one was deleted, delete this too.`);
  }
}
