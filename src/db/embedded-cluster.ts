import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { messageOf } from '../lib/errors.ts';
import { giveToOwner } from '../lib/folders.ts';
import { readText } from './daemon.ts';
import { type Account, asAccount, listClustersOutside, makeClusterDraft } from './embedded-place.ts';

/** Owns the tables; migrates and grants. May create databases, but no roles. */
export const OWNER_ROLE = 'kasi_owner';
/** Reads and writes what the owner has granted. */
export const APPLICATION_ROLE = 'kasi_app';
export const DATABASE = 'kasi';

/** What a data folder records about its cluster, in a file of mode 0600. */
export type ClusterRecord = {
  /** The cluster's folder: relative to the record's folder, or absolute where it had to be elsewhere. */
  directory: string;
  ownerPassword: string;
  applicationPassword: string;
  /** The port of the last start; reused while it is free. */
  port?: number;
};

export type Cluster = { directory: string; record: ClusterRecord };

const RECORD_NAME = 'postgres.json';

/** The recorded cluster of a folder, whether or not it still exists; undefined before the first start. */
export function findCluster(folder: string): Cluster | undefined {
  const text = readText(join(folder, RECORD_NAME));
  if (text === undefined) return undefined;
  const record = JSON.parse(text) as ClusterRecord;
  return { directory: resolve(folder, record.directory), record };
}

/**
 * Throws, with the cure, for a cluster that is gone or that another major version of PostgreSQL wrote. Starting over
 * unasked would hide a loss of data.
 */
export async function checkCluster(
  folder: string,
  { directory }: Cluster,
  native: string,
  account: Account,
): Promise<void> {
  if (!existsSync(directory)) {
    throw new Error(
      `The database of ${folder} was kept in ${directory} and is gone. Delete the data folder to start anew.`,
    );
  }
  const written = readText(join(directory, 'PG_VERSION'))?.trim();
  const version = await run(join(native, 'bin', 'postgres'), ['--version'], account);
  const installed = version.match(/ (\d+)\./)?.[1];
  if (written === installed) return;
  throw new Error(
    `The database in ${directory} was written by PostgreSQL ${written}, and ${installed} is installed. ` +
      'Install the former, or delete the data folder to start anew.',
  );
}

/**
 * Creates a cluster with both roles and one empty database, all or nothing: it works in a draft, and the record,
 * written last, makes the draft the folder's cluster. After a kill in between, the next start begins again.
 */
export async function createCluster(
  folder: string,
  native: string,
  account: Account,
  options: { durable: boolean; systemDir: string },
): Promise<Cluster> {
  for (const left of listClustersOutside(folder, options.systemDir)) {
    if (left.endsWith('.draft')) rmSync(left, { recursive: true, force: true });
  }
  const draft = makeClusterDraft(folder, account, options.systemDir);
  const flags = ['--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=reject', '--no-instructions'];
  await run(join(native, 'bin', 'initdb'), ['-D', draft, ...flags, ...(options.durable ? [] : ['--no-sync'])], account);
  // The superuser has no password and no line here, so it cannot log in over the network.
  writeFileSync(join(draft, 'pg_hba.conf'), `host all ${OWNER_ROLE},${APPLICATION_ROLE} 127.0.0.1/32 scram-sha-256\n`);
  const record = {
    directory: '',
    ownerPassword: randomBytes(24).toString('base64url'),
    applicationPassword: randomBytes(24).toString('base64url'),
  };
  await runSql(native, draft, account, [
    `create role ${OWNER_ROLE} login createdb password '${record.ownerPassword}'`,
    `create role ${APPLICATION_ROLE} login password '${record.applicationPassword}'`,
    // Lets the owner drop a database that still has connections.
    `grant pg_signal_backend to ${OWNER_ROLE}`,
    `create database ${DATABASE} owner ${OWNER_ROLE}`,
  ]);
  const directory = draft.replace(/\.draft$/, '');
  // A cluster without a record was never used.
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
  const inside = directory.startsWith(`${folder}/`);
  const cluster = { directory, record: { ...record, directory: inside ? relative(folder, directory) : directory } };
  saveRecord(folder, cluster.record);
  return cluster;
}

/** Replaces the record atomically. */
export function saveRecord(folder: string, record: ClusterRecord): void {
  const path = join(folder, RECORD_NAME);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${JSON.stringify(record, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  giveToOwner(draft, folder);
  renameSync(draft, path);
}

/** Runs statements in single-user mode: no server, no password. Throws at the first statement that fails. */
async function runSql(
  native: string,
  directory: string,
  account: Account,
  statements: readonly string[],
): Promise<void> {
  const args = [
    '--single',
    '-F',
    '-D',
    directory,
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_messages=error',
    'template1',
  ];
  await run(join(native, 'bin', 'postgres'), args, account, `${statements.join('\n')}\n`);
}

/** What a program has said, once it has ended well. It runs beside us: a start has other things to do meanwhile. */
async function run(program: string, args: readonly string[], account: Account, input = ''): Promise<string> {
  const child = spawn(program, args, { ...asAccount(account), stdio: 'pipe' });
  // One that ends early takes no input; what it says tells why.
  child.stdin.on('error', () => undefined).end(input);
  const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const [[code, signal], out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]).catch(
    (error: unknown) => {
      throw new Error(`${basename(program)} could not be run: ${messageOf(error)}`);
    },
  );
  if (code !== 0) throw new Error(`${basename(program)} failed (${code ?? signal}): ${`${out}${err}`.trim()}`);
  return out;
}
