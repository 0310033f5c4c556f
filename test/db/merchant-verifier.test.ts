import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { inTransactionOf } from '../../src/http/security.ts';
import { endSession } from '../../src/identity/sessions.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { changeMerchantStatus } from '../../src/merchants/status-changes.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { leastOfFive } from '../support/least.ts';
import { makeTestMerchants, registerTestMerchant, type TestMerchants } from '../support/merchants.ts';

let connection: TestConnection;
/** Two processes on one database; each hears the other's changes. */
let here: TestMerchants;
let there: TestMerchants;
beforeAll(async () => {
  connection = await connectTestDatabase();
  here = await makeTestMerchants(connection);
  there = await makeTestMerchants(connection);
});
afterAll(async () => {
  await here.close();
  await there.close();
  await connection.close();
});

const REVOKED = { code: 'UNAUTHORIZED', reason: 'session_revoked' };

async function logInAnyone() {
  const now = new Date();
  const { merchant, session } = await registerTestMerchant(here.deps, now);
  const { token } = here.deps.tokens.sign('merchant-api', { sub: merchant.id, sid: session.sessionId });
  return { merchant, session, token, now };
}

const REQUEST = { method: 'GET', target: '/v1/payments', ip: '203.0.113.7' };
const NO_KEY = { apiKey: undefined, signature: undefined, timestamp: undefined, idempotencyKey: undefined };

async function verify(process: TestMerchants, authorization: string | undefined, real = new Date()) {
  const proven = await process.deps.verifier.verify({ ...REQUEST, ...NO_KEY, authorization }, [], real);
  if (typeof proven === 'function') throw new Error('a token proves without a body');
  return proven.principal;
}

/** Far less than the second that the cache alone would take, in milliseconds. */
const SOON_MS = 500;

/** The time until the process refuses the token, asking continuously. */
async function msUntilRefused(process: TestMerchants, token: string): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < 3000) {
    const refusal = await verify(process, `Bearer ${token}`).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal) {
      expect(refusal).toMatchObject(REVOKED);
      return performance.now() - start;
    }
    await sleep(2);
  }
  throw new Error('never refused');
}

test('a valid token identifies the merchant and its status', async () => {
  const { merchant, session, token } = await logInAnyone();
  const principal = {
    kind: 'merchant',
    via: 'session',
    merchantId: merchant.id,
    sessionId: session.sessionId,
    status: 'pending_verification',
    rejectedAt: null,
    toleranceBps: null,
  };
  expect(await verify(here, `Bearer ${token}`)).toEqual(principal);
  expect(await verify(here, `bearer ${token}`)).toEqual(principal);
});

test.each([
  [undefined, 'token_missing'],
  ['', 'token_missing'],
  ['Basic b3duZXI6cGFzc3dvcmQ=', 'token_missing'],
  ['Bearer', 'token_invalid'],
  ['Bearer two tokens', 'token_invalid'],
  ['Bearer not-a-token', 'token_invalid'],
])('the header %j is refused with %s', async (authorization, reason) => {
  await expect(verify(here, authorization)).rejects.toMatchObject({ code: 'UNAUTHORIZED', reason });
});

test("an administrator's token is refused for merchants", async () => {
  const { merchant, session } = await logInAnyone();
  const { token } = here.deps.tokens.sign('admin-api', { sub: merchant.id, sid: session.sessionId });
  await expect(verify(here, `Bearer ${token}`)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    reason: 'token_invalid',
  });
});

test("a token with another holder's session is refused", async () => {
  const [one, two] = [await logInAnyone(), await logInAnyone()];
  const { token } = here.deps.tokens.sign('merchant-api', { sub: one.merchant.id, sid: two.session.sessionId });
  await expect(verify(here, `Bearer ${token}`)).rejects.toMatchObject(REVOKED);
});

test('access tokens end with their session', async () => {
  const { merchant, session, token, now } = await logInAnyone();
  await expect(verify(here, `Bearer ${token}`, after(now, 30 * DAY_MS))).rejects.toMatchObject(REVOKED);
  await inTransaction(connection.db, async (trx) => {
    await endSession(trx, { type: 'merchant', id: merchant.id }, session.sessionId, 'logout', now);
    here.sessions.forget(session.sessionId);
  });
  // No waiting: the process that ended it knows at once.
  await expect(verify(here, `Bearer ${token}`)).rejects.toMatchObject(REVOKED);
});

test('the end of a session reaches another process long before its cache expires', async () => {
  const waited = await leastOfFive(SOON_MS, async () => {
    const { merchant, session, token, now } = await logInAnyone();
    await verify(there, `Bearer ${token}`);
    await inTransaction(connection.db, (trx) =>
      endSession(trx, { type: 'merchant', id: merchant.id }, session.sessionId, 'logout', now),
    );
    return msUntilRefused(there, token);
  });
  expect(waited).toBeLessThan(SOON_MS);
});

test('terminating a merchant takes effect everywhere at once', async () => {
  const waited = await leastOfFive(SOON_MS, async () => {
    const { merchant, token, now } = await logInAnyone();
    await verify(here, `Bearer ${token}`);
    await verify(there, `Bearer ${token}`);
    await inTransaction(connection.db, (trx) =>
      changeMerchantStatus(trx, here.deps, merchant.id, { kind: 'terminate', reason: null }, now, now),
    );
    await expect(verify(here, `Bearer ${token}`)).rejects.toMatchObject(REVOKED);
    return msUntilRefused(there, token);
  });
  expect(waited).toBeLessThan(SOON_MS);
});

test('freezing a merchant reaches another process at once', async () => {
  const steps = [{ kind: 'approve' }, { kind: 'freeze', reason: 'odd payments' }] as const;
  const waited = await leastOfFive(SOON_MS, async () => {
    const { merchant, token, now } = await logInAnyone();
    for (const input of steps) {
      await verify(there, `Bearer ${token}`);
      await inTransaction(connection.db, (trx) => changeMerchantStatus(trx, here.deps, merchant.id, input, now, now));
    }
    const start = performance.now();
    await expect.poll(async () => (await verify(there, `Bearer ${token}`)).status, { interval: 5 }).toBe('frozen');
    return performance.now() - start;
  });
  expect(waited).toBeLessThan(SOON_MS);
});

test('a recheck reads the current row, whatever is cached', async () => {
  const { merchant, session, token, now } = await logInAnyone();
  const principal = await verify(there, `Bearer ${token}`);
  await connection.db.updateTable('merchants').set({ status: 'active' }).where('id', '=', merchant.id).execute();
  expect(await inTransaction(connection.db, (trx) => there.deps.verifier.recheck(trx, principal, now))).toEqual({
    ...principal,
    status: 'active',
  });
  await connection.db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'logout' })
    .where('id', '=', session.sessionId)
    .execute();
  await expect(there.deps.verifier.recheck(connection.db, principal, now)).rejects.toMatchObject(REVOKED);
});

test('the cache is dropped after the listening connection was lost', async () => {
  const { session, token, now } = await logInAnyone();
  await verify(there, `Bearer ${token}`);
  // An end without a notification: until the gap the process trusts its cache.
  await connection.db
    .updateTable('sessions')
    .set({ ended_at: now, ended_reason: 'logout' })
    .where('id', '=', session.sessionId)
    .execute();
  await verify(there, `Bearer ${token}`);
  const gap = new Promise<void>((resolve) => there.listener.onGap(resolve));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'kasi-listen'`.execute(connection.db);
  await gap;
  await expect(verify(there, `Bearer ${token}`)).rejects.toMatchObject(REVOKED);
});

test('a caller who ends their own session does so once', async () => {
  const { merchant, session, token, now } = await logInAnyone();
  const proof = { principal: await verify(here, `Bearer ${token}`), verifier: here.deps.verifier };
  let times = 0;
  const ended = await inTransactionOf(connection.db, proof, now, async (trx) => {
    times += 1;
    return endSession(trx, { type: 'merchant', id: merchant.id }, session.sessionId, 'logout', now);
  });
  expect({ ended, times }).toEqual({ ended: true, times: 1 });
});
