import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';

test('approves a pending merchant, announces it, and audits who did it', async ({ service }) => {
  const admin = await service.admin(['merchants.approve']);
  const merchant = await service.registerMerchant();
  service.clock.advance(1000);
  const { id } = merchant;
  expect(await admin.client.merchants.approve(id)).toEqual({
    id,
    status: 'active',
    message: 'The merchant is approved.',
  });
  expect(await merchant.client.merchants.get(id)).toMatchObject({
    status: 'active',
    statusReason: null,
    updatedAt: service.clock.now().toISOString(),
  });
  const entry = (await auditOf(service, id, 'merchant.approve')).at(-1);
  expect(entry).toEqual({
    actor_type: 'admin',
    actor_id: admin.id,
    action: 'merchant.approve',
    resource_type: 'merchant',
    merchant_id: id,
    metadata: { previousStatus: 'pending_verification', newStatus: 'active' },
  });
  const events = await service.db.selectFrom('events').select('type').where('resource_id', '=', id).execute();
  expect(events).toEqual([{ type: 'merchant.status_changed' }]);
});

test('approves only a pending merchant, and answers 404 for an unknown one', async ({ service }) => {
  const { client, token } = await service.admin();
  const { id } = await service.activeMerchant();
  await expect(client.merchants.approve(id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: expect.stringContaining('active'),
  });
  await expect(client.merchants.approve('mer_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
  const headers = { 'idempotency-key': 'k'.repeat(256) };
  expect(await service.send('POST', `/v1/admin/merchants/${id}/approve`, { token, headers })).toMatchObject({
    status: 400,
  });
});

test('lets one of twenty concurrent approvals through', async ({ service }) => {
  const { client } = await service.admin();
  const { id } = await service.registerMerchant();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => client.merchants.approve(id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'CONFLICT' });
  }
});

test('happens once per idempotency key, and refuses another request under the same key', async ({ service }) => {
  const { token } = await service.admin();
  const [first, other] = [await service.registerMerchant(), await service.registerMerchant()];
  const approve = (id: string) =>
    service.send('POST', `/v1/admin/merchants/${id}/approve`, { token, headers: { 'idempotency-key': 'approve-1' } });
  const answers = [await approve(first.id), await approve(first.id)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
  expect((await approve(other.id)).status).toBe(422);
});

test('refuses callers with other permissions', async ({ service }) => {
  const { id } = await service.registerMerchant();
  const { client } = await service.admin(['merchants.view', 'merchants.reject', 'merchants.freeze']);
  await expect(client.merchants.approve(id)).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});
