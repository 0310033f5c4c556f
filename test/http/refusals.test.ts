import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const entries = (merchantId: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'resource_type', 'resource_id', 'ip_address', 'metadata'])
    .where('merchant_id', '=', merchantId)
    .where('action', '=', 'permission.refuse')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

test('a refused permission is in the audit log of whoever was refused, reads and changes alike', async () => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  expect((await service.send('GET', `/v1/merchants/${other.id}`, { token: merchant.token })).status).toBe(403);
  service.clock.advanceReal(1000);
  await service.decide(merchant.id, { kind: 'reject', reason: 'no papers' });
  const link = { title: 'Tea', amount: 5 };
  expect((await service.send('POST', '/v1/payment-links', { token: merchant.token, body: link })).status).toBe(403);
  const who = { actor_type: 'merchant', actor_id: merchant.id, resource_type: 'permission', ip_address: '127.0.0.1' };
  expect(await entries(merchant.id)).toEqual([
    { ...who, resource_id: other.id, metadata: { operation: 'getMerchant', reason: 'not_owner' } },
    { ...who, resource_id: '', metadata: { operation: 'createPaymentLink', reason: 'merchant_not_active' } },
  ]);
  expect(await entries(other.id)).toEqual([]);
});

test('whoever tries on and on fills no log: one entry a second', async () => {
  const merchant = await service.registerMerchant();
  service.clock.advanceReal(1000 - (service.clock.real().getTime() % 1000));
  const tries = Array.from({ length: 30 }, () => service.send('GET', '/v1/merchants/me', { token: merchant.token }));
  for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
  expect((await entries(merchant.id)).length).toBeLessThanOrEqual(2);
});

test('what is refused for other reasons is no entry', async () => {
  const merchant = await service.registerMerchant();
  expect((await service.send('GET', '/v1/merchants/me', { token: 'not.a.token' })).status).toBe(401);
  expect((await service.send('GET', '/v1/payments/pay_none', { token: merchant.token })).status).toBe(404);
  expect(await entries(merchant.id)).toEqual([]);
});
