import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { GuardedChanges } from '../../generated/db.ts';
import { isAny } from '../db/is-any.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Id } from '../lib/ids.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { Change, ChangeFields, ChangeKind, ChangeStatus } from './change.ts';

export type ChangeFilter = { readonly status?: ChangeStatus; readonly kind?: ChangeKind };

/** Stores a new change. The database refuses one whose fields another open change of the same thing has, too. */
export async function insertChange(trx: Trx, change: Change): Promise<void> {
  await trx
    .insertInto('guarded_changes')
    .values({
      id: change.id,
      kind: change.kind,
      subject_id: change.subjectId,
      fields: JSON.stringify(change.fields),
      needs_approval: change.needsApproval,
      proposed_by: change.proposedBy,
      proposed_at: change.proposedAt,
      due_at: change.dueAt,
      expires_at: change.expiresAt,
      ...toColumns(change),
    })
    .execute();
}

/** Saves what can change of a locked change. */
export async function saveChange(trx: Trx, change: Change): Promise<void> {
  await trx.updateTable('guarded_changes').set(toColumns(change)).where('id', '=', change.id).execute();
}

/** The change, or undefined. */
export async function findChange(db: Db, id: string): Promise<Change | undefined> {
  const row = await db.selectFrom('guarded_changes').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toChange(row);
}

/** Locks the change's row, which serialises all that becomes of it. */
export async function lockChange(trx: Trx, id: string): Promise<Change | undefined> {
  const query = trx.selectFrom('guarded_changes').selectAll().where('id', '=', id);
  const row = await query.forNoKeyUpdate().executeTakeFirst();
  return row && toChange(row);
}

/** Whether the change has not ended; it does not end before `trx` does. */
export async function lockIfChangeWaits(trx: Trx, id: string): Promise<boolean> {
  const change = await lockChange(trx, id);
  return change !== undefined && change.endedAt === null;
}

/** Locks what an administrator has proposed or approved and is not in effect yet. */
export async function lockChangesOf(trx: Trx, adminId: string): Promise<Change[]> {
  const rows = await trx
    .selectFrom('guarded_changes')
    .selectAll()
    .where((eb) => eb.or([eb('proposed_by', '=', adminId), eb('approved_by', '=', adminId)]))
    .where('status', 'in', ['proposed', 'approved'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(toChange);
}

const CHANGES = newestFirst('changes', { at: 'proposed_at' });

/** Newest first, one page, and how many there are. */
export async function listChanges(
  db: Db,
  { status, kind }: ChangeFilter,
  page: PageWindow,
): Promise<{ readonly found: Page<Change>; readonly total: number }> {
  const matches = { ...(status && { status }), ...(kind && { kind }) };
  const at = windowSql(CHANGES, page);
  const [rows, count] = await Promise.all([
    db
      .selectFrom('guarded_changes')
      .selectAll()
      .select(at.keys)
      .where((eb) => eb.and(matches))
      .where(at.condition)
      .modifyEnd(at.tail)
      .execute(),
    db
      .selectFrom('guarded_changes')
      .select((eb) => eb.fn.countAll<bigint>().as('total'))
      .where((eb) => eb.and(matches))
      .executeTakeFirstOrThrow(),
  ]);
  return { found: at.pageOf(rows, toChange), total: Number(count.total) };
}

/** The changes of a kind that wait, oldest first. */
export async function listOpenChanges(db: Db | Trx, kind: ChangeKind): Promise<Change[]> {
  const rows = await db
    .selectFrom('guarded_changes')
    .selectAll()
    .where('kind', '=', kind)
    .where('status', 'in', ['proposed', 'approved'])
    .orderBy('proposed_at')
    .orderBy('id')
    .execute();
  return rows.map(toChange);
}

/** The ids of the changes that time moves at `now`, those that are due first. */
export async function listDueChanges(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('guarded_changes')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'approved'), eb('due_at', '<=', now)]),
        eb.and([eb('status', '=', 'proposed'), eb('expires_at', '<=', now)]),
      ]),
    )
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether time moves one. */
export const isAnyChangeDue = (now: Date): RawBuilder<boolean> =>
  isAny(sql`
  guarded_changes where status in ('proposed', 'approved')
    and case when status = 'approved' then due_at else expires_at end <= ${now} order by due_at`);

/** When time moves a change next; null if none waits. */
export async function nextChangeDue(db: Db): Promise<Date | null> {
  const { due } = await db
    .selectFrom('guarded_changes')
    .select((eb) =>
      eb.fn
        .min(eb.case().when('status', '=', 'approved').then(eb.ref('due_at')).else(eb.ref('expires_at')).end())
        .as('due'),
    )
    .where('status', 'in', ['proposed', 'approved'])
    .executeTakeFirstOrThrow();
  return due;
}

const toColumns = (change: Change) => ({
  status: change.status,
  approved_by: change.approvedBy,
  approved_at: change.approvedAt,
  ended_at: change.endedAt,
  ended_by: change.endedBy,
  reason: change.reason,
});

const toChange = (row: Selectable<GuardedChanges>): Change => ({
  id: row.id as Id<'change'>,
  kind: row.kind as ChangeKind,
  subjectId: row.subject_id,
  fields: row.fields as ChangeFields,
  status: row.status as ChangeStatus,
  needsApproval: row.needs_approval,
  proposedBy: row.proposed_by,
  proposedAt: row.proposed_at,
  dueAt: row.due_at,
  expiresAt: row.expires_at,
  approvedBy: row.approved_by,
  approvedAt: row.approved_at,
  endedAt: row.ended_at,
  endedBy: row.ended_by,
  reason: row.reason,
});
