import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDebianPostgres } from '../try-live/postgres.ts';

/** The programs of a cluster, as Debian's packages put them. */
export type Programs = {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** PgBouncer 1.21 or newer, before which all but listening goes; undefined: none. Debian 12 has an older one. */
  readonly pgbouncer: string | undefined;
  /** The folder of PostgreSQL's. */
  readonly postgres: string;
};

/** PATRONI may name a newer one: Debian 12's lets a primary that was frozen take the place of its successor. */
const PATRONI = process.env['PATRONI'] ?? '/usr/bin/patroni';
const PLACES = { patroni: PATRONI, etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' } as const;
const PACKAGES = { patroni: 'patroni python3-etcd python3-psycopg2', etcd: 'etcd-server', haproxy: 'haproxy' } as const;

/** The programs, or the packages that are missing. */
export function findPrograms(): Programs | { readonly missing: readonly string[] } {
  const names = Object.keys(PLACES) as (keyof typeof PLACES)[];
  const postgres = findDebianPostgres();
  const missing = [
    ...names.filter((name) => !existsSync(PLACES[name])).map((name) => PACKAGES[name]),
    ...(postgres === undefined ? ['postgresql-15'] : []),
  ];
  if (missing.length > 0 || postgres === undefined) return { missing };
  return { ...PLACES, pgbouncer: process.env['PGBOUNCER'], postgres: join(postgres, 'bin') };
}
