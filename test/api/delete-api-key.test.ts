import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('deletes a key with its secret for good, and announces it', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const { id } = await client.apiKeys.create({ name: 'Web shop' });
  expect(await client.apiKeys.delete(id)).toEqual({ message: 'API key revoked.' });
  await expect(client.apiKeys.delete(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const row = await service.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  expect(row).toMatchObject({ sealed_secret: null, revoked_at: expect.any(Date) });
  const events = await service.db
    .selectFrom('events')
    .select(['type', 'sequence'])
    .where('resource_id', '=', id)
    .execute();
  expect(events).toEqual([
    { type: 'api_key.created', sequence: 1 },
    { type: 'api_key.revoked', sequence: 2 },
  ]);
  const entry = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('resource_id', '=', id)
    .where('action', '=', 'api_key.delete')
    .executeTakeFirst();
  expect(entry?.metadata).toEqual({ keyName: 'Web shop' });
});

test('deletes once under twenty concurrent requests', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const { id } = await client.apiKeys.create({ name: 'Web shop' });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => client.apiKeys.delete(id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test("answers the same 404 for an unknown key and another merchant's", async ({ service }) => {
  const { client } = await service.activeMerchant();
  const other = await service.activeMerchant();
  const { id } = await other.client.apiKeys.create({ name: 'somebody else' });
  for (const wrong of [id, 'key_00000000000000000000000000', 'nonsense']) {
    await expect(client.apiKeys.delete(wrong)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
  expect((await other.client.apiKeys.list()).data).toHaveLength(1);
});

test("the database refuses to revive a revoked key or to change a key's identity", async ({ service }) => {
  const { client } = await service.activeMerchant();
  const [gone, kept] = [await client.apiKeys.create({ name: 'gone' }), await client.apiKeys.create({ name: 'kept' })];
  await client.apiKeys.delete(gone.id);
  const update = (id: string, values: object) =>
    service.db.updateTable('api_keys').set(values).where('id', '=', id).execute();
  await expect(update(gone.id, { revoked_at: null, sealed_secret: Buffer.alloc(1) })).rejects.toThrow('for good');
  await expect(update(kept.id, { permissions: ['webhooks:manage'] })).rejects.toThrow('never changes');
  await expect(update(kept.id, { sealed_secret: null })).rejects.toThrow('check constraint');
});
