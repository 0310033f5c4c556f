import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/** Whether a session in this database waits for an advisory lock. */
export async function isWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  return rows.length > 0;
}
