import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/** Tables that count requests grow with every request, good or bad. */
const COUNTING = ['limit_counters', 'limit_buckets'];

/**
 * The number of rows per table, except those that count requests: equal counts mean that nothing was stored in between.
 */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all (${COUNTING})
     order by 1`.execute(db);
  const counts = tables.rows.map(
    ({ name }) => sql`select ${sql.lit(name)} as name, count(*)::int as count from ${sql.table(name)}`,
  );
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
