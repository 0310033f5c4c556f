import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { PaymentStatus } from '../payments/types.ts';
import type { Session, SessionOutcome, SessionStatus } from './session.ts';

/** A session by its id, of one merchant where the caller is that merchant. */
export type SessionRef = { readonly id: string; readonly merchantId?: string };

export type SessionDraft = Pick<
  Session,
  'id' | 'merchantId' | 'paymentId' | 'amountMinor' | 'currency' | 'successUrl' | 'cancelUrl' | 'metadata'
> & { readonly expiresAt: Date; readonly createdAt: Date };

/** Stores a new session. Its payment stands in the same transaction already. */
export async function insertSession(trx: Trx, draft: SessionDraft): Promise<void> {
  await trx
    .insertInto('checkout_sessions')
    .values({
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
    })
    .execute();
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

/** A session with the state of its payment, without a lock; undefined when it is unknown or not the merchant's who is named. */
export async function findSession(db: Db | Trx, ref: SessionRef): Promise<Session | undefined> {
  const row = await byRef(db, ref).executeTakeFirst();
  return row && toSession(row);
}

/** Takes the lock that puts every change to one session in a queue; moves of its payment are not held up. */
export async function lockSession(trx: Trx, ref: SessionRef): Promise<Session | undefined> {
  const row = await byRef(trx, ref).forNoKeyUpdate('s').executeTakeFirst();
  return row && toSession(row);
}

/** The same lock, or undefined when somebody else has it: they are at the same work. */
export async function claimSession(trx: Trx, id: string): Promise<Session | undefined> {
  const row = await byRef(trx, { id }).forNoKeyUpdate('s').skipLocked().executeTakeFirst();
  return row && toSession(row);
}

/** Writes what can change of a session whose lock is held. */
export async function saveSession(trx: Trx, session: Session, now: Date): Promise<void> {
  await trx
    .updateTable('checkout_sessions')
    .set({ status: session.status, event_sequence: session.eventSequence, finished_at: now })
    .where('id', '=', session.id)
    .execute();
}

/** Leaves word that a session's payment has ended, and wakes the job that goes on from there. */
export async function recordMove(trx: Trx, sessionId: string, outcome: SessionOutcome, at: Date): Promise<void> {
  await sql`
    insert into checkout_session_moves (session_id, outcome, created_at) values (${sessionId}, ${outcome}, ${at})
    on conflict (session_id, outcome) do nothing`.execute(trx);
  trx.wake('kasi_moves');
}

/** Takes what was left for a session whose lock is held, in the order in which it happened. */
export async function takeMoves(trx: Trx, sessionId: string): Promise<SessionOutcome[]> {
  const moves = await trx
    .deleteFrom('checkout_session_moves')
    .where('session_id', '=', sessionId)
    .returning(['outcome', 'created_at'])
    .execute();
  // Nothing comes after completed.
  const last = ({ outcome }: { outcome: string }): number => (outcome === 'completed' ? 1 : 0);
  return moves.sort((a, b) => last(a) - last(b)).map(({ outcome }) => outcome as SessionOutcome);
}

/** Sessions with moves to apply, with ids above `after`. */
export async function listMoved(db: Db, after: string, limit: number): Promise<string[]> {
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

/** Since when the oldest move waits; null when none does. */
export async function oldestMove(db: Db): Promise<Date | null> {
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
