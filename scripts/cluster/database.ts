import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findFreePort } from '../../src/db/daemon.ts';
import { withDatabase } from '../../src/db/database.ts';
import type { Endings } from '../crash/stage.ts';
import { until } from '../lib/wait.ts';
import { type Daemon, makeFolder, startDaemon } from './daemons.ts';
import { bringBack, type Loss, lose, type Machine, proxyTo } from './machines.ts';
import type { Programs } from './programs.ts';

/** Three PostgreSQL servers under Patroni, behind HAProxy. */
export type DatabaseCluster = {
  /** The superuser's URL of a database on the primary, through HAProxy. */
  readonly adminUrl: (database: string) => string;
  /** Where HAProxy passes on to the primary, and to the standbys. */
  readonly ports: { readonly primary: number; readonly standbys: number };
  /** Loses the primary. The function that it resolves with brings back what Patroni does not by itself. */
  readonly lose: (loss: Loss) => Promise<() => void>;
  /**
   * Resolves when a primary answers and two standbys stream, one of which Patroni would promote. A former primary
   * streams for a moment before it is rewound, and is of no use for good if the primary is lost meanwhile: so all have
   * to have come to the primary's timeline.
   */
  readonly whole: () => Promise<void>;
};

type Member = { readonly name: string; readonly role: string; readonly timeline?: number };
const NAMES = ['db1', 'db2', 'db3'] as const;
const WHOLE_WITHIN_MS = 120_000;
const MEMBERS_WITHIN_MS = 2_000;
const DEPLOY = join(import.meta.dirname, '../../deploy/cluster');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Starts it from the files of `deploy/cluster/`, with ports of this machine in the place of addresses. */
export async function startDatabaseCluster(
  programs: Programs,
  folder: string,
  endings: Endings,
): Promise<DatabaseCluster> {
  const password = randomBytes(12).toString('hex');
  const etcds = await planEtcd();
  const machines: Machine[] = [];
  for (const [at, name] of NAMES.entries()) {
    const machine = await startMachine({ programs, folder, name, password, etcds, at });
    machines.push(machine);
    endings.push(async () => {
      await lose(machine, 'machine');
      for (const proxy of machine.proxies) await proxy.close();
    });
  }
  const ports = { primary: await findFreePort(), standbys: await findFreePort() };
  startHaproxy(programs, folder, haproxyFor(machines, ports), endings);
  const adminUrl = (database: string): string =>
    `postgresql://postgres:${password}@127.0.0.1:${ports.primary}/${database}`;
  const whole = (): Promise<void> =>
    until('the cluster is whole', WHOLE_WITHIN_MS, async () => {
      const { standbys, isSynchronous, timeline } = await askPrimary(adminUrl('postgres'));
      const members = await membersOf(machines);
      const areOnIt = members.length === NAMES.length && members.every((each) => each.timeline === timeline);
      const isFollowed = members.some(({ role }) => role === 'sync_standby');
      return standbys === NAMES.length - 1 && isSynchronous && isFollowed && areOnIt;
    });
  await whole();
  return {
    ports,
    whole,
    adminUrl,
    lose: async (loss) => {
      const leader = (await membersOf(machines)).find(({ role }) => role === 'leader')?.name;
      const machine = machines.find(({ name }) => name === leader);
      if (!machine) throw new Error('there is no primary to lose');
      await lose(machine, loss);
      return () => bringBack(machine, loss);
    },
  };
}

type Etcd = { readonly name: string; readonly clients: number; readonly peers: number };

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

const planEtcd = async (): Promise<Etcd[]> => {
  const all: Etcd[] = [];
  for (const name of NAMES) all.push({ name, clients: await findFreePort(), peers: await findFreePort() });
  return all;
};

type Plan = {
  readonly programs: Programs;
  readonly folder: string;
  readonly name: string;
  readonly password: string;
  readonly etcds: readonly Etcd[];
  readonly at: number;
};

/** Starts etcd, PostgreSQL under Patroni, and what is between this machine and the others. */
async function startMachine({ programs, folder, name, password, etcds, at }: Plan): Promise<Machine> {
  const [rest, postgres] = [await findFreePort(), await findFreePort()];
  const [toRest, toPostgres] = [await proxyTo(rest), await proxyTo(postgres)];
  const reached = { rest: toRest.port, postgres: toPostgres.port };
  const data = join(makeFolder(folder, name), 'data');
  const file = join(folder, name, 'patroni.yaml');
  const place = { ...{ name, rest, postgres, data, reached, password }, etcds: etcds.map(({ clients }) => clients) };
  writeFileSync(file, patroniFor(place, programs), { mode: 0o644 });
  const startPatroni = (): Daemon => startDaemon(programs.patroni, [file], join(folder, `${name}.log`));
  const startEtcd = (): Daemon =>
    startDaemon(programs.etcd, etcdFor(folder, etcds, at), join(folder, `etcd-${name}.log`));
  return {
    ...{ name, data, reached, startPatroni, startEtcd, proxies: [toRest, toPostgres] },
    ...{ etcd: startEtcd(), patroni: startPatroni(), frozen: [] },
  };
}

function etcdFor(folder: string, etcds: readonly Etcd[], at: number): string[] {
  const { name, clients, peers } = etcds[at] as Etcd;
  return [
    ...['--name', name, '--data-dir', makeFolder(folder, `etcd-${name}`)],
    ...['--listen-client-urls', urlOf(clients), '--advertise-client-urls', urlOf(clients)],
    ...['--listen-peer-urls', urlOf(peers), '--initial-advertise-peer-urls', urlOf(peers)],
    ...['--initial-cluster', etcds.map((each) => `${each.name}=${urlOf(each.peers)}`).join(',')],
  ];
}

type Place = Pick<Machine, 'name' | 'data' | 'reached'> & {
  readonly rest: number;
  readonly postgres: number;
  readonly etcds: readonly number[];
  readonly password: string;
};

/** The file of a machine: that of db1 with another name, and with ports of this machine. */
const patroniFor = ({ name, rest, postgres, data, reached, etcds, password }: Place, programs: Programs): string =>
  read('patroni.yaml')
    .replace('name: db1', `name: ${name}`)
    .replace(/( +- 10\.0\.0\.1\d:2379\n)+/, etcds.map((port) => `    - 127.0.0.1:${port}\n`).join(''))
    .replaceAll('listen: 10.0.0.11:8008', `listen: 127.0.0.1:${rest}`)
    .replaceAll('listen: 10.0.0.11:5432', `listen: 127.0.0.1:${postgres}`)
    .replaceAll('10.0.0.11:8008', `127.0.0.1:${reached.rest}`)
    .replaceAll('10.0.0.11:5432', `127.0.0.1:${reached.postgres}`)
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('/var/lib/postgresql/15/kasi', data)
    .replace('/usr/lib/postgresql/15/bin', programs.postgres)
    .replaceAll(/[A-Z]+_PASSWORD/g, password)
    // No other server of this machine may find a socket of ours. Patroni's port has such a line, too, with more on it.
    .replace('  authentication:\n', '  parameters: { unix_socket_directories: "" }\n  authentication:\n');

const haproxyFor = (machines: readonly Machine[], ports: DatabaseCluster['ports']): string =>
  machines
    .reduce(
      (text, { name, reached }) =>
        text.replaceAll(
          new RegExp(`server ${name} \\S+ check port 8008`, 'g'),
          `server ${name} 127.0.0.1:${reached.postgres} check port ${reached.rest}`,
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
async function membersOf(machines: readonly Machine[]): Promise<readonly Member[]> {
  for (const { reached } of machines) {
    const signal = AbortSignal.timeout(MEMBERS_WITHIN_MS);
    const answer = await fetch(`${urlOf(reached.rest)}/cluster`, { signal }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
}

/** What the primary says of itself and of those that follow it. */
const askPrimary = (url: string) =>
  withDatabase(url, 'kasi-cluster', async (db) => {
    const { rows } = await sql<{ standbys: number; isSynchronous: boolean; timeline: number | null }>`
      select count(*)::int as standbys,
             coalesce(bool_or(sync_state in ('sync', 'quorum')), false) as "isSynchronous",
             case when not pg_is_in_recovery() then
               ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
        from pg_stat_replication where state = 'streaming' and not pg_is_in_recovery()`.execute(db);
    return rows[0] ?? { standbys: 0, isSynchronous: false, timeline: null };
  });
