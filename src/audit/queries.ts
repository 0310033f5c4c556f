import type { ExpressionBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';
import type { PageWindow } from '../lib/paging.ts';

export type AuditFilter = {
  /** Whose resources; left out for the whole platform. */
  readonly merchantId?: string;
  readonly actorType?: 'admin' | 'merchant' | 'system';
  readonly actorId?: string;
  readonly action?: string;
  readonly resourceType?: string;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

const withPlaces = (db: Db) =>
  db
    .selectFrom('audit_log')
    .leftJoin('audit_chain', 'audit_chain.entry_id', 'audit_log.id')
    .selectAll('audit_log')
    .select(['audit_chain.sequence', 'audit_chain.hash']);

/** Newest first, one page. */
export const listEntries = (db: Db, filter: AuditFilter, page: PageWindow) =>
  withPlaces(db)
    .where((eb) => matches(eb, filter))
    .orderBy('audit_log.created_at', 'desc')
    .orderBy('audit_log.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();

/** One entry, of whomever it tells. */
export const findEntry = (db: Db, id: string) => withPlaces(db).where('audit_log.id', '=', id).executeTakeFirst();

/** How many entries a filter lets through, on all pages together. */
export async function countEntries(db: Db, filter: AuditFilter): Promise<number> {
  const { total } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .where((eb) => matches(eb, filter))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export type AuditRow = Awaited<ReturnType<typeof listEntries>>[number];

function matches(eb: ExpressionBuilder<DB, 'audit_log'>, filter: AuditFilter) {
  const { merchantId, actorType, actorId, action, from, to } = filter;
  // An action tells it, and there is an index that begins with it.
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
