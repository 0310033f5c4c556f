import { CompiledQuery, type Insertable } from 'kysely';
import type { DB } from '../../generated/db.ts';

/** A statement with its values; Kysely takes it wherever it takes one of its own. */
export type Once = { readonly compile: () => CompiledQuery<unknown> };

const texts = new WeakMap<TemplateStringsArray, CompiledQuery<unknown>>();

/**
 * As `sql` of Kysely, for what every request writes: the text is made once for each place in the code, and not for each
 * use. Takes values only, no other pieces of SQL. See decision db/texts-made-once.
 */
export function sqlOnce(strings: TemplateStringsArray, ...values: readonly unknown[]): Once {
  let made = texts.get(strings);
  if (made === undefined) {
    const [head, ...rest] = strings;
    made = CompiledQuery.raw(rest.reduce((text, part, at) => `${text}$${at + 1}${part}`, head ?? ''));
    texts.set(strings, made);
  }
  return withValues(made, values.map(toValue));
}

/**
 * An insertion of a few rows into a table, with one text for each number of rows. All rows ever given to it name the
 * same columns in the same order, or it throws. Lists and objects are written as JSON.
 */
export function insertOnce<T extends keyof DB & string>(
  table: T,
): (...rows: readonly [Insertable<DB[T]>, ...Insertable<DB[T]>[]]) => Once {
  const made: CompiledQuery<unknown>[] = [];
  let columns: readonly string[] | undefined;
  return (...rows) => {
    columns ??= Object.keys(rows[0]);
    const values: unknown[] = [];
    for (const row of rows) addValues(values, row, columns);
    const query = made[rows.length] ?? CompiledQuery.raw(insertionOf(table, columns, rows.length));
    made[rows.length] = query;
    return withValues(query, values);
  };
}

function insertionOf(table: string, columns: readonly string[], rows: number): string {
  let last = 0;
  const placesOfRow = (): string => `(${columns.map(() => `$${++last}`).join(', ')})`;
  return `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, placesOfRow).join(', ')}`;
}

function addValues(values: unknown[], row: object, columns: readonly string[]): void {
  let at = 0;
  for (const [column, value] of Object.entries(row)) {
    if (column !== columns[at]) throw new Error(`the column ${column} was not in the rows before`);
    values.push(toJsonValue(value));
    at += 1;
  }
  if (at !== columns.length) throw new Error(`the column ${columns[at]} is missing, which rows before had`);
}

const withValues = ({ sql, query, queryId }: CompiledQuery<unknown>, parameters: readonly unknown[]): Once => {
  const compiled = { sql, query, queryId, parameters };
  return { compile: () => compiled };
};

/** pg would write a time in the zone of this process, which takes longer. */
const toValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** pg would write a list as an array of PostgreSQL. */
function toJsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
