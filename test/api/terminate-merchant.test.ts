import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const REASON = { reason: 'Sold what it never had.' };

test('ends all sessions and keys for good, and keeps the balance and records', async ({ service }) => {
  const admin = await service.admin(['merchants.terminate', 'merchants.view']);
  const { id, client, email, token, refreshToken } = await service.activeMerchant();
  const keys = [await client.apiKeys.create({ name: 'Web shop' }), await client.apiKeys.create({ name: 'Books' })];
  await client.auth.login({ email, password: PASSWORD });
  expect(await admin.client.merchants.terminate(id, REASON)).toEqual({
    id,
    status: 'terminated',
    message: 'The merchant is closed for good. Its sessions have ended, its API keys are revoked.',
  });
  const answers = [
    await service.send('POST', '/v1/payment-links', { token, body: { title: 'Workshop', amount: 25 } }),
    await service.send('POST', '/v1/auth/refresh', { body: { refreshToken } }),
    await service.send('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  const rows = await service.db
    .selectFrom('api_keys')
    .select(['revoked_at', 'sealed_secret'])
    .where('merchant_id', '=', id)
    .execute();
  expect(rows).toEqual(keys.map(() => ({ revoked_at: expect.any(Date), sealed_secret: null })));
  const events = await service.db.selectFrom('events').select('type').where('merchant_id', '=', id).execute();
  expect(events.map(({ type }) => type).sort()).toEqual([
    ...['api_key.created', 'api_key.created', 'api_key.revoked', 'api_key.revoked'],
    ...['merchant.status_changed', 'merchant.status_changed'], // It was approved before.
  ]);
  expect((await auditOf(service, id, 'merchant.terminate')).at(-1)).toMatchObject({
    action: 'merchant.terminate',
    actor_id: admin.id,
    merchant_id: id,
    metadata: { previousStatus: 'active', newStatus: 'terminated', sessionsEnded: 2, keysRevoked: 2, ...REASON },
  });
  expect(await admin.client.merchants.get(id)).toMatchObject({
    status: 'terminated',
    statusReason: REASON.reason,
    apiKeyCount: 0,
  });
});

test('terminates from every other status, with a reason and the permission', async ({ service }) => {
  const { client, token } = await service.admin();
  const waiting = await service.registerMerchant();
  const rejected = await service.registerMerchant();
  await service.decide(rejected.id, { kind: 'reject', reason: 'no papers' });
  const frozen = await service.activeMerchant();
  await service.decide(frozen.id, { kind: 'freeze', reason: 'odd payments' });
  const other = await service.admin(['merchants.freeze']);
  for (const { id } of [waiting, rejected, frozen]) {
    await expect(other.client.merchants.terminate(id, REASON)).rejects.toMatchObject({ status: 403 });
    expect(await service.send('POST', `/v1/admin/merchants/${id}/terminate`, { token, body: {} })).toMatchObject({
      status: 400,
    });
    expect(await client.merchants.terminate(id, REASON)).toMatchObject({ status: 'terminated' });
    await expect(client.merchants.terminate(id, REASON)).rejects.toMatchObject({ status: 409 });
  }
  await expect(client.merchants.terminate('mer_1', REASON)).rejects.toMatchObject({ status: 404 });
});

test('a stolen session of an administrator closes no merchant for good', async ({ service }) => {
  const admin = await service.admin(['merchants.terminate', 'merchants.freeze', 'merchants.view']);
  const factor = await turnOnTwoFactor(service, admin.client.auth, PASSWORD);
  const { id, token } = await service.activeMerchant();
  const terminate = (more: { otp?: string } = {}) => admin.client.merchants.terminate(id, { ...REASON, ...more });
  await expect(terminate()).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  await expect(terminate({ otp: factor.wrongCode() })).rejects.toMatchObject({ status: 401, reason: 'otp_invalid' });
  expect(await service.send('GET', `/v1/merchants/${id}`, { token })).toMatchObject({ status: 200 });
  // What can be undone stays quick.
  await admin.client.merchants.freeze(id, REASON);
  expect(await terminate({ otp: factor.nextCode() })).toMatchObject({ status: 'terminated' });
  const [entry] = await auditOf(service, id, 'merchant.terminate');
  expect(entry?.metadata).toMatchObject({ newStatus: 'terminated', secondFactor: 'totp' });
});

test('leaves no key that was made while the account was being terminated', async ({ service }) => {
  const { client: chief } = await service.admin();
  for (let round = 0; round < 5; round += 1) {
    const { id, client } = await service.activeMerchant();
    await Promise.allSettled([
      ...Array.from({ length: 4 }, (_, index) => client.apiKeys.create({ name: `Key ${index}` })),
      chief.merchants.terminate(id, REASON),
      ...Array.from({ length: 4 }, (_, index) => client.apiKeys.create({ name: `Late key ${index}` })),
    ]);
    const left = service.db.selectFrom('api_keys').select('id').where('merchant_id', '=', id);
    expect(await left.where('revoked_at', 'is', null).execute()).toEqual([]);
  }
});

test('happens once per idempotency key, and refuses another request under the same key', async ({ service }) => {
  const { token } = await service.admin();
  const { id } = await service.activeMerchant();
  const terminate = (reason: string) =>
    service.send('POST', `/v1/admin/merchants/${id}/terminate`, {
      ...{ token, body: { reason }, headers: { 'idempotency-key': 'terminate-1' } },
    });
  const statuses = [(await terminate('no')).status, (await terminate('no')).status, (await terminate('more')).status];
  expect(statuses).toEqual([200, 200, 422]);
});
