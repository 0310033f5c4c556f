import { execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../src/db/daemon.ts';
import { accountFor, asAccount, reachableBinaries, SYSTEM_DIR } from '../../src/db/embedded-place.ts';
import { end, requireAnswers } from '../lib/children.ts';

/** A PostgreSQL server as an operator has one: its superuser may log in, and nothing of ours is in it. */
export type OperatorPostgres = {
  /** `15.18`. */
  readonly version: string;
  /** The superuser's URL of a database of that name, which need not exist. */
  readonly urlOf: (name: string) => string;
  readonly query: (statement: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Where Debian's packages put the newest server; undefined where none is installed. */
export const findDebianPostgres = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin/postgres')
    .map((path) => path.slice(0, -'/bin/postgres'.length))
    .sort((a, b) => Number(a.split('/').at(-1)) - Number(b.split('/').at(-1)))
    .at(-1);

/** The server that npm brought. */
export const findEmbedded = (): string => reachableBinaries(accountFor(undefined), SYSTEM_DIR);

/** Starts the server of an installation on a new cluster in the folder. */
export async function startOperatorPostgres(installation: string, folder: string): Promise<OperatorPostgres> {
  const account = accountFor(undefined);
  const cluster = join(folder, 'postgresql');
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  if (account) chownSync(cluster, account.uid, account.gid);
  const options = { ...asAccount(account), stdio: 'ignore' } as const;
  const program = (name: string): string => join(installation, 'bin', name);
  const flags = ['--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=trust', '--no-instructions'];
  execFileSync(program('initdb'), ['-D', cluster, ...flags], options);
  const port = await findFreePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = spawn(program('postgres'), ['-D', cluster, '-p', String(port), ...settings], options);
  const urlOf = (name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;
  const query = (statement: string): Promise<void> => execute(urlOf('postgres'), statement);
  await requireAnswers(
    server,
    () => query('select'),
    (why) => new Error(`PostgreSQL ${why}`),
  );
  return {
    version: execFileSync(program('postgres'), ['--version'], { ...asAccount(account), encoding: 'utf8' })
      .trim()
      .split(' ')[2] as string,
    urlOf,
    query,
    stop: () => end(server, 'SIGINT'),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
