import type pg from 'pg';

/**
 * Lets tests of plans make many rows of one table without those that they belong to, and keeps statistics as they are
 * until `analyze`. For databases of one test file.
 */
export async function loosenRows(owner: pg.Client): Promise<void> {
  await owner.query(`do $$ declare found record; begin
    for found in select conrelid::regclass as name, conname from pg_constraint
                  where contype in ('f', 'c') and connamespace = 'public'::regnamespace and conrelid <> 0 loop
      execute format('alter table %s drop constraint %I', found.name, found.conname);
    end loop;
    for found in select oid::regclass as name from pg_class
                  where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s disable trigger user', found.name);
      execute format('alter table %s set (autovacuum_enabled = false)', found.name);
    end loop;
  end $$`);
}

const FILLERS: Readonly<Record<string, string>> = {
  text: `'x' || g`,
  jsonb: `'{}'`,
  boolean: 'false',
  bytea: `'\\x00'`,
  ARRAY: `'{}'`,
  date: 'now()',
  'timestamp with time zone': 'now()',
};

/** Inserts rows. `columns` are expressions of their number `g`; what else a row must have is filled in. */
export async function fillRows(
  owner: pg.Client,
  table: string,
  count: number,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
        and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  );
  const filled = Object.fromEntries(rows.map(({ name, type }) => [name, FILLERS[type] ?? '1']));
  const all = { ...filled, ...columns };
  await owner.query(
    `insert into ${table} (${Object.keys(all).join(', ')})
     select ${Object.values(all).join(', ')} from generate_series(1, ${count}) as g`,
  );
}
