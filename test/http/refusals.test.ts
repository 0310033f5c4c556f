import type { FastifyRequest } from 'fastify';
import { expect } from 'vitest';
import { recordingRefusals } from '../../src/http/refusals.ts';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const entries = (service: TestService, merchantId: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'resource_type', 'resource_id', 'ip_address', 'metadata'])
    .where('merchant_id', '=', merchantId)
    .where('action', '=', 'permission.refuse')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

test('audits a refusal in the log of the merchant that was refused, for reads and changes', async ({ service }) => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  expect((await service.send('GET', `/v1/merchants/${other.id}`, { token: merchant.token })).status).toBe(403);
  service.clock.advanceReal(1000);
  await service.decide(merchant.id, { kind: 'reject', reason: 'no papers' });
  const link = { title: 'Tea', amount: 5 };
  expect((await service.send('POST', '/v1/payment-links', { token: merchant.token, body: link })).status).toBe(403);
  const who = { actor_type: 'merchant', actor_id: merchant.id, resource_type: 'permission', ip_address: '127.0.0.1' };
  expect(await entries(service, merchant.id)).toEqual([
    { ...who, resource_id: other.id, metadata: { operation: 'getMerchant', reason: 'not_owner' } },
    { ...who, resource_id: '', metadata: { operation: 'createPaymentLink', reason: 'merchant_not_active' } },
  ]);
  expect(await entries(service, other.id)).toEqual([]);
});

test('audits at most one refusal a second', async ({ service }) => {
  const merchant = await service.registerMerchant();
  service.clock.advanceReal(1000 - (service.clock.real().getTime() % 1000));
  const second = () => Math.floor(service.clock.real().getTime() / 1000);
  const first = second();
  const tries = Array.from({ length: 30 }, () => service.send('GET', '/v1/merchants/me', { token: merchant.token }));
  for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
  expect((await entries(service, merchant.id)).length).toBeLessThanOrEqual(second() - first + 1);
});

test('does not audit other refusals', async ({ service }) => {
  const merchant = await service.registerMerchant();
  expect((await service.send('GET', '/v1/merchants/me', { token: 'not.a.token' })).status).toBe(401);
  expect((await service.send('GET', '/v1/payments/pay_none', { token: merchant.token })).status).toBe(404);
  expect(await entries(service, merchant.id)).toEqual([]);
});

const entriesOf = (service: TestService, actorId: string, action: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'merchant_id', 'resource_id', 'ip_address', 'metadata'])
    .where('actor_id', '=', actorId)
    .where('action', '=', action)
    .execute();

test("audits refused administrators in the platform's log", async ({ service }) => {
  const weak = await service.admin([]);
  expect((await service.send('GET', '/v1/admin/settings', { token: weak.token })).status).toBe(403);
  const who = { actor_type: 'admin', merchant_id: null, resource_id: '', ip_address: '127.0.0.1' };
  expect(await entriesOf(service, weak.id, 'permission.refuse')).toEqual([
    { ...who, metadata: { operation: 'getSettings', reason: 'permission_missing' } },
  ]);
  const admin = await service.admin();
  const { version } = await admin.client.settings.get();
  await admin.client.settings.update({ version, paymentExpiryMinutes: 90 });
  const stale = { token: admin.token, body: { version, paymentExpiryMinutes: 120 } };
  expect((await service.send('PUT', '/v1/admin/settings', stale)).status).toBe(409);
  expect(await entriesOf(service, admin.id, 'operation.refuse')).toEqual([
    {
      ...who,
      metadata: expect.objectContaining({ operation: 'updateSettings', code: 'CONFLICT', message: expect.any(String) }),
    },
  ]);
});

test("audits an administrator's wrong password, without unknown e-mail addresses", async ({ service }) => {
  const admin = await service.admin();
  const login = async (email: string): Promise<void> => {
    service.clock.advanceReal(1000);
    const body = { email, password: 'Wr0ng-password' };
    expect((await service.send('POST', '/v1/admin/auth/login', { body })).status).toBe(401);
  };
  await login(admin.email);
  await login('nobody@kasi.example');
  const who = {
    merchant_id: null,
    resource_id: '',
    ip_address: '127.0.0.1',
    metadata: { reason: 'credentials_invalid' },
  };
  expect(await entriesOf(service, admin.id, 'session.refuse')).toEqual([{ actor_type: 'admin', ...who }]);
  expect(await entriesOf(service, '', 'session.refuse')).toEqual([{ actor_type: 'system', ...who }]);
});

test('audits a lasting refusal under an idempotency key once, not with each replay', async ({ service }) => {
  const admin = await service.admin();
  const request = {
    method: 'POST',
    id: 'req_keyed',
    ip: '203.0.113.9',
    headers: {},
    params: { id: 'wd_1' },
    now: service.clock.now(),
    real: service.clock.real(),
    proof: { principal: { kind: 'admin', via: 'session', adminId: admin.id } },
  } as unknown as FastifyRequest;
  const error = { code: 'CONFLICT', message: 'This withdrawal is completed already.', requestId: 'req_keyed' };
  const answer = { status: 409, body: Buffer.from(JSON.stringify({ error })) };
  for (const replayed of [true, false, true]) {
    service.clock.advanceReal(1000);
    const keyed = { ...answer, replayed };
    const at = { ...request, real: service.clock.real() } as FastifyRequest;
    expect(await recordingRefusals(service.db, 'updateSettings', at, async () => keyed)).toBe(keyed);
  }
  expect(await entriesOf(service, admin.id, 'operation.refuse')).toMatchObject([
    { resource_id: 'wd_1', metadata: { operation: 'updateSettings', code: 'CONFLICT', message: error.message } },
  ]);
});

test('audits a wrong second factor once, beside a password or alone', async ({ service }) => {
  const { id, client, token } = await service.activeMerchant();
  const { wrongCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const body = { walletAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', otp: wrongCode() };
  expect((await service.send('PUT', `/v1/merchants/${id}`, { token, body })).status).toBe(401);
  service.clock.advance(1000);
  service.clock.advanceReal(1000);
  const disabled = { token, body: { password: PASSWORD, otp: wrongCode() } };
  expect((await service.send('POST', '/v1/auth/two-factor/disable', disabled)).status).toBe(401);
  const entries = await service.db
    .selectFrom('audit_log')
    .select(['action', 'metadata'])
    .where('merchant_id', '=', id)
    .where('action', 'like', '%.refuse')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { action: 'two_factor.refuse', metadata: { operation: 'updateMerchant', reason: 'otp_invalid' } },
    { action: 'session.refuse', metadata: { reason: 'otp_invalid' } },
  ]);
});
