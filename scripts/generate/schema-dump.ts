import pg from 'pg';

/** Each kind of object with PostgreSQL's own rendering, in reading order. */
const COLUMNS = `
  select c.relname as name, case c.relpersistence when 'u' then 'unlogged ' else '' end as persistence,
    string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attidentity <> '' then ' generated always as identity' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      || case when a.attnotnull then ' not null' else '' end, E',\\n' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
   group by c.relname, c.relpersistence order by c.relname`;
const CONSTRAINTS = `
  select conrelid::regclass::text as name, conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
   where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p', 'u', 'c', 'f')
   order by conrelid::regclass::text, contype, conname`;
const INDEXES = `
  select tablename as name, indexdef as line from pg_indexes i
   where schemaname = 'public' and tablename not like 'kysely%'
     and not exists (select from pg_constraint where conname = i.indexname) order by tablename, indexname`;
const TRIGGERS = `
  select tgrelid::regclass::text as name, pg_get_triggerdef(oid) as line from pg_trigger
   where not tgisinternal order by tgrelid::regclass::text, tgname`;
const VIEWS = `
  select viewname as name, 'create view ' || viewname || E' as\\n' || definition as line from pg_views
   where schemaname = 'public' order by viewname`;
const FUNCTIONS = `
  select proname as name, pg_get_functiondef(oid) as line from pg_proc
   where pronamespace = 'public'::regnamespace order by proname`;

type Row = { readonly name: string; readonly line: string };

/** The schema of the database at `url` as SQL, to read and to compare. Equal schemas give equal text. */
export async function dumpSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const lines = async (text: string): Promise<Row[]> => (await client.query<Row>(text)).rows;
    const tables = (await client.query<{ name: string; persistence: string; columns: string }>(COLUMNS)).rows;
    const [constraints, indexes, triggers, views, functions] = [
      await lines(CONSTRAINTS),
      await lines(INDEXES),
      await lines(TRIGGERS),
      await lines(VIEWS),
      await lines(FUNCTIONS),
    ];
    const of = (rows: readonly Row[], name: string): string[] =>
      rows.filter((row) => row.name === name).map((row) => row.line);
    const parts = tables.map((table) =>
      [
        `create ${table.persistence}table ${table.name} (`,
        [table.columns, ...of(constraints, table.name).map((line) => `  constraint ${line}`)].join(',\n'),
        ');',
        ...[...of(indexes, table.name), ...of(triggers, table.name)].map((line) => `${line};`),
      ].join('\n'),
    );
    const header = '-- Written by `npm run generate` from a freshly migrated database. For reading; never run.';
    return `${[header, ...parts, ...[...views, ...functions].map(({ line }) => `${line.trim().replace(/;$/, '')};`)].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
