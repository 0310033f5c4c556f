import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';

const STATEMENT_TIMEOUT_MS = 5000;
const OID = { int8: 20, numeric: 1700, timestamptz: 1184 };

/** int8 and numeric(…, 0) become bigint, timestamptz Date; every numeric column of ours has scale 0. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && (oid === OID.int8 || oid === OID.numeric)) return (text: string) => BigInt(text);
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

export type DatabaseOptions = {
  readonly url: string;
  readonly poolMax: number;
  readonly applicationName: string;
  readonly onError: (error: Error) => void;
};

/**
 * A pool with the timeouts that keep one stuck statement from stopping everybody. Losing a connection is reported to `onError` and
 * never throws outside a query: the pool reconnects by itself.
 */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    types,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: 2000,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: STATEMENT_TIMEOUT_MS + 1000,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', options.onError);
  // Without a listener on the client itself, a backend killed in mid-transaction would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
