import { sql } from 'kysely';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db } from '../lib/db-types.ts';
import type { Page, PageWindow, Total } from '../lib/paging.ts';
import type { MerchantStatus } from '../ports/security.ts';
import { skipDays } from '../tallies/skip.ts';
import { countUpTo, readTotal, sumOf, type Tallied } from '../tallies/total.ts';
import type { Merchant } from './merchant.ts';
import { selectMerchant, toMerchant } from './queries.ts';

export type MerchantFilter = {
  readonly status?: MerchantStatus;
  /** Matches when each word occurs in the name, e-mail address or phone number, or begins the id. */
  readonly search?: string;
};

const MERCHANTS = newestFirst('merchants', { table: 'm' });

/** One page of merchants, newest first, and the total number of matches. */
export async function listMerchants(
  db: Db,
  filter: MerchantFilter,
  page: PageWindow,
): Promise<{ readonly found: Page<Merchant>; readonly total: Total }> {
  const { search, status } = filter;
  const tallied: Tallied<'merchants'> | undefined =
    search === undefined ? { list: 'merchants', owners: [''], slice: { status } } : undefined;
  const at = windowSql(MERCHANTS, await skipDays(db, tallied, {}, page));
  const isOnPage = at.isOnPage('m.id', (condition) =>
    db.selectFrom('merchants as m').select(['m.id', 'm.created_at']).where(matches(filter)).where(condition),
  );
  const [rows, total] = await Promise.all([
    selectMerchant(db).select(at.keys).where(isOnPage).modifyEnd(at.sorted).execute(),
    tallied ? readTotal(db, sumOf('count', tallied)) : countUpTo(db, sql`merchants m where ${matches(filter)}`, page),
  ]);
  return { found: at.pageOf(rows, toMerchant), total };
}

/** See decision merchants/search-by-word-endings. */
function matches({ status, search }: MerchantFilter) {
  const inState = status === undefined ? sql`true` : sql`m.status = ${status}`;
  const found = search === undefined ? sql`true` : sql`m.terms @@ merchant_search(${search})`;
  return sql<boolean>`${inState} and ${found}`;
}
