import { expect, test } from 'vitest';
import { after, SECOND_MS } from '../../src/lib/clock.ts';
import { changePassword, logIn, refreshSession } from '../../src/merchants/login.ts';
import type { SessionPrincipal } from '../../src/ports/security.ts';
import { circumstancesAt, PASSWORD } from '../support/merchants.ts';
import { LATER, NOW, useMerchants } from './merchants-fixture.ts';

const REFUSED = { code: 'UNAUTHORIZED', reason: 'credentials_invalid' };
const world = useMerchants();
const { register, move, enter } = world;

test('a registration stores the merchant with its accounts, its webhook key and a session', async () => {
  const { merchant, session } = await register('Owner@TeaHouse.example');
  expect(merchant).toEqual({
    id: expect.stringMatching(/^mer_[0-9a-hjkmnp-tv-z]{26}$/),
    businessName: 'Ceylon Tea House',
    email: 'owner@teahouse.example',
    phone: '+94771234567',
    businessType: 'company',
    status: 'pending_verification',
    sendReceipts: true,
    statusReason: null,
    rejectedAt: null,
    walletAddress: null,
    webhookUrl: null,
    twoFactorEnabled: false,
    paymentToleranceBps: null,
    refundOffers: [],
    refundOfferMinimum: 100n,
    supportEmail: null,
    supportUrl: null,
    website: null,
    brandColor: null,
    logoName: null,
    embedOrigins: [],
    createdAt: NOW,
    updatedAt: NOW,
  });
  const countOf = async (table: 'ledger_accounts' | 'webhook_keys' | 'sessions', column: string) => {
    const rows = await world.db
      .selectFrom(table)
      .selectAll()
      .where(world.db.dynamic.ref(column), '=', merchant.id)
      .execute();
    return rows.length;
  };
  expect(await countOf('ledger_accounts', 'owner_id')).toBe(5);
  expect(await countOf('webhook_keys', 'merchant_id')).toBe(1);
  expect(await countOf('sessions', 'principal_id')).toBe(1);
  expect(session.refreshToken).toMatch(/^rt_/);
});

test('an e-mail address can be registered once, in any case, also concurrently', async () => {
  await register('twice@example.com');
  await expect(register('TWICE@example.com')).rejects.toMatchObject({ code: 'CONFLICT' });
  const results = await Promise.allSettled([register('Race@example.com'), register('race@example.com')]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
});

test('a login starts another session and is audited', async () => {
  const { merchant, session } = await register('login@example.com');
  const circumstances = circumstancesAt(LATER);
  const entered = await enter(' LOGIN@example.com ', PASSWORD, circumstances);
  expect(entered.merchant.id).toBe(merchant.id);
  expect(entered.session.sessionId).not.toBe(session.sessionId);
  expect(circumstances.audit.drafts).toEqual([
    {
      resourceId: entered.session.sessionId,
      actor: { type: 'merchant', id: merchant.id },
      merchantId: merchant.id,
      metadata: {},
    },
  ]);
});

test('a wrong password, an unknown e-mail address and a terminated merchant get the same refusal', async () => {
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

test('after five wrong passwords the next attempt must wait, even with the right one', async () => {
  await register('throttled@example.com');
  for (let failure = 1; failure <= 5; failure += 1) {
    await expect(enter('throttled@example.com', 'Wr0ng-password')).rejects.toMatchObject(REFUSED);
  }
  await expect(enter('throttled@example.com')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  await enter('throttled@example.com', PASSWORD, circumstancesAt(after(LATER, SECOND_MS)));
  await expect(enter('throttled@example.com', 'Wr0ng-password')).rejects.toMatchObject(REFUSED);
});

test('refused logins are audited, at most one a second per address, without naming unknown accounts', async () => {
  const ip = '198.51.100.9';
  const { merchant } = await register('audited@example.com');
  const fail = (email: string, ms: number) =>
    expect(enter(email, 'Wr0ng-password', circumstancesAt(after(LATER, ms), ip))).rejects.toMatchObject(REFUSED);
  await fail('audited@example.com', 0);
  await fail('audited@example.com', 999);
  await fail('stranger@example.com', 2000);
  const entries = await world.db
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

test('a login rehashes a password stored with other costs', async () => {
  const { merchant } = await register('rehash@example.com');
  const passwordHash = () =>
    world.db
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
    { ...world.merchants.deps, passwords },
    { email: 'rehash@example.com', password: PASSWORD },
    circumstancesAt(LATER),
  );
  expect(await passwordHash()).toMatch(/^\$argon2id\$v=19\$m=128,/);
});

test('a reused refresh token ends the session and is audited', async () => {
  const { session, merchant } = await register('stolen@example.com');
  const next = await refreshSession(world.merchants.deps, session.refreshToken, circumstancesAt(LATER));
  expect(next).toMatchObject({ sessionId: session.sessionId, merchantId: merchant.id });
  const revoked = { code: 'UNAUTHORIZED', reason: 'session_revoked' };
  await expect(
    refreshSession(world.merchants.deps, session.refreshToken, circumstancesAt(LATER)),
  ).rejects.toMatchObject(revoked);
  await expect(refreshSession(world.merchants.deps, next.refreshToken, circumstancesAt(LATER))).rejects.toMatchObject(
    revoked,
  );
  const entries = await world.db
    .selectFrom('audit_log')
    .select(['action', 'actor_type', 'resource_id', 'metadata'])
    .where('merchant_id', '=', merchant.id)
    .execute();
  expect(entries).toEqual([
    { action: 'session.revoke', actor_type: 'system', resource_id: session.sessionId, metadata: { reason: 'reuse' } },
  ]);
});

test('a new password replaces the old one and ends every other session', async () => {
  const { merchant, session } = await register('change@example.com');
  const other = await enter('change@example.com');
  const principal: SessionPrincipal = {
    kind: 'merchant',
    via: 'session',
    merchantId: merchant.id,
    sessionId: session.sessionId,
    rejectedAt: null,
    toleranceBps: null,
    status: merchant.status,
  };
  const change = (currentPassword: string, newPassword: string) =>
    changePassword(world.merchants.deps, principal, { currentPassword, newPassword }, circumstancesAt(LATER));

  await expect(change('Wr0ng-password', 'Even-str0nger')).rejects.toMatchObject(REFUSED);
  await expect(change(PASSWORD, 'weakly')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await change(PASSWORD, 'Even-str0nger');

  await expect(
    refreshSession(world.merchants.deps, other.session.refreshToken, circumstancesAt(LATER)),
  ).rejects.toMatchObject({
    reason: 'session_revoked',
  });
  await refreshSession(world.merchants.deps, session.refreshToken, circumstancesAt(LATER));
  await expect(enter('change@example.com', PASSWORD)).rejects.toMatchObject(REFUSED);
  await enter('change@example.com', 'Even-str0nger');
});

test('an ended session cannot change the password', async () => {
  const { merchant, session } = await register('ended@example.com');
  const principal = {
    kind: 'merchant',
    via: 'session',
    merchantId: merchant.id,
    sessionId: session.sessionId,
    status: 'active',
    rejectedAt: null,
    toleranceBps: null,
  } as const;
  await world.db
    .updateTable('sessions')
    .set({ ended_at: NOW, ended_reason: 'logout' })
    .where('id', '=', session.sessionId)
    .execute();
  const body = { currentPassword: PASSWORD, newPassword: 'Even-str0nger' };
  await expect(changePassword(world.merchants.deps, principal, body, circumstancesAt(LATER))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    reason: 'session_revoked',
  });
  await enter('ended@example.com', PASSWORD);
});
