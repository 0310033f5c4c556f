import { parseRange } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { type PageQuery, presentPagination, windowOf } from '../lib/paging.ts';
import { type AuditFilter, type AuditRow, countEntries, listEntries } from './queries.ts';

type Asked = PageQuery & Omit<AuditFilter, 'from' | 'to'> & { readonly fromDate?: string; readonly toDate?: string };

/** A page of the log as one who may read it sees it. */
export async function readPageOfLog<T>(db: Db, asked: Asked, present: (row: AuditRow) => T) {
  const filter = { ...asked, ...parseRange(asked) };
  const [rows, total] = await Promise.all([listEntries(db, filter, windowOf(asked)), countEntries(db, filter)]);
  return { data: rows.map(present), pagination: presentPagination(asked, total) };
}
