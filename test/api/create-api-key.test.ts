import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, START } from '../harness.ts';
import { arrived, DESTINATION } from '../support/refunds.ts';
import { sendSigned } from '../support/signing.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const ALL = ['payments:read', 'payments:write', 'settlements:read', 'settlements:write', 'webhooks:manage'];

test('makes a key with all scopes, for all addresses and without expiry by default', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const { apiSecret, ...key } = await client.apiKeys.create({ name: 'Web shop' });
  expect(key).toEqual({
    id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{26}$/),
    name: 'Web shop',
    apiKey: expect.stringMatching(/^pk_sandbox_[0-9a-f]{32}$/),
    permissions: ALL,
    allowedIps: [],
    expiresAt: null,
    createdAt: START.toISOString(),
  });
  expect(apiSecret).toMatch(/^sk_sandbox_[0-9a-f]{64}$/);
  expect((await client.apiKeys.list()).data).toEqual([{ ...key, lastUsedAt: null }]);
});

test('keeps scopes, addresses and expiry, in the order and form of the contract', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const key = await client.apiKeys.create({
    name: 'Bookkeeping',
    permissions: ['settlements:read', 'payments:read'],
    allowedIps: ['203.0.113.0/24', '2001:DB8::1', '203.0.113.0/24'],
    expiresAt,
  });
  expect(key).toMatchObject({
    permissions: ['payments:read', 'settlements:read'],
    allowedIps: ['203.0.113.0/24', '2001:db8::1'],
    expiresAt,
  });
});

test('takes keys from a pending merchant but not from a frozen one', async ({ service }) => {
  const waiting = await service.registerMerchant();
  await waiting.client.apiKeys.create({ name: 'Early' });
  const { id, client } = await service.activeMerchant();
  await service.decide(id, { kind: 'freeze', reason: 'odd payments' });
  await expect(client.apiKeys.create({ name: 'Late' })).rejects.toMatchObject({
    status: 403,
    reason: 'merchant_not_active',
  });
});

test.for([
  ['no name', {}, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['no scope at all', { name: 'a', permissions: [] }, 'permissions'],
  ['an unknown scope', { name: 'a', permissions: ['payments:delete'] }, 'permissions.0'],
  ['a scope twice', { name: 'a', permissions: ['payments:read', 'payments:read'] }, 'permissions'],
  ['an invalid address', { name: 'a', allowedIps: ['203.0.113.7', '203.0.113.256'] }, 'allowedIps.1'],
  ['a range that is not written in full', { name: 'a', allowedIps: ['192.168/16'] }, 'allowedIps.0'],
  [
    'too many addresses',
    { name: 'a', allowedIps: Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`) },
    'allowedIps',
  ],
  ['an expiry that has passed', { name: 'a', expiresAt: '2026-01-01T00:00:00Z' }, 'expiresAt'],
  ["a secret of one's own", { name: 'a', apiSecret: 'sk_sandbox_1' }, 'apiSecret'],
] as const)('refuses %s and names the field', async ([_what, body, path], { service }) => {
  const { token, client } = await service.activeMerchant();
  const answer = await service.send('POST', '/v1/api-keys', { token, body });
  expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
  expect((await client.apiKeys.list()).data).toEqual([]);
});

test('allows at most 20 keys, also under concurrent requests; deleting one makes room', async ({ service }) => {
  const { client } = await service.activeMerchant();
  // One after the other: of many at once the last would wait too long for the merchant's lock on a busy machine.
  for (let made = 0; made < 17; made += 1) await client.apiKeys.create({ name: 'a' });
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => client.apiKeys.create({ name: 'a' })));
  const refused = results
    .filter(({ status }) => status === 'rejected')
    .map((result) => (result as PromiseRejectedResult).reason);
  expect(refused.map(({ code }) => code)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT']);
  const { data } = await client.apiKeys.list();
  expect(data).toHaveLength(20);
  await client.apiKeys.delete(data[0]?.id ?? '');
  await client.apiKeys.create({ name: 'the twentieth' });
});

test('announces and audits a new key, both without its secret', async ({ service }) => {
  const { id: merchantId, client } = await service.activeMerchant();
  const { id, apiSecret } = await client.apiKeys.create({ name: 'Web shop', permissions: ['payments:read'] });
  const event = await service.db
    .selectFrom('events')
    .select(['type', 'sequence', 'body'])
    .where('resource_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(event).toMatchObject({ type: 'api_key.created', sequence: 1 });
  expect(JSON.parse(event.body.toString('utf8')).data).toEqual((await client.apiKeys.list()).data[0]);
  expect(event.body.toString('utf8')).not.toContain(apiSecret.slice(11));
  const entry = await service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', id).executeTakeFirst();
  expect(entry).toMatchObject({
    action: 'api_key.create',
    actor_id: merchantId,
    metadata: { keyName: 'Web shop', permissions: ['payments:read'] },
  });
});

test('wants a code for a key that gives money away, where a second factor is on', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { apiKeys, auth } = merchant.client;
  const { id: paymentId } = await arrived(service, merchant);
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, auth, PASSWORD);
  const permissions = ['payments:read', 'settlements:write'] as const;
  const draft = { name: 'Mine', permissions: [...permissions] };
  await expect(apiKeys.create(draft)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  await expect(apiKeys.create({ name: 'All by default' })).rejects.toMatchObject({ reason: 'otp_required' });
  const wrong = { ...draft, otp: wrongCode() };
  await expect(apiKeys.create(wrong)).rejects.toMatchObject({ status: 401, reason: 'otp_invalid' });
  expect((await apiKeys.list()).data).toEqual([]);
  const otp = nextCode();
  const key = await apiKeys.create({ ...draft, otp });
  await expect(apiKeys.create({ ...draft, otp })).rejects.toMatchObject({ reason: 'otp_invalid' });
  const entry = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('resource_id', '=', key.id)
    .executeTakeFirstOrThrow();
  expect(entry.metadata).toEqual({ keyName: 'Mine', permissions, secondFactor: 'totp' });
  // What such a key can do without a code.
  const body = JSON.stringify({ amount: 'all', reason: 'Sold out.', destinationAddress: DESTINATION });
  const target = `/v1/payments/${paymentId}/refunds`;
  expect(await sendSigned(service, key, { method: 'POST', target, body })).toMatchObject({ status: 201 });
});

test('wants no code for a key that gives no money away, nor where no second factor is on', async ({ service }) => {
  const { client } = await service.activeMerchant();
  await client.apiKeys.create({ name: 'All', otp: '123456' });
  await turnOnTwoFactor(service, client.auth, PASSWORD);
  const { permissions } = await client.apiKeys.create({
    name: 'Sales',
    permissions: ['payments:read', 'payments:write', 'settlements:read', 'webhooks:manage', 'links:manage'],
  });
  expect(permissions).not.toContain('settlements:write');
});
