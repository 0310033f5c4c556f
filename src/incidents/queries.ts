import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, notFound } from '../lib/errors.ts';
import type { Page, PageWindow } from '../lib/paging.ts';

export type IncidentRow = Selectable<DB['incidents']>;
export type IncidentStatus = 'open' | 'acknowledged' | 'resolved';

/**
 * Whether it was told `at` a time within the `window` before now. A time further ahead than machines differ was set by
 * a clock that was wrong, and would keep all others silent until it has come.
 */
export const isWithin = (at: RawBuilder<Date>, window: RawBuilder<unknown>, now: Date): RawBuilder<boolean> => sql`
  ${at} > ${now}::timestamptz - ${window} and ${at} < ${now}::timestamptz + interval '1 minute'`;

export type IncidentFilter = {
  readonly status?: IncidentStatus;
  readonly kind?: string;
  readonly resource?: string;
  readonly network?: string;
  readonly since?: Date;
};

const INCIDENTS = newestFirst('incidents', { at: 'opened_at', id: 'integer' });

/** Newest first, one page. */
export async function listIncidents(db: Db, filter: IncidentFilter, page: PageWindow): Promise<Page<IncidentRow>> {
  const at = windowSql(INCIDENTS, page);
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .select(at.keys)
    .where((eb) => matches(eb, filter))
    .where(at.condition)
    .modifyEnd(at.tail)
    .execute();
  return at.pageOf(rows, (row) => row);
}

/** How many incidents match the filter. */
export async function countIncidents(db: Db, filter: IncidentFilter): Promise<number> {
  const { total } = await db
    .selectFrom('incidents')
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .where((eb) => matches(eb, filter))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Throws NOT_FOUND. */
export async function getIncident(db: Db, publicId: string): Promise<IncidentRow> {
  const row = await db.selectFrom('incidents').selectAll().where('public_id', '=', publicId).executeTakeFirst();
  if (!row) throw notFound('incident');
  return row;
}

/** Locks an incident that is not over. Throws NOT_FOUND, or CONFLICT when it is resolved. */
export async function lockUnresolved(trx: Trx, publicId: string): Promise<IncidentRow> {
  const query = trx.selectFrom('incidents').selectAll().where('public_id', '=', publicId).forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound('incident');
  if (row.resolved_at) throw new AppError('CONFLICT', 'This incident is resolved.');
  return row;
}

/** Writes what an administrator decided about a locked incident. */
export const saveDecision = (
  trx: Trx,
  id: bigint,
  set: Partial<Pick<IncidentRow, 'acknowledged_at' | 'acknowledged_by' | 'resolved_at' | 'resolved_by' | 'note'>>,
): Promise<IncidentRow> =>
  trx.updateTable('incidents').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

function matches(eb: ExpressionBuilder<DB, 'incidents'>, filter: IncidentFilter) {
  const { status, kind, resource, network, since } = filter;
  return eb.and([
    ...(status === undefined ? [] : [eb('resolved_at', status === 'resolved' ? 'is not' : 'is', null)]),
    ...(status === 'open' ? [eb('acknowledged_at', 'is', null)] : []),
    ...(status === 'acknowledged' ? [eb('acknowledged_at', 'is not', null)] : []),
    ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
    ...(resource === undefined ? [] : [eb('subject', '=', resource)]),
    ...(network === undefined ? [] : [eb('network', '=', network)]),
    ...(since === undefined ? [] : [eb(eb.fn.coalesce('last_seen_at', 'opened_at'), '>=', since)]),
  ]);
}
