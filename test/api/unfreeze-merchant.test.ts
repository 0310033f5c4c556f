import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { auditOf } from '../support/audit.ts';

const frozen = async (service: TestService) => {
  const merchant = await service.activeMerchant();
  await service.decide(merchant.id, { kind: 'freeze', reason: 'odd payments' });
  return merchant;
};

test('restores a merchant, and audits the reason, which is optional', async ({ service }) => {
  const admin = await service.admin(['merchants.freeze']);
  const [one, other] = [await frozen(service), await frozen(service)];
  const reason = 'All disputes are settled.';
  expect(await admin.client.merchants.unfreeze(one.id, { reason })).toEqual({
    id: one.id,
    status: 'active',
    message: 'The merchant is active again.',
  });
  expect(await one.client.merchants.get(one.id)).toMatchObject({ status: 'active', statusReason: null });
  expect(await one.client.payments.create({ amount: 25, currency: 'USD' })).toMatchObject({ status: 'initiated' });
  const change = { previousStatus: 'frozen', newStatus: 'active' };
  expect((await auditOf(service, one.id, 'merchant.unfreeze')).at(-1)).toMatchObject({
    action: 'merchant.unfreeze',
    metadata: { ...change, reason },
  });
  await admin.client.merchants.unfreeze(other.id, {});
  expect((await auditOf(service, other.id, 'merchant.unfreeze')).at(-1)?.metadata).toEqual(change);
});

test('takes no body; refuses a blank reason, another status and another permission', async ({ service }) => {
  const { client, token } = await service.admin();
  const { id } = await frozen(service);
  const unfreeze = (sent: object) => service.send('POST', `/v1/admin/merchants/${id}/unfreeze`, { token, ...sent });
  expect((await unfreeze({ body: { reason: ' ' } })).status).toBe(400);
  const other = await service.admin(['merchants.approve']);
  await expect(other.client.merchants.unfreeze(id, {})).rejects.toMatchObject({ status: 403 });
  expect((await unfreeze({})).status).toBe(200);
  expect((await unfreeze({})).status).toBe(409);
  await expect(client.merchants.unfreeze('mer_1', {})).rejects.toMatchObject({ status: 404 });
});

test('happens once per idempotency key, and refuses another request under the same key', async ({ service }) => {
  const { token } = await service.admin();
  const { id } = await frozen(service);
  const unfreeze = (body?: object) =>
    service.send('POST', `/v1/admin/merchants/${id}/unfreeze`, {
      ...{ token, headers: { 'idempotency-key': 'unfreeze-1' } },
      ...(body && { body }),
    });
  const statuses = [(await unfreeze()).status, (await unfreeze()).status, (await unfreeze({ reason: 'other' })).status];
  expect(statuses).toEqual([200, 200, 422]);
});
