import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { deleteOldSessions } from '../../src/identity/jobs.ts';
import {
  type AccountHolder,
  endSession,
  endSessions,
  listSessions,
  type Rotation,
  rotateSession,
  startSession,
} from '../../src/identity/sessions.ts';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner } from '../support/database.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const ORIGIN = { ip: '203.0.113.7', userAgent: 'test', requestId: 'req-1' };
const FIRST_PAGE = { limit: 20, offset: 0 };

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const aMerchant = (): AccountHolder => ({ type: 'merchant', id: newId('merchant', NOW) });
const start = (holder: AccountHolder, real = NOW) =>
  inTransaction(connection.db, (trx) => startSession(trx, holder, ORIGIN, real));
const rotate = (refreshToken: string, real = NOW, type: AccountHolder['type'] = 'merchant') =>
  inTransaction(connection.db, (trx) => rotateSession(trx, type, refreshToken, real));

async function mustRotate(refreshToken: string, real = NOW): Promise<Extract<Rotation, { kind: 'rotated' }>> {
  const rotation = await rotate(refreshToken, real);
  if (rotation.kind !== 'rotated') throw new Error(`refused: ${rotation.reason}`);
  return rotation;
}

test('a refresh token has 256 random bits, and only its SHA-256 is stored', async () => {
  const { sessionId, refreshToken } = await start(aMerchant());
  expect(refreshToken).toMatch(/^rt_[A-Za-z0-9_-]{43}$/);
  const { token_hash } = await connection.db
    .selectFrom('refresh_tokens')
    .select('token_hash')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  expect(token_hash).toEqual(createHash('sha256').update(refreshToken).digest());
});

test('each refresh gives the next token of the same session', async () => {
  const holder = aMerchant();
  const first = await start(holder);
  const second = await mustRotate(first.refreshToken);
  const third = await mustRotate(second.refreshToken);
  expect(third).toMatchObject({ sessionId: first.sessionId, holderId: holder.id });
  expect(new Set([first.refreshToken, second.refreshToken, third.refreshToken]).size).toBe(3);
});

test('a reused token ends its session, and with it the newest token', async () => {
  const holder = aMerchant();
  const first = await start(holder);
  const second = await mustRotate(first.refreshToken);
  expect(await rotate(first.refreshToken)).toEqual({
    kind: 'refused',
    reason: 'session_revoked',
    ended: { sessionId: first.sessionId, holderId: holder.id },
  });
  expect(await rotate(second.refreshToken)).toEqual({ kind: 'refused', reason: 'session_revoked' });
  // The third time there is nothing left to end.
  expect(await rotate(first.refreshToken)).toEqual({ kind: 'refused', reason: 'session_revoked' });
  expect((await listSessions(connection.db, holder, FIRST_PAGE, NOW)).total).toBe(0);
});

test('of two concurrent refreshes with one token exactly one succeeds, every time', async () => {
  for (let run = 0; run < 10; run += 1) {
    const { refreshToken } = await start(aMerchant());
    const results = await Promise.all([rotate(refreshToken), rotate(refreshToken)]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'rotated']);
    expect(results.find(({ kind }) => kind === 'refused')).toMatchObject({ reason: 'session_revoked' });
  }
});

test('a session ends after 30 days without a refresh, to the millisecond', async () => {
  const { refreshToken } = await start(aMerchant());
  const second = await mustRotate(refreshToken, after(NOW, 30 * DAY_MS - 1));
  expect(await rotate(second.refreshToken, after(NOW, 60 * DAY_MS - 1))).toEqual({
    kind: 'refused',
    reason: 'token_expired',
  });
});

test('a session ends after 90 days however often it is refreshed', async () => {
  let { refreshToken } = await start(aMerchant());
  for (const day of [25, 50, 75])
    refreshToken = (await mustRotate(refreshToken, after(NOW, day * DAY_MS))).refreshToken;
  refreshToken = (await mustRotate(refreshToken, after(NOW, 90 * DAY_MS - 1))).refreshToken;
  expect(await rotate(refreshToken, after(NOW, 90 * DAY_MS))).toEqual({ kind: 'refused', reason: 'token_expired' });
});

test("an administrator's session ends after 12 hours", async () => {
  const { refreshToken } = await start({ type: 'admin', id: newId('admin', NOW) });
  const late = await rotate(refreshToken, after(NOW, 12 * HOUR_MS - 1), 'admin');
  expect(late.kind).toBe('rotated');
  const next = late.kind === 'rotated' ? late.refreshToken : '';
  expect(await rotate(next, after(NOW, 12 * HOUR_MS), 'admin')).toMatchObject({ reason: 'token_expired' });
});

test("merchants cannot use an administrator's refresh token, which stays valid", async () => {
  const { refreshToken } = await start({ type: 'admin', id: newId('admin', NOW) });
  expect(await rotate(refreshToken)).toEqual({ kind: 'refused', reason: 'token_invalid' });
  expect((await rotate(refreshToken, NOW, 'admin')).kind).toBe('rotated');
});

test('an unknown token is invalid', async () => {
  expect(await rotate('rt_made-up')).toEqual({ kind: 'refused', reason: 'token_invalid' });
});

test('only its holder can end a session, and once', async () => {
  const holder = aMerchant();
  const { sessionId, refreshToken } = await start(holder);
  const end = (by: AccountHolder) =>
    inTransaction(connection.db, (trx) => endSession(trx, by, sessionId, 'logout', NOW));
  expect(await end(aMerchant())).toBe(false);
  expect(await end(holder)).toBe(true);
  expect(await end(holder)).toBe(false);
  expect(await rotate(refreshToken)).toEqual({ kind: 'refused', reason: 'session_revoked' });
});

test('all sessions but one can be ended', async () => {
  const holder = aMerchant();
  const [kept, ...others] = [await start(holder), await start(holder), await start(holder)];
  const stranger = await start(aMerchant());
  const ended = await inTransaction(connection.db, (trx) =>
    endSessions(trx, holder, 'password_changed', NOW, kept?.sessionId),
  );
  expect(ended).toBe(2);
  for (const { refreshToken } of others) expect((await rotate(refreshToken)).kind).toBe('refused');
  await mustRotate(kept?.refreshToken ?? '');
  await mustRotate(stranger.refreshToken);
});

test('the list shows live sessions, newest first, in pages', async () => {
  const holder = aMerchant();
  await start(holder, after(NOW, -31 * DAY_MS));
  const ended = await start(holder, after(NOW, -3 * HOUR_MS));
  const oldest = await start(holder, after(NOW, -2 * HOUR_MS));
  const middle = await start(holder, after(NOW, -HOUR_MS));
  const newest = await start(holder);
  await inTransaction(connection.db, (trx) => endSession(trx, holder, ended.sessionId, 'revoked', NOW));
  await mustRotate(oldest.refreshToken, NOW);

  const page = await listSessions(connection.db, holder, { limit: 2, offset: 0 }, NOW);
  expect(page.total).toBe(3);
  expect(page.found.rows.map(({ id }) => id)).toEqual([newest.sessionId, middle.sessionId]);
  const rest = await listSessions(connection.db, holder, { limit: 2, offset: 2 }, NOW);
  expect(rest.total).toBe(3);
  expect(rest.found).toMatchObject({
    next: null,
    rows: [
      {
        id: oldest.sessionId,
        ipAddress: '203.0.113.7',
        userAgent: 'test',
        createdAt: after(NOW, -2 * HOUR_MS),
        lastUsedAt: NOW,
        expiresAt: after(NOW, 30 * DAY_MS),
      },
    ],
  });
});

test('sessions are deleted a month after their end, with their tokens, and no sooner', async () => {
  const holder = aMerchant();
  const gone = await start(holder, after(NOW, -60 * DAY_MS - 1));
  await mustRotate(gone.refreshToken, after(NOW, -60 * DAY_MS - 1));
  const expiredLately = await start(holder, after(NOW, -60 * DAY_MS + 1));
  const alive = await start(holder);
  expect(await deleteOldSessions(connection.db, NOW, 100)).toBe(false);
  const left = await connection.db.selectFrom('sessions').select('id').where('principal_id', '=', holder.id).execute();
  expect(left.map(({ id }) => id).toSorted()).toEqual([expiredLately.sessionId, alive.sessionId].toSorted());
  const tokens = await connection.db
    .selectFrom('refresh_tokens')
    .select('session_id')
    .where('session_id', 'in', [gone.sessionId, expiredLately.sessionId, alive.sessionId])
    .execute();
  expect(tokens).toHaveLength(2);
});

test('a session with more refresh tokens than one statement may delete is deleted in pieces', async () => {
  const { db } = connection;
  const [before, later] = [after(NOW, -400 * DAY_MS), after(NOW, -399 * DAY_MS)];
  const [many, few] = [await start(aMerchant(), before), await start(aMerchant(), later)];
  await sql`insert into refresh_tokens (token_hash, session_id, created_at, used_at)
    select sha256(('many ' || n)::bytea), ${many.sessionId}, ${before}, ${before}
      from generate_series(1, 24) n`.execute(db);
  const left = async () => {
    const ids = [many.sessionId, few.sessionId];
    const tokens = await db.selectFrom('refresh_tokens').select('session_id').where('session_id', 'in', ids).execute();
    const sessions = await db.selectFrom('sessions').select('id').where('id', 'in', ids).execute();
    return [tokens.length, sessions.length];
  };
  expect(await left()).toEqual([26, 2]);
  expect(await deleteOldSessions(db, NOW, 10, 10)).toBe(true);
  expect(await left()).toEqual([16, 2]);
  expect(await deleteOldSessions(db, NOW, 10, 10)).toBe(true);
  expect((await left())[0]).toBe(6);
  expect(await deleteOldSessions(db, NOW, 10, 10)).toBe(false);
  expect(await left()).toEqual([0, 0]);
});

test('a clock that is ahead, of a process or of a machine of an operator, leaves no session alive that is to end', async () => {
  const { db } = connection;
  const now = new Date();
  const ahead = after(now, 13 * HOUR_MS);
  const holder: AccountHolder = { type: 'admin', id: newId('admin', now) };
  const [first, second] = [await start(holder, now), await start(holder, now)];
  expect(await inTransaction(db, (trx) => endSession(trx, holder, first.sessionId, 'revoked', ahead))).toBe(true);
  expect(await inTransaction(db, (trx) => endSessions(trx, holder, 'password_changed', ahead))).toBe(1);
  for (const { refreshToken } of [first, second])
    expect(await rotate(refreshToken, now, 'admin')).toEqual({ kind: 'refused', reason: 'session_revoked' });
});

test('so many sessions that one statement could not end them end all the same', async () => {
  const { database, db } = connection;
  const holder = aMerchant();
  await sql`
    insert into sessions (id, principal_type, principal_id, ip_address, user_agent, created_at, last_used_at,
                          idle_expires_at, expires_at)
    select 'ses_' || lpad(n::text, 26, '0'), 'merchant', ${holder.id}, '203.0.113.7', '',
           ${NOW}::timestamptz - n / 3 * interval '1 us', ${NOW}, ${after(NOW, DAY_MS)}, ${after(NOW, DAY_MS)}
      from generate_series(1, 12000) n`.execute(db);
  const owner = await connectOwner(database);
  await owner.query(`
    create table parts (ended int);
    create function note_part() returns trigger language plpgsql security definer as
      $$ begin insert into parts select count(*) from changed; return null; end $$;
    create trigger note_part after update on sessions
      referencing new table as changed for each statement execute function note_part()`);
  const kept = `ses_${'7000'.padStart(26, '0')}`;
  const ended = await inTransaction(db, (trx) => endSessions(trx, holder, 'password_changed', NOW, kept));
  const { rows } = await owner.query<{ most: number; sum: number }>(
    'select max(ended)::int as most, sum(ended)::int as sum from parts',
  );
  await owner.query('drop trigger note_part on sessions; drop function note_part; drop table parts');
  await owner.end();
  expect([ended, rows[0]?.sum]).toEqual([11_999, 11_999]);
  expect(rows[0]?.most).toBeLessThanOrEqual(5000);
  const { found, total } = await listSessions(db, holder, FIRST_PAGE, NOW);
  expect([total, found.rows.map(({ id }) => id)]).toEqual([1, [kept]]);
});
