import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, SECOND_MS } from '../../src/lib/clock.ts';
import { changePassword, logIn, refreshSession } from '../../src/merchants/login.ts';
import type { MerchantInput } from '../../src/merchants/merchant.ts';
import { moveMerchant } from '../../src/merchants/moves.ts';
import { presentMerchant } from '../../src/merchants/present.ts';
import { findMerchant, getMerchant } from '../../src/merchants/queries.ts';
import { updateMerchant } from '../../src/merchants/service.ts';
import type { MerchantPrincipal } from '../../src/ports/security.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import {
  circumstancesAt,
  makeTestMerchants,
  PASSWORD,
  registerTestMerchant,
  type TestMerchants,
} from '../support/merchants.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const LATER = after(NOW, 60 * SECOND_MS);
const REFUSED = { code: 'UNAUTHORIZED', reason: 'credentials_invalid' };

let connection: TestConnection;
let merchants: TestMerchants;
beforeAll(async () => {
  connection = await connectTestDatabase();
  merchants = await makeTestMerchants(connection);
});
afterAll(async () => {
  await merchants.close();
  await connection.close();
});

const register = (email?: string) => registerTestMerchant(merchants.deps, NOW, email);
const update = (id: string, body: Parameters<typeof updateMerchant>[3], now = LATER) =>
  inTransaction(connection.db, (trx) => updateMerchant(trx, merchants.deps, id, body, now));
const move = (id: string, input: MerchantInput, now = LATER) =>
  inTransaction(connection.db, (trx) => moveMerchant(trx, merchants.deps, id, input, now, now));
const enter = (email: string, password = PASSWORD, circumstances = circumstancesAt(LATER)) =>
  logIn(merchants.deps, { email, password }, circumstances);

const eventsOf = async (merchantId: string) => {
  const rows = await connection.db
    .selectFrom('events')
    .select(['sequence', 'body'])
    .where('resource_id', '=', merchantId)
    .orderBy('sequence')
    .execute();
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')));
};

test('a registration stores the merchant with its accounts, its webhook key and a session', async () => {
  const { merchant, session } = await register('Owner@TeaHouse.example');
  expect(merchant).toEqual({
    id: expect.stringMatching(/^mer_[0-9a-hjkmnp-tv-z]{26}$/),
    businessName: 'Ceylon Tea House',
    email: 'owner@teahouse.example',
    phone: '+94771234567',
    businessType: 'company',
    status: 'pending_verification',
    statusReason: null,
    walletAddress: null,
    webhookUrl: null,
    twoFactorEnabled: false,
    paymentToleranceBps: null,
    createdAt: NOW,
    updatedAt: NOW,
  });
  const countOf = async (table: 'ledger_accounts' | 'webhook_keys' | 'sessions', column: string) => {
    const rows = await connection.db
      .selectFrom(table)
      .selectAll()
      .where(connection.db.dynamic.ref(column), '=', merchant.id)
      .execute();
    return rows.length;
  };
  expect(await countOf('ledger_accounts', 'owner_id')).toBe(5);
  expect(await countOf('webhook_keys', 'merchant_id')).toBe(1);
  expect(await countOf('sessions', 'principal_id')).toBe(1);
  expect(session.refreshToken).toMatch(/^rt_/);
});

test('an e-mail address is registered once whatever its case, also by two at once', async () => {
  await register('twice@example.com');
  await expect(register('TWICE@example.com')).rejects.toMatchObject({ code: 'CONFLICT' });
  const results = await Promise.allSettled([register('Race@example.com'), register('race@example.com')]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
});

test('a login gives another session and is written down', async () => {
  const { merchant, session } = await register('login@example.com');
  const circumstances = circumstancesAt(LATER);
  const entered = await enter(' LOGIN@example.com ', PASSWORD, circumstances);
  expect(entered.merchant.id).toBe(merchant.id);
  expect(entered.session.sessionId).not.toBe(session.sessionId);
  expect(circumstances.audit.drafts).toEqual([
    { resourceId: entered.session.sessionId, actor: { type: 'merchant', id: merchant.id }, merchantId: merchant.id },
  ]);
});

test('a wrong password, an unknown e-mail address and a terminated merchant are refused with the same words', async () => {
  await register('wrong@example.com');
  const { merchant } = await register('closed@example.com');
  await move(merchant.id, { kind: 'terminate', reason: null });
  const refusals = await Promise.all(
    [
      enter('wrong@example.com', 'Wr0ng-password'),
      enter('nobody@example.com', PASSWORD),
      enter('closed@example.com', PASSWORD),
    ].map((attempt) =>
      attempt.then(
        () => undefined,
        (error: Error) => ({ ...error, message: error.message }),
      ),
    ),
  );
  expect(refusals[0]).toMatchObject(REFUSED);
  expect(refusals[1]).toEqual(refusals[0]);
  expect(refusals[2]).toEqual(refusals[0]);
});

test('the fifth wrong password in a row makes the next try wait, the right one too', async () => {
  await register('throttled@example.com');
  for (let failure = 1; failure <= 5; failure += 1) {
    await expect(enter('throttled@example.com', 'Wr0ng-password')).rejects.toMatchObject(REFUSED);
  }
  await expect(enter('throttled@example.com')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  await enter('throttled@example.com', PASSWORD, circumstancesAt(after(LATER, SECOND_MS)));
  await expect(enter('throttled@example.com', 'Wr0ng-password')).rejects.toMatchObject(REFUSED);
});

test('refused logins are in the audit log, at most one a second from one address, without naming the unknown', async () => {
  const ip = '198.51.100.9';
  const { merchant } = await register('audited@example.com');
  const fail = (email: string, ms: number) =>
    expect(enter(email, 'Wr0ng-password', circumstancesAt(after(LATER, ms), ip))).rejects.toMatchObject(REFUSED);
  await fail('audited@example.com', 0);
  await fail('audited@example.com', 999);
  await fail('stranger@example.com', 2000);
  const entries = await connection.db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'merchant_id', 'metadata'])
    .where('action', '=', 'session.refuse')
    .where('ip_address', '=', ip)
    .orderBy('created_at')
    .execute();
  const metadata = { reason: 'credentials_invalid' };
  expect(entries).toEqual([
    { actor_type: 'merchant', actor_id: merchant.id, merchant_id: merchant.id, metadata },
    { actor_type: 'system', actor_id: '', merchant_id: null, metadata },
  ]);
});

test('a password hash with other costs is made anew by the next login', async () => {
  const { merchant } = await register('rehash@example.com');
  const passwordHash = () =>
    connection.db
      .selectFrom('merchants')
      .select('password_hash')
      .where('id', '=', merchant.id)
      .executeTakeFirstOrThrow()
      .then((row) => row.password_hash);
  const before = await passwordHash();
  await enter('rehash@example.com');
  expect(await passwordHash()).toBe(before);
  const { createPasswords } = await import('../../src/identity/passwords.ts');
  const passwords = createPasswords({ memoryKib: 128, passes: 1, lanes: 1 });
  await logIn(
    { ...merchants.deps, passwords },
    { email: 'rehash@example.com', password: PASSWORD },
    circumstancesAt(LATER),
  );
  expect(await passwordHash()).toMatch(/^\$argon2id\$v=19\$m=128,/);
});

test('a refresh token that comes back ends the session and leaves a trace', async () => {
  const { session, merchant } = await register('stolen@example.com');
  const next = await refreshSession(merchants.deps, session.refreshToken, circumstancesAt(LATER));
  expect(next).toMatchObject({ sessionId: session.sessionId, merchantId: merchant.id });
  const revoked = { code: 'UNAUTHORIZED', reason: 'session_revoked' };
  await expect(refreshSession(merchants.deps, session.refreshToken, circumstancesAt(LATER))).rejects.toMatchObject(
    revoked,
  );
  await expect(refreshSession(merchants.deps, next.refreshToken, circumstancesAt(LATER))).rejects.toMatchObject(
    revoked,
  );
  const entries = await connection.db
    .selectFrom('audit_log')
    .select(['action', 'actor_type', 'resource_id', 'metadata'])
    .where('merchant_id', '=', merchant.id)
    .execute();
  expect(entries).toEqual([
    { action: 'session.revoke', actor_type: 'system', resource_id: session.sessionId, metadata: { reason: 'reuse' } },
  ]);
});

test('a new password ends every session but the one that asks, and replaces the old one', async () => {
  const { merchant, session } = await register('change@example.com');
  const other = await enter('change@example.com');
  const principal: MerchantPrincipal = {
    kind: 'merchant',
    merchantId: merchant.id,
    sessionId: session.sessionId,
    status: merchant.status,
  };
  const change = (currentPassword: string, newPassword: string) =>
    changePassword(merchants.deps, principal, { currentPassword, newPassword }, circumstancesAt(LATER));

  await expect(change('Wr0ng-password', 'Even-str0nger')).rejects.toMatchObject(REFUSED);
  await expect(change(PASSWORD, 'weakly')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await change(PASSWORD, 'Even-str0nger');

  await expect(
    refreshSession(merchants.deps, other.session.refreshToken, circumstancesAt(LATER)),
  ).rejects.toMatchObject({
    reason: 'session_revoked',
  });
  await refreshSession(merchants.deps, session.refreshToken, circumstancesAt(LATER));
  await expect(enter('change@example.com', PASSWORD)).rejects.toMatchObject(REFUSED);
  await enter('change@example.com', 'Even-str0nger');
});

test('a session that has ended meanwhile changes no password', async () => {
  const { merchant, session } = await register('ended@example.com');
  const principal = {
    kind: 'merchant',
    merchantId: merchant.id,
    sessionId: session.sessionId,
    status: 'active',
  } as const;
  await connection.db
    .updateTable('sessions')
    .set({ ended_at: NOW, ended_reason: 'logout' })
    .where('id', '=', session.sessionId)
    .execute();
  const body = { currentPassword: PASSWORD, newPassword: 'Even-str0nger' };
  await expect(changePassword(merchants.deps, principal, body, circumstancesAt(LATER))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    reason: 'session_revoked',
  });
  await enter('ended@example.com', PASSWORD);
});

test('an update changes what it sends and nothing else, and says what changed', async () => {
  const { merchant } = await register();
  const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const changed = await update(merchant.id, {
    walletAddress: wallet,
    webhookUrl: 'https://shop.example/hooks?key=s3cret',
  });
  expect(changed.merchant).toEqual({
    ...merchant,
    walletAddress: wallet,
    webhookUrl: 'https://shop.example/hooks?key=s3cret',
    updatedAt: LATER,
  });
  expect(await getMerchant(connection.db, merchant.id)).toEqual(changed.merchant);
  expect(changed.change).toEqual({
    changed: {
      walletAddress: { from: null, to: wallet },
      webhookUrl: { from: null, to: 'https://shop.example/…' },
    },
  });
});

test('an update that changes nothing leaves updatedAt as it was', async () => {
  const { merchant } = await register();
  for (const body of [{}, { businessName: merchant.businessName, phone: '+94771234567', walletAddress: '' }]) {
    expect(await update(merchant.id, body)).toEqual({ merchant, change: {} });
  }
  expect(await getMerchant(connection.db, merchant.id)).toEqual(merchant);
});

test('another webhook URL enables the endpoint again, the same one does not, and none removes it', async () => {
  const { merchant } = await register();
  const endpoint = () =>
    connection.db
      .selectFrom('webhook_endpoints')
      .select(['url', 'status', 'disabled_reason', 'failing_since'])
      .where('merchant_id', '=', merchant.id)
      .executeTakeFirst();
  await update(merchant.id, { webhookUrl: 'https://shop.example/one' });
  const disabled = { status: 'disabled', disabled_reason: 'gone', failing_since: NOW };
  await connection.db.updateTable('webhook_endpoints').set(disabled).where('merchant_id', '=', merchant.id).execute();
  await update(merchant.id, { webhookUrl: 'https://shop.example/one', businessName: 'Tea & Co' });
  expect(await endpoint()).toEqual({ url: 'https://shop.example/one', ...disabled });
  await update(merchant.id, { webhookUrl: 'https://shop.example/two' });
  expect(await endpoint()).toEqual({
    url: 'https://shop.example/two',
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
  expect((await update(merchant.id, { webhookUrl: '' })).merchant.webhookUrl).toBeNull();
  expect(await endpoint()).toBeUndefined();
});

test('a webhook URL that must not be called and a wallet with a wrong checksum are refused together', async () => {
  const { merchant } = await register();
  const body = { webhookUrl: 'http://127.0.0.1/hooks', walletAddress: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  await expect(update(merchant.id, body)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'walletAddress' }, { path: 'webhookUrl' }],
  });
});

test('approval is announced to the merchant as the merchant that it is now', async () => {
  const { merchant } = await register();
  const { merchant: approved, from } = await move(merchant.id, { kind: 'approve' });
  expect(from).toBe('pending_verification');
  expect(approved).toEqual({ ...merchant, status: 'active', updatedAt: LATER });
  expect(await eventsOf(merchant.id)).toEqual([
    expect.objectContaining({
      type: 'merchant.status_changed',
      merchantId: merchant.id,
      sequence: 1,
      livemode: false,
      data: presentMerchant(approved),
    }),
  ]);
});

test('a rejected merchant that changes its profile waits for another review, one that changes nothing does not', async () => {
  const { merchant } = await register();
  await move(merchant.id, { kind: 'reject', reason: 'No such company.' });
  expect((await update(merchant.id, {})).merchant).toMatchObject({
    status: 'rejected',
    statusReason: 'No such company.',
  });
  const changed = await update(merchant.id, { businessName: 'Ceylon Tea House (Pvt) Ltd' });
  expect(changed.merchant).toMatchObject({ status: 'pending_verification', statusReason: null });
  expect(changed.change).toMatchObject({ previousStatus: 'rejected', newStatus: 'pending_verification' });
  expect((await eventsOf(merchant.id)).map(({ sequence, data }) => [sequence, data.status])).toEqual([
    [1, 'rejected'],
    [2, 'pending_verification'],
  ]);
});

test('a terminated merchant has no session left', async () => {
  const { merchant, session } = await register();
  await move(merchant.id, { kind: 'approve' });
  await move(merchant.id, { kind: 'terminate', reason: 'Asked for it.' });
  await expect(refreshSession(merchants.deps, session.refreshToken, circumstancesAt(LATER))).rejects.toMatchObject({
    reason: 'session_revoked',
  });
  await expect(move(merchant.id, { kind: 'approve' })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await getMerchant(connection.db, merchant.id)).toMatchObject({
    status: 'terminated',
    statusReason: 'Asked for it.',
  });
});

test('of two decisions at once the second sees the first', async () => {
  const { merchant } = await register();
  const results = await Promise.allSettled([
    move(merchant.id, { kind: 'approve' }),
    move(merchant.id, { kind: 'reject', reason: 'Too late.' }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await eventsOf(merchant.id)).toHaveLength(1);
});

test('a merchant is found by its id and by its e-mail address', async () => {
  const { merchant } = await register('find@example.com');
  expect(await findMerchant(connection.db, merchant.id)).toEqual(merchant);
  expect(await findMerchant(connection.db, 'find@example.com')).toEqual(merchant);
  expect(await findMerchant(connection.db, 'mer_unknown')).toBeUndefined();
  await expect(move('mer_unknown', { kind: 'approve' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the row of a merchant that is being changed holds up nobody who only refers to it', async () => {
  const { merchant } = await register();
  await inTransaction(connection.db, async (trx) => {
    await moveMerchant(trx, merchants.deps, merchant.id, { kind: 'approve' }, LATER, LATER);
    const endpoint = connection.db
      .insertInto('webhook_endpoints')
      .values({ merchant_id: merchant.id, url: 'https://shop.example', status: 'enabled', updated_at: NOW })
      .execute();
    await expect(Promise.race([endpoint.then(() => 'done'), sleep(1500, 'held up')])).resolves.toBe('done');
  });
});
