import type { Copying } from '../db/copying.ts';
import { RESTORE_MARK } from '../deployment/restored.ts';

export type Table = { readonly name: string; readonly columns: readonly string[] };

/** Of the schema itself: migrating writes these. */
const OF_SCHEMA = ['kysely_migration', 'kysely_migration_lock', 'schema_compatibility'];

/**
 * The tables that a backup holds, with the columns that have values of their own. Unlogged tables are left out: what
 * PostgreSQL may lose with a crash (counters of limits) need not survive a restore.
 */
export const listTables = (db: Copying): Promise<Table[]> =>
  db.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
        and c.relname <> all ($1) group by c.relname order by c.relname`,
    [[...OF_SCHEMA, RESTORE_MARK]],
  );

/** A name of the catalogue in SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
