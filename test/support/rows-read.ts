import { sql } from 'kysely';
import type { Trx } from '../../src/lib/db-types.ts';

/** The rows of a table that a connection has read and not reported yet: earlier transactions of a second count, too. */
async function readSoFar(trx: Trx, table: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
      from pg_stat_xact_user_tables where relname = ${table}`.execute(trx);
  return rows[0]!.read;
}

/** How many rows of a table some work of a transaction reads, those that triggers read included. */
export async function rowsRead(trx: Trx, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(trx, table);
  await work();
  return (await readSoFar(trx, table)) - before;
}
