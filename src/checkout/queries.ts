import { type SelectQueryBuilder, sql } from 'kysely';
import { lookUpOn } from '../db/look-ups.ts';
import { insertOnce } from '../db/once.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { PaymentStatus } from '../payments/types.ts';
import type { Session, SessionOutcome, SessionStatus } from './session.ts';

/** A session by its id, limited to one merchant when that merchant is the caller. */
export type SessionRef = { readonly id: string; readonly merchantId?: string };

export type SessionDraft = Pick<
  Session,
  'id' | 'merchantId' | 'paymentId' | 'amountMinor' | 'currency' | 'successUrl' | 'cancelUrl' | 'metadata'
> & { readonly expiresAt: Date; readonly createdAt: Date };

const insertNew = insertOnce('checkout_sessions');

/** Stores a new session. The same transaction has already stored its payment. */
export function insertSession(trx: Trx, draft: SessionDraft): void {
  trx.later(
    insertNew({
      id: draft.id,
      merchant_id: draft.merchantId,
      payment_id: draft.paymentId,
      amount_minor: draft.amountMinor,
      currency: draft.currency,
      success_url: draft.successUrl,
      cancel_url: draft.cancelUrl,
      metadata: draft.metadata,
      expires_at: draft.expiresAt,
      created_at: draft.createdAt,
    }),
  );
}

const selectSessions = (db: Db | Trx) =>
  db
    .selectFrom('checkout_sessions as s')
    .innerJoin('payments as p', 'p.id', 's.payment_id')
    .innerJoin('merchants as m', 'm.id', 's.merchant_id')
    .select([
      's.id',
      's.merchant_id',
      'm.business_name',
      's.payment_id',
      's.amount_minor',
      's.currency',
      's.success_url',
      's.cancel_url',
      's.metadata',
      's.status',
      'p.status as payment_status',
      's.event_sequence',
      'p.expires_at',
      's.created_at',
    ]);

function byRef(db: Db | Trx, ref: SessionRef) {
  const query = selectSessions(db).where('s.id', '=', ref.id);
  return ref.merchantId === undefined ? query : query.where('s.merchant_id', '=', ref.merchantId);
}

type Row = ReturnType<typeof selectSessions> extends SelectQueryBuilder<infer _DB, infer _TB, infer R> ? R : never;

/** A session with the status of its payment, without a lock; undefined when it is unknown or another merchant's. */
export async function findSession(db: Db | Trx, ref: SessionRef): Promise<Session | undefined> {
  const [row] = await lookUpOn(db, byRef(db, ref));
  return row && toSession(row);
}

/** Locks the session's row, so that changes to one session queue up. Changes of its payment don't wait for it. */
export async function lockSession(trx: Trx, ref: SessionRef): Promise<Session | undefined> {
  const row = await byRef(trx, ref).forNoKeyUpdate('s').executeTakeFirst();
  return row && toSession(row);
}

/** Takes the same lock, or returns undefined when another transaction has it: that one is doing the same work. */
export async function claimSession(trx: Trx, id: string): Promise<Session | undefined> {
  const row = await byRef(trx, { id }).forNoKeyUpdate('s').skipLocked().executeTakeFirst();
  return row && toSession(row);
}

/** Saves the fields of a locked session that can change. */
export async function saveSession(trx: Trx, session: Session, now: Date): Promise<void> {
  await trx
    .updateTable('checkout_sessions')
    .set({ status: session.status, event_sequence: session.eventSequence, finished_at: now })
    .where('id', '=', session.id)
    .execute();
}

/** How a session's payment ended, and when. */
export type RecordedOutcome = { readonly sessionId: string; readonly outcome: SessionOutcome; readonly at: Date };

/** Records that payments of sessions have ended, in one statement, and wakes the job that continues from there. */
export async function recordOutcomes(trx: Trx, outcomes: readonly RecordedOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    insert into checkout_session_moves (session_id, outcome, created_at)
    select * from unnest(${outcomes.map(({ sessionId }) => sessionId)}::text[],
                         ${outcomes.map(({ outcome }) => outcome)}::text[],
                         ${outcomes.map(({ at }) => at)}::timestamptz[])
      as ended (session_id, outcome, created_at) order by session_id
    on conflict (session_id, outcome) do nothing`.execute(trx);
  trx.wake('kasi_moves');
}

/** Deletes and returns the recorded outcomes of a locked session's payment, in the order in which they happened. */
export async function takeOutcomes(trx: Trx, sessionId: string): Promise<SessionOutcome[]> {
  const rows = await trx
    .deleteFrom('checkout_session_moves')
    .where('session_id', '=', sessionId)
    .returning(['outcome', 'created_at'])
    .execute();
  // Completed is always the last.
  const last = ({ outcome }: { outcome: string }): number => (outcome === 'completed' ? 1 : 0);
  return rows.sort((a, b) => last(a) - last(b)).map(({ outcome }) => outcome as SessionOutcome);
}

/** Sessions whose payments have recorded outcomes, with ids above `after`. */
export async function listWithOutcomes(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('checkout_session_moves')
    .select('session_id')
    .distinct()
    .where('session_id', '>', after)
    .orderBy('session_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.session_id);
}

/** Since when the oldest recorded outcome waits; null when none does. */
export async function oldestOutcome(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('checkout_session_moves')
    .select((eb) => eb.fn.min('created_at').as('oldest'))
    .executeTakeFirst();
  return row?.oldest ?? null;
}

const toSession = (row: Row): Session => ({
  id: row.id,
  merchantId: row.merchant_id,
  merchantName: row.business_name,
  paymentId: row.payment_id,
  amountMinor: row.amount_minor,
  currency: row.currency as Currency,
  successUrl: row.success_url,
  cancelUrl: row.cancel_url,
  metadata: row.metadata as JsonObject,
  status: row.status as SessionStatus,
  paymentStatus: row.payment_status as PaymentStatus,
  eventSequence: row.event_sequence,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
});
