import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';

/** What counts requests grows with every request, good or bad. */
const COUNTING = ['limit_counters', 'limit_buckets'];

/** How many rows each table holds, but for those that count requests: two that are equal mean that nothing was stored between. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all (${COUNTING}) order by 1`.execute(
    db,
  );
  const counts = tables.rows.map(
    ({ name }) => sql`select ${sql.lit(name)} as name, count(*)::int as count from ${sql.table(name)}`,
  );
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
