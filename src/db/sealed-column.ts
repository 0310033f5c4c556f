import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import { type KeyRing, type Place, rewrap } from '../lib/envelope.ts';
import { inTransaction } from './transaction.ts';

/** A column of envelopes (`lib/envelope.ts`); its owner says where each of them is. */
export type SealedColumn = {
  /** The columns with the primary key and with the id of the row's owner. */
  readonly key: string;
  readonly tenant: string;
  readonly placeOf: (key: string, tenant: string) => Place;
};

/** What became of a page. `last`: its greatest key; null when there was nothing left. */
export type Rewrapped = {
  /** Rows of the page. */
  readonly looked: number;
  readonly count: number;
  /** What another key wraps still, because its row was locked. */
  readonly locked: number;
  readonly last: string | Buffer | null;
};

type Row = { readonly key: string | Buffer; readonly tenant: string; readonly sealed: Buffer };

/**
 * Wraps envelopes by the ring's current key that another one wraps, among the `limit` rows whose keys follow `from`, in
 * one transaction. The page bounds what is read, not what is found: with everything wrapped already, the search for the
 * next one would read the whole table in one statement. What envelopes hold does not change, so whoever reads meanwhile
 * reads the same. Skips rows that are locked: another run finds them. Throws when the ring lacks the key of one.
 */
export async function rewrapBatch(
  db: Db,
  ring: KeyRing,
  { key, tenant, placeOf }: SealedColumn,
  from: string | Buffer | null,
  limit: number,
): Promise<Rewrapped> {
  const { table, column } = placeOf('', '');
  const [at, sealed] = [sql.ref(key), sql.ref(column)];
  const follows = from === null ? sql`true` : sql`${at} > ${from}`;
  return inTransaction(db, async (trx) => {
    const { rows: ends } = await sql<{ last: string | Buffer }>`
      select ${at} as last from ${sql.table(table)} where ${follows} order by ${at} limit ${limit}`.execute(trx);
    const last = ends.at(-1)?.last ?? null;
    if (last === null) return { looked: 0, count: 0, locked: 0, last };
    const toWrap = sql`${sealed} is not null and substring(${sealed} from 2 for 8) <> ${ring.current.id}
      and ${follows} and ${at} <= ${last}`;
    const { rows: counts } = await sql<{ found: number }>`
      select count(*)::int as found from ${sql.table(table)} where ${toWrap}`.execute(trx);
    const { rows } = await sql<Row>`
      select ${at} as key, ${sql.ref(tenant)} as tenant, ${sealed} as sealed from ${sql.table(table)}
       where ${toWrap} order by ${at} for no key update skip locked`.execute(trx);
    for (const row of rows) {
      const place = placeOf(Buffer.isBuffer(row.key) ? row.key.toString('hex') : row.key, row.tenant);
      const wrapped = rewrap(ring, place, row.sealed);
      if (wrapped === undefined) continue;
      await sql`update ${sql.table(table)} set ${sealed} = ${wrapped} where ${at} = ${row.key}`.execute(trx);
    }
    const locked = Math.max(0, (counts[0]?.found ?? 0) - rows.length);
    return { looked: ends.length, count: rows.length, locked, last };
  });
}
