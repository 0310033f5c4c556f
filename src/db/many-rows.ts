import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Trx } from '../lib/db-types.ts';

/**
 * Tables with batch writes. The rows travel as JSON, so that the statement is the same, and prepared, for any number of
 * rows.
 */
type Table = 'subscriptions' | 'charges' | 'payments' | 'payment_quotes' | 'deposit_addresses' | 'credits';

/** Inserts rows in one statement. All rows name the same columns; other columns get their defaults. */
export async function insertRows<T extends Table>(
  trx: Trx,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<void> {
  if (rows.length > 0) await insertion(table, rows).execute(trx);
}

/** The statement of `insertRows`, for use inside another statement; needs at least one row. */
export function insertion<T extends Table>(table: T, rows: readonly Insertable<DB[T]>[]): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  return sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${toJson(rows)}::json)`;
}

/** Updates rows by `id` in one statement; all rows name the same columns. Throws if a row does not exist. */
export async function updateRows(
  trx: Trx,
  table: 'subscriptions' | 'charges' | 'payments',
  rows: readonly ({ readonly id: string } & Record<string, unknown>)[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first).filter((name) => name !== 'id');
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = sql.join(names.map((name) => sql.ref(`new.${name}`)));
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} as old set (${columns}) = row (${values})
      from json_populate_recordset(null::${sql.table(table)}, ${toJson(rows)}::json) as new
     where old.id = new.id`.execute(trx);
  if (numAffectedRows !== BigInt(rows.length)) throw new Error(`a row of ${table} is gone in spite of its lock`);
}

/**
 * Writes amounts as decimal text, which PostgreSQL reads exactly, and leaves out what is null, as it reads what is
 * missing: of a third of the columns neither side makes or reads a text. A JSON replacer would be slower: it runs for
 * every value at every depth.
 */
const toJson = (rows: readonly object[]): string => JSON.stringify(rows.map(toValues));

function toValues(row: object): object {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value !== null) values[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return values;
}
