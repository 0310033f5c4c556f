import { parseRange } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { type PageQuery, presentPagination, windowOf } from '../lib/paging.ts';
import { type AuditFilter, type AuditRow, countEntries, listEntries } from './queries.ts';

type LogQuery = PageQuery & Omit<AuditFilter, 'from' | 'to'> & { readonly fromDate?: string; readonly toDate?: string };

/** A page of the log, each entry shown by `present`. */
export async function readPageOfLog<T>(db: Db, query: LogQuery, present: (row: AuditRow) => T) {
  const filter = { ...query, ...parseRange(query) };
  const window = windowOf(query);
  const [page, total] = await Promise.all([listEntries(db, filter, window), countEntries(db, filter, window)]);
  return { data: page.rows.map(present), pagination: presentPagination(query, total, page) };
}
