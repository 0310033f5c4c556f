import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';

/**
 * Writes many rows of a table in one statement: of each, the columns that it names beside its `id`, which are the same in all. Throws when
 * one of them is not there.
 */
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
      from jsonb_populate_recordset(null::${sql.table(table)}, ${toJson(rows)}::jsonb) as new
     where old.id = new.id`.execute(trx);
  if (numAffectedRows !== BigInt(rows.length)) throw new Error(`a row of ${table} is gone in spite of its lock`);
}

/** Amounts as decimal text, which PostgreSQL reads exactly. */
const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
