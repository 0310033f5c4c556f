import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findFreePort } from '../../src/db/daemon.ts';
import { withDatabase } from '../../src/db/database.ts';
import type { Endings } from '../crash/stage.ts';
import { until } from '../lib/wait.ts';
import { type Daemon, familyOf, killAll, makeFolder, startDaemon } from './daemons.ts';
import type { Programs } from './programs.ts';

/** How a primary is lost: its server dies and Patroni lives, or all of the machine is gone. */
export type Loss = 'server' | 'machine';

/** Three PostgreSQL servers under Patroni, behind HAProxy. */
export type DatabaseCluster = {
  /** The superuser's URL of a database on the primary, through HAProxy. */
  readonly adminUrl: (database: string) => string;
  /** Where HAProxy passes on to the primary, and to the standbys. */
  readonly ports: { readonly primary: number; readonly standbys: number };
  /** Kills the primary with SIGKILL, and resolves with its name once nothing of it runs. */
  readonly kill: (loss: Loss) => Promise<string>;
  /** Brings back what `kill` has ended, where Patroni does not do so by itself. */
  readonly bringBack: (name: string, loss: Loss) => Promise<void>;
  /** Resolves when a primary answers and two standbys stream, one of which Patroni would promote. */
  readonly whole: () => Promise<void>;
};

type Member = { readonly name: string; readonly role: string };
type Node = {
  readonly name: string;
  readonly file: string;
  readonly data: string;
  readonly rest: number;
  readonly postgres: number;
  daemon: Daemon;
};

const NAMES = ['db1', 'db2', 'db3'] as const;
const WHOLE_WITHIN_MS = 120_000;
const DEPLOY = join(import.meta.dirname, '../../deploy/cluster');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Starts it from the files of `deploy/cluster/`, with ports of this machine in the place of addresses. */
export async function startDatabaseCluster(
  programs: Programs,
  folder: string,
  endings: Endings,
): Promise<DatabaseCluster> {
  const password = randomBytes(12).toString('hex');
  const etcd = await startEtcd(programs, folder, endings);
  const nodes: Node[] = [];
  for (const name of NAMES) {
    const place = { name, rest: await findFreePort(), postgres: await findFreePort() };
    const data = join(makeFolder(folder, name), 'data');
    const file = join(folder, name, 'patroni.yaml');
    writeFileSync(file, patroniFor({ ...place, data, etcd, password }, programs), { mode: 0o644 });
    const start = () => startDaemon(programs.patroni, [file], join(folder, `${name}.log`));
    const node: Node = { ...place, data, file, daemon: start() };
    nodes.push(node);
    endings.push(() => lose(node, 'machine'));
  }
  const ports = { primary: await findFreePort(), standbys: await findFreePort() };
  startHaproxy(programs, folder, haproxyFor(nodes, ports), endings);
  const adminUrl = (database: string): string =>
    `postgresql://postgres:${password}@127.0.0.1:${ports.primary}/${database}`;
  const whole = (): Promise<void> =>
    until('the cluster is whole', WHOLE_WITHIN_MS, async () => {
      const { standbys, isSynchronous } = await askPrimary(adminUrl('postgres'));
      const roles = (await membersOf(nodes)).map(({ role }) => role);
      return standbys === NAMES.length - 1 && isSynchronous && roles.includes('sync_standby');
    });
  await whole();
  return {
    ports,
    whole,
    adminUrl,
    kill: async (loss) => {
      const leader = (await membersOf(nodes)).find(({ role }) => role === 'leader')?.name;
      const node = nodes.find(({ name }) => name === leader);
      if (!node) throw new Error('there is no primary to kill');
      await lose(node, loss);
      return node.name;
    },
    bringBack: async (name, loss) => {
      const node = nodes.find((each) => each.name === name);
      if (node && loss === 'machine')
        node.daemon = startDaemon(programs.patroni, [node.file], join(folder, `${name}.log`));
    },
  };
}

/** Kills the server, and with a machine first what would start it again, without letting either say goodbye. */
async function lose({ data, daemon }: Node, loss: Loss): Promise<void> {
  const family = familyOf(join(data, 'postmaster.pid'));
  const gone = loss === 'machine' ? daemon.kill() : Promise.resolve();
  killAll(family);
  await gone;
}

async function startEtcd({ etcd }: Programs, folder: string, endings: Endings): Promise<number> {
  const [clients, peers] = [await findFreePort(), await findFreePort()];
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const daemon = startDaemon(
    etcd,
    [
      ...['--name', 'etcd1', '--data-dir', makeFolder(folder, 'etcd')],
      ...['--listen-client-urls', url(clients), '--advertise-client-urls', url(clients)],
      ...['--listen-peer-urls', url(peers), '--initial-advertise-peer-urls', url(peers)],
      ...['--initial-cluster', `etcd1=${url(peers)}`],
    ],
    join(folder, 'etcd.log'),
  );
  endings.push(daemon.stop);
  await until('etcd answers', WHOLE_WITHIN_MS, async () => (await fetch(`${url(clients)}/health`)).ok);
  return clients;
}

type Place = Pick<Node, 'name' | 'rest' | 'postgres' | 'data'> & { readonly etcd: number; readonly password: string };

/** The file of a node: that of db1 with another name, and with ports of this machine. */
const patroniFor = ({ name, rest, postgres, data, etcd, password }: Place, programs: Programs): string =>
  read('patroni.yaml')
    .replace('name: db1', `name: ${name}`)
    .replace(/( +- 10\.0\.0\.1\d:2379\n)+/, `    - 127.0.0.1:${etcd}\n`)
    .replaceAll('10.0.0.11:8008', `127.0.0.1:${rest}`)
    .replaceAll('10.0.0.11:5432', `127.0.0.1:${postgres}`)
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('/var/lib/postgresql/15/kasi', data)
    .replace('/usr/lib/postgresql/15/bin', programs.postgres)
    .replaceAll(/[A-Z]+_PASSWORD/g, password)
    // No other server of this machine may find a socket of ours. Patroni's port has such a line, too, with more on it.
    .replace('  authentication:\n', '  parameters: { unix_socket_directories: "" }\n  authentication:\n');

const haproxyFor = (nodes: readonly Node[], ports: DatabaseCluster['ports']): string =>
  nodes
    .reduce(
      (text, { name, rest, postgres }) =>
        text.replaceAll(
          new RegExp(`server ${name} \\S+ check port 8008`, 'g'),
          `server ${name} 127.0.0.1:${postgres} check port ${rest}`,
        ),
      read('haproxy.cfg'),
    )
    .replace('bind 127.0.0.1:6432', `bind 127.0.0.1:${ports.primary}`)
    .replace('bind 127.0.0.1:6433', `bind 127.0.0.1:${ports.standbys}`);

export function startHaproxy({ haproxy }: Programs, folder: string, config: string, endings: Endings): void {
  const file = join(folder, `haproxy-${endings.length}.cfg`);
  writeFileSync(file, config, { mode: 0o644 });
  endings.push(startDaemon(haproxy, ['-db', '-f', file], `${file}.log`).kill);
}

/** What Patroni knows of all members, from any that answers. */
async function membersOf(nodes: readonly Node[]): Promise<readonly Member[]> {
  for (const { rest } of nodes) {
    const answer = await fetch(`http://127.0.0.1:${rest}/cluster`).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
}

/** What the primary says of itself and of those that follow it. */
const askPrimary = (url: string) =>
  withDatabase(url, 'kasi-cluster', async (db) => {
    const { rows } = await sql<{ standbys: number; isSynchronous: boolean }>`
      select count(*)::int as standbys,
             coalesce(bool_or(sync_state in ('sync', 'quorum')), false) as "isSynchronous"
        from pg_stat_replication where state = 'streaming' and not pg_is_in_recovery()`.execute(db);
    return rows[0] ?? { standbys: 0, isSynchronous: false };
  });
