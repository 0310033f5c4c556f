import { describe, expect, vi } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../src/api-keys/key.ts';
import { test } from '../fixture.ts';
import type { Answer } from '../harness.ts';
import { createKey, type Signing, sendSigned, type TestKey } from '../support/signing.ts';

let key: TestKey;

test.beforeAll(async ({ service, merchant }) => {
  key = await createKey(service, merchant);
});

const list: Signing = { method: 'GET', target: '/v1/payments' };
const URLS = { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' };
const post = (): Signing => ({
  method: 'POST',
  target: '/v1/sdk/checkout/sessions',
  // Different each time: equal bytes within a second are one request.
  body: JSON.stringify({ amount: 25, currency: 'USD', ...URLS, metadata: { n: Math.random() } }),
});
const errorOf = ({ status, body }: Answer) => ({ status, ...(body as { error: object }).error });

const keyOperations = Object.entries(operationMeta).flatMap(([id, meta]) => {
  const scopes = meta.security.flatMap((each) => ('apiKey' in each ? (each.apiKey as readonly string[]) : []));
  return scopes[0] ? [{ id, method: meta.method, path: meta.path, scope: scopes[0] }] : [];
});

describe('scopes', () => {
  const keys = new Map<string, TestKey>();
  test.beforeAll(async ({ service, merchant }) => {
    for (const scope of SCOPES) keys.set(scope, await createKey(service, merchant, { permissions: [scope] }));
  });

  test.for(keyOperations)('$id needs $scope and nothing else', async ({ method, path, scope }, { service }) => {
    const target = path.replaceAll(/\{\w+\}/g, 'none_1');
    for (const [held, holder] of keys) {
      const answer = await sendSigned(service, holder, { method, target });
      const { status, reason } = errorOf({ ...answer, body: answer.body ?? {} } as Answer) as never;
      if (held === scope) expect([200, 201, 400, 404]).toContain(answer.status);
      else expect({ held, status, reason }).toEqual({ held, status: 403, reason: 'scope_missing' });
    }
  });

  test('refuses a missing scope only after a valid signature, and audits the refusal with the key', async ({
    service,
    merchant,
  }) => {
    const holder = keys.get('settlements:read') as TestKey;
    const unsigned = await sendSigned(service, holder, list, { 'x-signature': '0'.repeat(64) });
    expect(unsigned.status).toBe(401);
    expect((await sendSigned(service, holder, list)).status).toBe(403);
    const entries = await service.db
      .selectFrom('audit_log')
      .select(['action', 'metadata'])
      .where('merchant_id', '=', merchant.id)
      .where('action', '=', 'permission.refuse')
      .execute();
    expect(entries.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({ apiKeyId: expect.stringMatching(/^key_/), reason: 'scope_missing' }),
    );
  });
});

describe('of a shop that sells by links and subscriptions', () => {
  test('a key has no right to them that nobody asked for', async ({ service, merchant }) => {
    expect(DEFAULT_SCOPES).not.toContain('links:manage');
    const made = await service.send('POST', '/v1/api-keys', { token: merchant.token, body: { name: 'Plain' } });
    expect(made.body).toMatchObject({ permissions: DEFAULT_SCOPES });
    const links: Signing = { method: 'GET', target: '/v1/payment-links' };
    const refused = errorOf(await sendSigned(service, made.body as TestKey, links));
    expect(refused).toMatchObject({
      status: 403,
      reason: 'scope_missing',
      message: expect.stringContaining('links:manage'),
    });
  });

  test('a key that has them makes a link and a plan, and subscribes a wallet', async ({ service, merchant }) => {
    const server = await createKey(service, merchant, { permissions: ['links:manage', 'subscriptions:manage'] });
    const send = async (target: string, body: object) =>
      (await sendSigned(service, server, { method: 'POST', target, body: JSON.stringify(body) })) as Answer;
    const link = await send('/v1/payment-links', { title: 'Spring tea workshop', amount: 25 });
    expect(link).toMatchObject({ status: 201, body: { title: 'Spring tea workshop', merchantId: merchant.id } });
    const plan = await send('/v1/subscription-plans', {
      name: 'Tea club',
      amount: 25,
      currency: 'USD',
      interval: 'monthly',
    });
    const { id } = plan.body as { id: string };
    const customer = { customerEmail: 'nimal@example.com', customerName: 'Nimal Perera' };
    const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const subscribed = await send(`/v1/subscription-plans/${id}/subscribe`, { ...customer, walletAddress: wallet });
    expect(subscribed).toMatchObject({ status: 200, body: { planId: id, walletAddress: wallet } });
  });

  test.for(['/v1/auth/sessions', '/v1/api-keys', '/v1/admin/merchants'])(
    'a key is told that %s is for people',
    async (target, { service }) => {
      const refused = errorOf(await sendSigned(service, key, { method: 'GET', target }));
      expect(refused).toMatchObject({ status: 401, reason: 'token_missing' });
      expect(refused).toMatchObject({ message: expect.stringMatching(/^API keys can not call this operation/) });
    },
  );
});

describe('that has ended', () => {
  test('refuses an expired key, and says so to its holder', async ({ service, merchant }) => {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const short = await createKey(service, merchant, { expiresAt });
    expect((await sendSigned(service, short, list)).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(errorOf(await sendSigned(service, short, list))).toMatchObject({
          status: 401,
          reason: 'api_key_invalid',
        }),
      { timeout: 60_000, interval: 100 },
    );
    expect((await sendSigned(service, short, post())).status).toBe(401);
    await service.runJob('api-keys.expire');
    const row = await service.db.selectFrom('api_keys').selectAll().where('id', '=', short.id).executeTakeFirst();
    expect(row).toMatchObject({ sealed_secret: null, revoked_at: expect.any(Date) });
  });

  test('refuses a deleted key at once, for reads and for changes', async ({ service, merchant }) => {
    const gone = await createKey(service, merchant);
    expect((await sendSigned(service, gone, list)).status).toBe(200);
    await service.send('DELETE', `/v1/api-keys/${gone.id}`, { token: merchant.token });
    expect(errorOf(await sendSigned(service, gone, list))).toMatchObject({ status: 401, reason: 'signature_invalid' });
    expect(errorOf(await sendSigned(service, gone, post()))).toMatchObject({ status: 401 });
  });

  test('refuses the keys of a terminated merchant, and all but reads with those of a frozen one', async ({
    service,
  }) => {
    const owner = await service.activeMerchant();
    const its = await createKey(service, owner);
    await service.decide(owner.id, { kind: 'freeze', reason: 'odd payments' });
    expect((await sendSigned(service, its, list)).status).toBe(200);
    expect(errorOf(await sendSigned(service, its, post()))).toMatchObject({
      status: 403,
      reason: 'merchant_not_active',
    });
    await service.decide(owner.id, { kind: 'terminate', reason: null });
    expect((await sendSigned(service, its, post())).status).toBe(401);
    await vi.waitFor(async () => expect((await sendSigned(service, its, list)).status).toBe(401), 60_000);
  });
});

test('accepts a key only from its addresses', async ({ service, merchant }) => {
  const [here, elsewhere] = [
    await createKey(service, merchant, { allowedIps: ['127.0.0.0/8'] }),
    await createKey(service, merchant, { allowedIps: ['203.0.113.0/24', '::1'] }),
  ];
  expect((await sendSigned(service, here, list)).status).toBe(200);
  const refusal = errorOf(await sendSigned(service, elsewhere, list));
  expect(refusal).toMatchObject({ status: 403, reason: 'address_not_allowed' });
});

test('records the last use to the minute, without delaying requests', async ({ service, merchant }) => {
  const used = await createKey(service, merchant);
  const lastUsedAt = async () => {
    const { body } = await service.send('GET', '/v1/api-keys', { token: merchant.token });
    return (body as { data: { id: string; lastUsedAt: string | null }[] }).data.find(({ id }) => id === used.id)
      ?.lastUsedAt;
  };
  expect(await lastUsedAt()).toBeNull();
  for (let i = 0; i < 5; i += 1) await sendSigned(service, used, list);
  await vi.waitFor(async () => expect(await lastUsedAt()).not.toBeNull(), 60_000);
  const first = await lastUsedAt();
  await sendSigned(service, used, list);
  expect(await lastUsedAt()).toBe(first);
});

test('names the key in the audit entries of what it changed', async ({ service, merchant }) => {
  const { body } = await sendSigned(service, key, post());
  const entry = await service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'metadata'])
    .where('resource_id', '=', (body as { sessionId: string }).sessionId)
    .executeTakeFirst();
  expect(entry).toMatchObject({ actor_type: 'merchant', actor_id: merchant.id, metadata: { apiKeyId: key.id } });
});
