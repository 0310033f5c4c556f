import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';

const REASON = { reason: 'Many payers dispute what they bought.' };

test('stops a merchant at once, by session and by key; its earlier withdrawals cannot be paid', async ({ service }) => {
  const admin = await service.admin(['merchants.freeze']);
  const merchant = await service.activeMerchant();
  const { id, client } = merchant;
  const link = await client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  const key = await client.apiKeys.create({ name: 'Web shop' });
  const server = service.client({ apiKey: key.apiKey, apiSecret: key.apiSecret });
  expect(await admin.client.merchants.freeze(id, REASON)).toEqual({
    id,
    status: 'frozen',
    message: 'The merchant is frozen. It can log in and read, and nothing else.',
  });
  const refused = { status: 403, reason: 'merchant_not_active' };
  await expect(client.payments.create({ amount: 25, currency: 'USD' })).rejects.toMatchObject(refused);
  await expect(server.payments.create({ amount: 25, currency: 'USD' })).rejects.toMatchObject(refused);
  await expect(service.client().public.paymentLinks.startPayment(link.slug, {})).rejects.toMatchObject(refused);
  expect((await server.payments.list()).pagination.total).toBe(0);
  expect(await client.merchants.get(id)).toMatchObject({ status: 'frozen', statusReason: REASON.reason });
  expect((await auditOf(service, id, 'merchant.freeze')).at(-1)).toMatchObject({
    action: 'merchant.freeze',
    merchant_id: id,
    metadata: { previousStatus: 'active', newStatus: 'frozen', ...REASON },
  });
});

test('freezes only an active merchant, with a reason and the permission', async ({ service }) => {
  const { client, token } = await service.admin();
  const waiting = await service.registerMerchant();
  const { id } = await service.activeMerchant();
  await expect(client.merchants.freeze(waiting.id, REASON)).rejects.toMatchObject({ status: 409 });
  await expect(client.merchants.freeze('mer_1', REASON)).rejects.toMatchObject({ status: 404 });
  expect(await service.send('POST', `/v1/admin/merchants/${id}/freeze`, { token, body: {} })).toMatchObject({
    status: 400,
  });
  const other = await service.admin(['merchants.terminate']);
  await expect(other.client.merchants.freeze(id, REASON)).rejects.toMatchObject({ status: 403 });
});

test('happens once per idempotency key, and refuses another request under the same key', async ({ service }) => {
  const { token } = await service.admin();
  const { id } = await service.activeMerchant();
  const freeze = (reason: string) =>
    service.send('POST', `/v1/admin/merchants/${id}/freeze`, {
      ...{ token, body: { reason }, headers: { 'idempotency-key': 'freeze-1' } },
    });
  const statuses = [(await freeze('no')).status, (await freeze('no')).status, (await freeze('other')).status];
  expect(statuses).toEqual([200, 200, 422]);
});
