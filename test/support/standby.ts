import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { end, listChildren, requireAnswers } from '../../scripts/lib/children.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { accountFor, asAccount, reachableBinaries, SYSTEM_DIR } from '../../src/db/embedded-place.ts';

/** A server whose superuser may log in from this machine without a password. */
export type TestServer = {
  readonly port: number;
  readonly query: (text: string, database?: string) => Promise<pg.QueryResult>;
  /** Stops it at once, unless told to be fast (`SIGINT`). */
  readonly stop: (how?: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  /** Sends its processes a signal, so that it stands still or goes on. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
};

/** A primary with the schema's roles yet to be made, and a standby that streams from it. */
export type TestPair = {
  readonly primary: TestServer;
  readonly standby: TestServer;
  /** Makes the primary begin another timeline, as one does that takes over. */
  readonly turnTimeline: () => Promise<void>;
  /** Starts the primary, which was stopped, as a standby of the one that was its standby. */
  readonly demote: () => Promise<void>;
  /** Starts the standby again after its `stop`. */
  readonly restartStandby: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** npm's PostgreSQL has no pg_basebackup, so the standby begins as a copy of the primary's folder at rest. */
export async function startPair(folder: string): Promise<TestPair> {
  const account = accountFor(undefined);
  const bin = join(reachableBinaries(account, SYSTEM_DIR), 'bin');
  const folderOf = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const [first, second] = [folderOf('primary'), folderOf('standby')];
  const flags = ['--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=trust', '--no-instructions'];
  const as = { ...asAccount(account), stdio: 'ignore' } as const;
  execFileSync(join(bin, 'initdb'), ['-D', first, ...flags, '--no-sync'], as);
  execFileSync('cp', ['-R', `${first}/.`, second], as);
  const port = await findFreePort();
  let primary = await startServer(bin, first, port);
  writeFileSync(join(second, 'standby.signal'), '');
  const from = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`;
  const startStandby = async (at?: number): Promise<TestServer> =>
    startServer(bin, second, at ?? (await findFreePort()), ['-c', from]);
  let standby = await startStandby();
  const pair: TestPair = {
    get primary() {
      return primary;
    },
    turnTimeline: async () => {
      await primary.stop();
      writeFileSync(join(first, 'standby.signal'), '');
      primary = await startServer(bin, first, port);
      await primary.query('select pg_promote()');
    },
    demote: async () => {
      writeFileSync(join(first, 'standby.signal'), '');
      const of = `primary_conninfo=host=127.0.0.1 port=${standby.port} user=postgres`;
      primary = await startServer(bin, first, port, ['-c', of]);
    },
    get standby() {
      return standby;
    },
    restartStandby: async () => {
      standby = await startStandby(standby.port);
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
  return pair;
}

async function startServer(bin: string, data: string, port: number, more: readonly string[] = []): Promise<TestServer> {
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'];
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings, ...more], {
    ...asAccount(accountFor(undefined)),
    stdio: 'ignore',
  });
  const query = async (text: string, database = 'postgres'): Promise<pg.QueryResult> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database });
    // A server that stops meanwhile fails the query; what it says then would end the run.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };
  await requireAnswers(
    child,
    () => query('select 1'),
    (why) => new Error(`PostgreSQL ${why}`),
  );
  return {
    port,
    query,
    stop: (how = 'SIGQUIT') => end(child, how),
    signal: (signal) => {
      const { pid } = child;
      if (pid === undefined) return;
      for (const each of [pid, ...listChildren(pid)]) process.kill(each, signal);
    },
  };
}
