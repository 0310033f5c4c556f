import type { ExpressionBuilder, InferResult } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { PageWindow } from '../lib/paging.ts';

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
  const at = windowSql(ENTRIES, page);
  const rows = await entriesWithPositions(db)
    .select(at.keys)
    .where((eb) => matches(eb, filter))
    .where(at.condition)
    .modifyEnd(at.tail)
    .execute();
  return at.pageOf(rows, (row): AuditRow => row);
}

/** One entry, of any merchant; throws NOT_FOUND. */
export async function getEntry(db: Db, id: string): Promise<AuditRow> {
  const row = await entriesWithPositions(db).where('audit_log.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('audit log entry');
  return row;
}

/** How many entries match the filter. */
export async function countEntries(db: Db, filter: AuditFilter): Promise<number> {
  const { total } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .where((eb) => matches(eb, filter))
    .executeTakeFirstOrThrow();
  return Number(total);
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
