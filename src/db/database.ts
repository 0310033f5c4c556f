import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { Db, Wake } from '../lib/db-types.ts';
import { expectAnswers } from './answers.ts';
import { type Leaving, leaveWhenDemoted } from './demoted.ts';
import { hasMetFullDisk, rememberFullDisk } from './full.ts';
import { LANE_LIMITS, LANES_MAX, type Lanes, openLanes } from './lanes.ts';
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
  /** Whether whole transactions share connections that are opened besides (`lanes.ts`). */
  readonly hasLanes?: boolean;
  /** The same for all pools that leave their server together. */
  readonly leaving?: Leaving;
  readonly onError: (error: Error) => void;
};

/**
 * A pool with timeouts that keep one stuck statement from stopping all others. Reports a lost connection to `onError`
 * and never throws outside a query; the pool reconnects by itself.
 */
export function openDatabase(options: DatabaseOptions): Db {
  const { leaving = new Set() } = options;
  const beside = options.hasLanes ? openLanesBeside(options) : null;
  const { pool, namer } = openPool(options, { connectWithinMs: options.connectWithinMs }, beside?.lanes);
  const writing = beside ? [pool, beside.pool] : [pool];
  const standbys = options.standbyUrl ? openStandbys(options, options.standbyUrl, pool, () => positionOf(db)) : null;
  const reading = standbys?.pool ?? pool;
  const end = async (): Promise<void> => {
    beside?.lanes.close();
    await Promise.all([reading.end(), beside?.pool.end()]);
  };
  const taking = { connect: () => reading.connect(), end, options: pool.options };
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool: taking }) });
  const { forget, ...numbers } = createNumbers(kysely);
  for (const each of writing) {
    rememberFullDisk(each);
    each.on('connect', (client) => client.on('error', forget));
    leaveWhenDemoted(each, forget, leaving);
  }
  if (beside) leaving.add(beside.lanes.leave);
  const ring = createRinger((wakes) => notify(kysely, wakes));
  const db: Db = Object.assign(kysely, {
    ring,
    lookUp: tellLookUps(createLookUps(pool, namer, kysely), kysely),
    ...numbers,
    ...(standbys && { standbys }),
  });
  pools.set(db, { pool, writing });
  return db;
}

/** The connections over which whole transactions go one behind the other. */
function openLanesBeside(options: DatabaseOptions) {
  const { pool, namer } = openPool(
    { ...options, poolMax: LANES_MAX, applicationName: `${options.applicationName}-lane` },
    { pipeline: true, ...LANE_LIMITS },
  );
  return { pool, lanes: openLanes(pool, namer.wayOf) };
}

/** A standby that does not take connections at once is no help. */
const STANDBY_WITHIN_MS = 500;

function openStandbys(options: DatabaseOptions, url: string, primary: pg.Pool, position: () => Promise<Position>) {
  const ours = { ...options, url, applicationName: `${options.applicationName}-read` };
  const { pool } = openPool(ours, { connectWithinMs: STANDBY_WITHIN_MS });
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

/** Settings in which the connections of one pool differ from those of the others. */
type Kind = Partial<Record<keyof typeof SESSION_LIMITS, number>> & {
  readonly connectWithinMs?: number | undefined;
  readonly pipeline?: boolean;
};

function openPool(options: DatabaseOptions, { connectWithinMs = CONNECT_WITHIN_MS, ...kind }: Kind, lanes?: Lanes) {
  const pool = new pg.Pool({
    ...sessionOf(options.url),
    ...kind,
    max: options.poolMax,
    application_name: options.applicationName,
    types,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
  });
  expectLosses(pool, options.onError);
  pool.on('connect', (client) => expectAnswers(client, ANSWER_WITHIN_MS));
  const namer = createNamer(lanes);
  pool.on('connect', namer.prepare);
  pool.on('connect', tellStatements);
  return { pool, namer };
}

/** Of what `openDatabase` returned, what takes any statement, and all that may write. */
type Pools = { readonly pool: pg.Pool; readonly writing: readonly pg.Pool[] };

const pools = new WeakMap<Db, Pools>();

/** The connections of a pool, and how many queries wait for one. */
export type PoolLoad = {
  readonly in_use: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
};

/** The load of what `openDatabase` returned; zeros for anything else. */
export function poolLoad(db: Db): PoolLoad {
  const { totalCount = 0, idleCount: idle = 0, waitingCount: waiting = 0, options } = pools.get(db)?.pool ?? {};
  return { in_use: totalCount - idle, idle, waiting, max: options?.max ?? 0 };
}

/** Whether what was asked on `openDatabase` has met a full disk within the last minute. */
export function meetsFullDisk(db: Db): boolean {
  return pools.get(db)?.writing.some((pool) => hasMetFullDisk(pool)) ?? false;
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
