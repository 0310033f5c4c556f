import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePort } from '../../src/db/daemon.ts';
import { accountFor, asAccount } from '../../src/db/embedded-place.ts';
import { end, requireAnswers } from './children.ts';

/** A PgBouncer that runs: the URL of the database through it. */
export type Bouncer = { readonly url: string; readonly stop: () => Promise<void> };

const FILE = join(import.meta.dirname, '../../deploy/cluster/pgbouncer.ini');

/**
 * Starts one before a database, by the file of `deploy/cluster/` with `change` made to it, in a folder that its account
 * may enter. Throws when the program does not take the file.
 */
export async function startBouncer(
  program: string,
  folder: string,
  databaseUrl: string,
  change: (text: string) => string = (text) => text,
): Promise<Bouncer> {
  const server = new URL(databaseUrl);
  const port = await findFreePort();
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const text = readFileSync(FILE, 'utf8')
    .replace('kasi = host=127.0.0.1 port=6432 dbname=kasi', `* = host=${server.hostname} port=${server.port}`)
    .replace('listen_port = 6431', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/users.txt', users);
  writeFileSync(file, change(text));
  const account = accountFor(undefined);
  if (account) for (const each of [folder, file, users]) chownSync(each, account.uid, account.gid);
  const bouncer: ChildProcess = spawn(program, [file], { ...asAccount(account), stdio: 'ignore' });
  await requireAnswers(
    bouncer,
    () => connectTo(port),
    (why) => new Error(`PgBouncer with ${file} ${why}`),
  );
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    stop: () => end(bouncer, 'SIGTERM'),
  };
}

async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
