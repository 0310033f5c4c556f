import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Observation } from './judge.ts';

/** A stored rate. `ageMs`: by the database's clock, which has bounded its time. */
export type StoredRate = Observation & { readonly ageMs: number };

/** The last good rate of a pair such as `USD/LKR`, whatever its age. */
export async function findRate(db: Db, pair: string): Promise<StoredRate | undefined> {
  const [base, quote] = split(pair);
  const row = await db
    .selectFrom('rates')
    .select(['value_e8', 'source', 'quoted_at'])
    .select(sql<number>`(extract(epoch from clock_timestamp() - quoted_at) * 1000)::float8`.as('age_ms'))
    .where('base', '=', base)
    .where('quote', '=', quote)
    .executeTakeFirst();
  return row && { valueE8: row.value_e8, source: row.source, quotedAt: row.quoted_at, ageMs: row.age_ms };
}

/**
 * Stores a good rate, unless the stored one is younger. By the database's clock none is of the future: one that was
 * stored by a clock that ran ahead would be taken for fresh, and stay, until that time has come.
 */
export async function saveRate(trx: Trx, pair: string, rate: Observation): Promise<void> {
  const [base, quote] = split(pair);
  const quotedAt = sql<Date>`least(${rate.quotedAt}::timestamptz, clock_timestamp())`;
  const values = { value_e8: rate.valueE8, source: rate.source, quoted_at: quotedAt };
  await trx
    .insertInto('rates')
    .values({ base, quote, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['base', 'quote'])
        .doUpdateSet(values)
        .where(sql<boolean>`rates.quoted_at <= excluded.quoted_at or rates.quoted_at > clock_timestamp()`),
    )
    .execute();
}

function split(pair: string): [string, string] {
  const [base, quote] = pair.split('/');
  if (!base || !quote) throw new Error(`not a pair of currencies: ${pair}`);
  return [base, quote];
}
