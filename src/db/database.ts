import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { Db, Wake } from '../lib/db-types.ts';
import { expectAnswers } from './answers.ts';
import { type Leaving, leaveWhenDemoted } from './demoted.ts';
import { hasMetFullDisk, rememberFullDisk } from './full.ts';
import { createLookUps } from './look-ups.ts';
import { expectLosses } from './losses.ts';
import { createNumbers } from './numbers.ts';
import { createNamer } from './prepared.ts';
import { createRinger } from './ringer.ts';
import { SESSION_LIMITS, sessionOf } from './session-limits.ts';
import { createStandbyReads, type Position } from './standby-reads.ts';
import { tellLookUps, tellStatements } from './telling.ts';
import { parseTime, TIME_OID } from './times.ts';

/** Longer than the server's own limit. */
const ANSWER_WITHIN_MS = SESSION_LIMITS.statement_timeout + 1000;
const CONNECT_WITHIN_MS = 5000;
const OID = { int8: 20, numeric: 1700 };

type TextParser = (text: string) => unknown;

const parsers = new Map<number, TextParser>([
  [OID.int8, BigInt],
  [OID.numeric, BigInt],
  [TIME_OID, parseTime],
]);

/**
 * int8 and numeric(…, 0) become bigint; all our numeric columns have scale 0. Caches pg's own parsers, because pg asks
 * for the parser of every column of every result.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    const known = parsers.get(oid);
    if (known) return known;
    const parser = pg.types.getTypeParser(oid, 'text') as TextParser;
    parsers.set(oid, parser);
    return parser;
  }) as pg.CustomTypesConfig['getTypeParser'],
};

export type DatabaseOptions = {
  readonly url: string;
  /** Where requests that only read may be answered; null: by `url` alone. */
  readonly standbyUrl?: string | null;
  readonly poolMax: number;
  /** How long a query waits for a connection. */
  readonly connectWithinMs?: number;
  readonly applicationName: string;
  /** The same for all pools that leave their server together. */
  readonly leaving?: Leaving;
  readonly onError: (error: Error) => void;
};

/**
 * A pool with timeouts that keep one stuck statement from stopping all others. Reports a lost connection to `onError`
 * and never throws outside a query; the pool reconnects by itself.
 */
export function openDatabase(options: DatabaseOptions): Db {
  const { pool, namer } = openPool(options, options.connectWithinMs ?? CONNECT_WITHIN_MS);
  rememberFullDisk(pool);
  const standbys = options.standbyUrl ? openStandbys(options, options.standbyUrl, pool, () => positionOf(db)) : null;
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool: standbys?.pool ?? pool }) });
  const { forget, ...numbers } = createNumbers(kysely);
  pool.on('connect', (client) => client.on('error', forget));
  leaveWhenDemoted(pool, forget, options.leaving);
  const ring = createRinger((wakes) => notify(kysely, wakes));
  const db: Db = Object.assign(kysely, {
    ring,
    lookUp: tellLookUps(createLookUps(pool, namer, kysely), kysely),
    ...numbers,
    ...(standbys && { standbys }),
  });
  pools.set(db, pool);
  return db;
}

/** A standby that does not take connections at once is no help. */
const STANDBY_WITHIN_MS = 500;

function openStandbys(options: DatabaseOptions, url: string, primary: pg.Pool, position: () => Promise<Position>) {
  const { pool } = openPool({ ...options, url, applicationName: `${options.applicationName}-read` }, STANDBY_WITHIN_MS);
  return createStandbyReads(primary, pool, position);
}

/** How far the primary is: behind everything that was acknowledged. */
async function positionOf(db: Db): Promise<Position> {
  const end = sql`pg_current_wal_flush_lsn()`;
  const [row] = await db.lookUp(
    db.selectNoFrom([
      sql<bigint>`pg_wal_lsn_diff(${end}, ${'0/0'})`.as('bytes'),
      sql<string>`left(pg_walfile_name(${end}), 8)`.as('timeline'),
    ]),
  );
  if (!row) throw new Error('the primary does not say how far it is');
  return row;
}

function openPool(options: DatabaseOptions, connectWithinMs: number) {
  const pool = new pg.Pool({
    ...sessionOf(options.url),
    max: options.poolMax,
    application_name: options.applicationName,
    types,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
  });
  expectLosses(pool, options.onError);
  pool.on('connect', (client) => expectAnswers(client, ANSWER_WITHIN_MS));
  const namer = createNamer();
  pool.on('connect', namer.prepare);
  pool.on('connect', tellStatements);
  return { pool, namer };
}

const pools = new WeakMap<Db, pg.Pool>();

/** The connections of a pool, and how many queries wait for one. */
export type PoolLoad = {
  readonly in_use: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
};

/** The load of what `openDatabase` returned; zeros for anything else. */
export function poolLoad(db: Db): PoolLoad {
  const { totalCount = 0, idleCount: idle = 0, waitingCount: waiting = 0, options } = pools.get(db) ?? {};
  return { in_use: totalCount - idle, idle, waiting, max: options?.max ?? 0 };
}

/** Whether what was asked on `openDatabase` has met a full disk within the last minute. */
export function meetsFullDisk(db: Db): boolean {
  const pool = pools.get(db);
  return pool !== undefined && hasMetFullDisk(pool);
}

const notify = (db: Kysely<DB>, wakes: readonly Wake[]): Promise<unknown> =>
  sql`
    select pg_notify(channel, payload)
      from unnest(${wakes.map(({ channel }) => channel)}::text[], ${wakes.map(({ payload }) => payload)}::text[])
        as wake (channel, payload)`.execute(db);

/** Runs `work` on a connection of its own and closes it. For what a process does before it has its pools. */
export async function withDatabase<T>(url: string, applicationName: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, poolMax: 1, applicationName, onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
