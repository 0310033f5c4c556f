import { type ExpressionBuilder, expressionBuilder, type InferResult, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { PageWindow, Total } from '../lib/paging.ts';
import { skipDays } from '../tallies/skip.ts';
import { countTallied, countUpTo, type Tallied } from '../tallies/total.ts';

export type AuditFilter = {
  /** The merchant that the resources belong to; without it, the whole platform. */
  readonly merchantId?: string;
  readonly actorType?: 'admin' | 'merchant' | 'system';
  readonly actorId?: string;
  readonly action?: string;
  readonly resourceType?: string;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

const entriesWithPositions = (db: Db) =>
  db
    .selectFrom('audit_log')
    .leftJoin('audit_chain', 'audit_chain.entry_id', 'audit_log.id')
    .selectAll('audit_log')
    .select(['audit_chain.sequence', 'audit_chain.hash']);

const ENTRIES = newestFirst('audit-log', { table: 'audit_log' });

/** Newest first, one page. */
export async function listEntries(db: Db, filter: AuditFilter, page: PageWindow) {
  const how = { within: within(filter), sparse: isSparse(filter) };
  const at = windowSql(ENTRIES, await skipDays(db, talliedOf(filter), filter, page, how));
  const isOnPage = at.isOnPage('audit_log.id', (condition) =>
    db
      .selectFrom('audit_log')
      .select(['audit_log.id', 'audit_log.created_at'])
      .where((eb) => matches(eb, filter))
      .where(condition),
  );
  const rows = await entriesWithPositions(db).select(at.keys).where(isOnPage).modifyEnd(at.sorted).execute();
  return at.pageOf(rows, (row): AuditRow => row);
}

/** Whether no index has just these: those of a merchant only in all, those of everybody by one of the others. */
const isSparse = ({ merchantId, actorType, action, resourceType }: AuditFilter): boolean =>
  [merchantId, actorType, action ?? resourceType].filter((value) => value !== undefined).length > 1;

/** What of the tallies a filter asks for; undefined where they don't know. */
function talliedOf({ merchantId = '', ...filter }: AuditFilter): Tallied<'audit'> | undefined {
  const { actorType, actorId, action, resourceType } = filter;
  if (actorId !== undefined) return undefined;
  return { list: 'audit', owners: [merchantId], slice: { actorType, resourceType, action } };
}

const within = (filter: AuditFilter) => (part: Pick<AuditFilter, 'from' | 'to'>) =>
  sql`audit_log where ${matches(expressionBuilder<DB, 'audit_log'>(), { ...filter, ...part })}`;

/** One entry, of any merchant; throws NOT_FOUND. */
export async function getEntry(db: Db, id: string): Promise<AuditRow> {
  const row = await entriesWithPositions(db).where('audit_log.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('audit log entry');
  return row;
}

/** How many entries match the filter; those of one actor up to some number. */
export async function countEntries(
  db: Db,
  filter: AuditFilter,
  page: PageWindow = { offset: 0, limit: 0 },
): Promise<Total> {
  const tallied = talliedOf(filter);
  if (tallied) return countTallied(db, tallied, filter, within(filter));
  return countUpTo(db, within(filter)({}), page);
}

export type AuditRow = InferResult<ReturnType<typeof entriesWithPositions>>[number];

function matches(eb: ExpressionBuilder<DB, 'audit_log'>, filter: AuditFilter) {
  const { merchantId, actorType, actorId, action, from, to } = filter;
  // An action implies its resource type, with which the index begins.
  const resourceType = filter.resourceType ?? action?.split('.')[0];
  return eb.and([
    ...(merchantId === undefined ? [] : [eb('merchant_id', '=', merchantId)]),
    ...(actorType === undefined ? [] : [eb('actor_type', '=', actorType)]),
    ...(actorId === undefined ? [] : [eb('actor_id', '=', actorId)]),
    ...(resourceType === undefined ? [] : [eb('resource_type', '=', resourceType)]),
    ...(action === undefined ? [] : [eb('action', '=', action)]),
    ...(from ? [eb('created_at', '>=', from)] : []),
    ...(to ? [eb('created_at', '<', to)] : []),
  ]);
}
