import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/** Whether a session in this database waits for an advisory lock. */
export const isWaiting = async (db: Db): Promise<boolean> => (await countWaiting(db, sql`locktype = 'advisory'`)) > 0;

/** How many sessions in this database wait for a lock on a table. */
export const countWaitingFor = (db: Db, table: string): Promise<number> =>
  countWaiting(db, sql`relation = ${table}::regclass`);

/** Of this database only: one that is a copy of another has the same number for a table. */
async function countWaiting(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_locks
     where ${condition} and not granted
       and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length;
}

/** How many sessions in this database wait for a row that another transaction has locked. */
export async function countBlocked(db: Db): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
