import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';

test('shows a rejected merchant the reason, stops it, and puts it up for review again once its profile changes', async ({
  service,
}) => {
  const admin = await service.admin(['merchants.reject']);
  const { id, client } = await service.registerMerchant();
  const reason = 'The certificate is not readable.';
  expect(await admin.client.merchants.reject(id, { reason: ` ${reason} ` })).toEqual({
    id,
    status: 'rejected',
    message: 'The merchant is rejected. It can change its profile to ask for another review.',
  });
  expect(await client.merchants.get(id)).toMatchObject({ status: 'rejected', statusReason: reason });
  await expect(client.paymentLinks.create({ title: 'Workshop', amount: 25 })).rejects.toMatchObject({
    reason: 'merchant_not_active',
  });
  expect((await auditOf(service, id, 'merchant.reject')).at(-1)).toMatchObject({
    action: 'merchant.reject',
    actor_id: admin.id,
    merchant_id: id,
    metadata: { previousStatus: 'pending_verification', newStatus: 'rejected', reason },
  });
  const changed = await client.merchants.update(id, { businessName: 'Ceylon Tea House Ltd' });
  expect(changed).toMatchObject({ status: 'pending_verification', statusReason: null });
});

test('needs a reason, the right status and the permission', async ({ service }) => {
  const { client, token } = await service.admin();
  const { id } = await service.registerMerchant();
  const active = await service.activeMerchant();
  await expect(client.merchants.reject(id, { reason: '  ' })).rejects.toMatchObject({
    status: 400,
    fields: [expect.objectContaining({ path: 'reason' })],
  });
  expect(await service.send('POST', `/v1/admin/merchants/${id}/reject`, { token, body: {} })).toMatchObject({
    status: 400,
  });
  await expect(client.merchants.reject(active.id, { reason: 'no' })).rejects.toMatchObject({ status: 409 });
  await expect(client.merchants.reject('mer_1', { reason: 'no' })).rejects.toMatchObject({ status: 404 });
  const other = await service.admin(['merchants.approve']);
  await expect(other.client.merchants.reject(id, { reason: 'no' })).rejects.toMatchObject({ status: 403 });
});

test('happens once per idempotency key, and refuses another request under the same key', async ({ service }) => {
  const { token } = await service.admin();
  const { id } = await service.registerMerchant();
  const reject = (reason: string) =>
    service.send('POST', `/v1/admin/merchants/${id}/reject`, {
      ...{ token, body: { reason }, headers: { 'idempotency-key': 'reject-1' } },
    });
  const statuses = [(await reject('no')).status, (await reject('no')).status, (await reject('other')).status];
  expect(statuses).toEqual([200, 200, 422]);
});
