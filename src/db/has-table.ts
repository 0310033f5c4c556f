import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';

/** Whether the database has such a table: one that is yet to be migrated may not. */
export async function hasTable(db: Db | Trx, name: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${`public.${name}`}) is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}
