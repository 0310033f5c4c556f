import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { newestFirst, windowSql } from '../db/keyset.ts';
import { lookUpOn } from '../db/look-ups.ts';
import { after, DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type Id, newId } from '../lib/ids.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { Audience, Origin, Tokens } from '../ports/security.ts';
import { announceCredentialChange } from './credential-cache.ts';

export type PrincipalType = 'merchant' | 'admin';

/** A merchant or an administrator, to whom sessions and a second factor belong. */
export type AccountHolder = { readonly type: PrincipalType; readonly id: string };

/** Why a session ended before it expired. */
export type EndReason =
  | 'logout'
  | 'revoked'
  | 'reuse'
  | 'password_changed'
  | 'two_factor_changed'
  | 'terminated'
  | 'deactivated';

/** How long a session lives without a refresh, and at most. Both count on the real clock, not the business clock. */
const LIFETIMES: Record<PrincipalType, { readonly idleMs: number; readonly absoluteMs: number }> = {
  merchant: { idleMs: 30 * DAY_MS, absoluteMs: 90 * DAY_MS },
  admin: { idleMs: 12 * HOUR_MS, absoluteMs: 12 * HOUR_MS },
};

const TOKEN_BYTES = 32;
const TOKEN_PREFIX = 'rt_';
const USER_AGENT_MAX = 512;

export type OpenedSession = { readonly sessionId: Id<'session'>; readonly refreshToken: string };

/** A session that a login began, and the token by which later logins know the device. */
export type BegunSession = OpenedSession & { readonly deviceToken: string };

/** The tokens of a session as the API shows them; `expiresIn` is in seconds. */
export function presentTokens(tokens: Tokens, audience: Audience, holderId: string, session: OpenedSession) {
  const { token, expiresInSeconds } = tokens.sign(audience, { sub: holderId, sid: session.sessionId });
  return { token, refreshToken: session.refreshToken, expiresIn: expiresInSeconds };
}

/** The same after a login or registration, which also know the device. */
export function presentLogin(tokens: Tokens, audience: Audience, holderId: string, session: BegunSession) {
  return { ...presentTokens(tokens, audience, holderId, session), deviceToken: session.deviceToken };
}

/** Starts a session. Returns its first refresh token, of which only the SHA-256 is stored. */
export async function startSession(
  trx: Trx,
  holder: AccountHolder,
  origin: Origin,
  real: Date,
): Promise<OpenedSession> {
  const sessionId = newId('session', real);
  const { idleMs, absoluteMs } = LIFETIMES[holder.type];
  await trx
    .insertInto('sessions')
    .values({
      id: sessionId,
      principal_type: holder.type,
      principal_id: holder.id,
      ip_address: origin.ip,
      user_agent: origin.userAgent.slice(0, USER_AGENT_MAX),
      created_at: real,
      last_used_at: real,
      idle_expires_at: after(real, idleMs),
      expires_at: after(real, absoluteMs),
    })
    .execute();
  return { sessionId, refreshToken: await issueRefreshToken(trx, sessionId, real) };
}

export type Rotation =
  | (OpenedSession & { readonly kind: 'rotated'; readonly holderId: string })
  | {
      readonly kind: 'refused';
      readonly reason: 'token_invalid' | 'token_expired' | 'session_revoked';
      /** The session that this call ended because the token had been used before. */
      readonly ended?: { readonly sessionId: string; readonly holderId: string };
    };

/**
 * Exchanges a refresh token for the next one of its session. Of two calls with the same token exactly one wins; the
 * other counts as reuse and ends the session (decision identity/refresh-reuse-ends-the-session). A refusal is
 * returned, not thrown: it may have ended a session, so the transaction must commit.
 */
export async function rotateSession(
  trx: Trx,
  type: PrincipalType,
  refreshToken: string,
  real: Date,
): Promise<Rotation> {
  const tokenHash = hashToken(refreshToken);
  const used = await trx
    .updateTable('refresh_tokens as t')
    .from('sessions as s')
    .set({ used_at: real })
    .whereRef('s.id', '=', 't.session_id')
    .where('s.principal_type', '=', type)
    .where('t.token_hash', '=', tokenHash)
    .where('t.used_at', 'is', null)
    .returning('t.session_id')
    .executeTakeFirst();
  if (!used) return refuseUsed(trx, type, tokenHash, real);

  const session = await trx
    .updateTable('sessions')
    .set({
      last_used_at: real,
      idle_expires_at: sql<Date>`least(expires_at, ${after(real, LIFETIMES[type].idleMs)})`,
    })
    .where('id', '=', used.session_id)
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '>', real)
    .returning(['id', 'principal_id'])
    .executeTakeFirst();
  if (!session) {
    const { ended_at } = await trx
      .selectFrom('sessions')
      .select('ended_at')
      .where('id', '=', used.session_id)
      .executeTakeFirstOrThrow();
    return { kind: 'refused', reason: ended_at ? 'session_revoked' : 'token_expired' };
  }
  const sessionId = session.id as Id<'session'>;
  return {
    kind: 'rotated',
    sessionId,
    holderId: session.principal_id,
    refreshToken: await issueRefreshToken(trx, sessionId, real),
  };
}

/** Whether the refresh token of a session is stored; false where the database can't be asked. */
export async function isIssued(db: Db, { refreshToken }: Pick<OpenedSession, 'refreshToken'>): Promise<boolean> {
  const found = db.selectFrom('refresh_tokens').select('session_id').where('token_hash', '=', hashToken(refreshToken));
  return found.executeTakeFirst().then(Boolean, () => false);
}

async function refuseUsed(trx: Trx, type: PrincipalType, tokenHash: Buffer, real: Date): Promise<Rotation> {
  const owner = await trx
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select(['s.id', 's.principal_id'])
    .where('t.token_hash', '=', tokenHash)
    .where('s.principal_type', '=', type)
    .executeTakeFirst();
  if (!owner) return { kind: 'refused', reason: 'token_invalid' };
  const ended = await endSession(trx, { type, id: owner.principal_id }, owner.id, 'reuse', real);
  return {
    kind: 'refused',
    reason: 'session_revoked',
    ...(ended ? { ended: { sessionId: owner.id, holderId: owner.principal_id } } : {}),
  };
}

/** Whose session a refresh token would refresh; undefined: it would be refused. Changes nothing. */
export async function findRefreshing(
  db: Db,
  type: PrincipalType,
  refreshToken: string,
  real: Date,
): Promise<string | undefined> {
  const wanted = db
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select('s.principal_id')
    .where('t.token_hash', '=', hashToken(refreshToken))
    .where('t.used_at', 'is', null)
    .where('s.principal_type', '=', type)
    .where(isLive(real));
  const [found] = await lookUpOn(db, wanted);
  return found?.principal_id;
}

/** Ends one session of the holder and with it its access tokens; false if it is unknown or already over. */
export async function endSession(
  trx: Trx,
  holder: AccountHolder,
  sessionId: string,
  reason: EndReason,
  real: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await liveSessionsOf(trx, holder, real)
    .set({ ended_at: real, ended_reason: reason })
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await announceCredentialChange(trx, sessionId);
  return true;
}

/** Ending many takes a statement for so many, because a statement has five seconds. */
const LOOKED_AT_ONCE = 5000;

/**
 * Ends all live sessions of the holder except `exceptId`; returns how many. See decision
 * identity/many-sessions-end-in-parts.
 */
export async function endSessions(
  trx: Trx,
  holder: AccountHolder,
  reason: EndReason,
  real: Date,
  exceptId?: string,
): Promise<number> {
  let ended = 0;
  for (let before: Part = { createdAt: 'infinity', id: '' }; ; ) {
    const part = await endPart(trx, holder, { reason, real, exceptId, before });
    ended += part.ended;
    if (part.seen < LOOKED_AT_ONCE) break;
    before = part;
  }
  if (ended > 0) await announceCredentialChange(trx, holder.id);
  return ended;
}

/** Where a part of a holder's sessions ends, newest first. Text, because a Date has fewer digits. */
type Part = { readonly createdAt: string; readonly id: string };

type Ending = {
  readonly reason: EndReason;
  readonly real: Date;
  readonly exceptId: string | undefined;
  readonly before: Part;
};

async function endPart(
  trx: Trx,
  { type, id }: AccountHolder,
  { reason, real, exceptId = '', before }: Ending,
): Promise<Part & { readonly ended: number; readonly seen: number }> {
  const { rows } = await sql<Part & { ended: number; seen: number }>`
    with part as materialized (
      select id, created_at from sessions
       where principal_id = ${id} and (created_at, id) < (${before.createdAt}::timestamptz, ${before.id}::text)
       order by created_at desc, id desc limit ${LOOKED_AT_ONCE}
    ), done as (
      update sessions s set ended_at = ${real}, ended_reason = ${reason} from part
       where s.id = part.id and s.principal_type = ${type} and s.id <> ${exceptId} and ${isLive(real)}
      returning s.id
    )
    select (select count(*)::int from done) as ended, (select count(*)::int from part) as seen,
           part.created_at::text as "createdAt", part.id
      from part order by created_at, id limit 1`.execute(trx);
  return rows[0] ?? { ended: 0, seen: 0, ...before };
}

export type ListedSession = {
  readonly id: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** When it ends unless it is refreshed. */
  readonly expiresAt: Date;
};

const SESSIONS = newestFirst('sessions');

/** One page of the holder's live sessions, newest first, and their total number. */
export async function listSessions(
  db: Db,
  holder: AccountHolder,
  page: PageWindow,
  real: Date,
): Promise<{ readonly found: Page<ListedSession>; readonly total: number }> {
  const at = windowSql(SESSIONS, page);
  const live = db
    .selectFrom('sessions')
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '>', real);
  const [rows, count] = await Promise.all([
    live
      .select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at', 'idle_expires_at'])
      .select(at.keys)
      .where(at.condition)
      .modifyEnd(at.tail)
      .execute(),
    live.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const found = at.pageOf(rows, (row) => ({
    id: row.id,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.idle_expires_at,
  }));
  return { found, total: Number(count.total) };
}

const liveSessionsOf = (trx: Trx, holder: AccountHolder, real: Date) =>
  trx
    .updateTable('sessions')
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .where(isLive(real));

/** An expired session keeps its reason: it is already over. By the clock that is behind: the other may be wrong. */
const isLive = (real: Date) =>
  sql<boolean>`ended_at is null and idle_expires_at > least(${real}::timestamptz, clock_timestamp())`;

async function issueRefreshToken(trx: Trx, sessionId: string, real: Date): Promise<string> {
  const refreshToken = `${TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  await trx
    .insertInto('refresh_tokens')
    .values({ token_hash: hashToken(refreshToken), session_id: sessionId, created_at: real })
    .execute();
  return refreshToken;
}

const hashToken = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken, 'utf8').digest();
