import { expect } from 'vitest';
import { test } from '../fixture.ts';

test("lists the merchant's valid keys, newest first, without secrets", async ({ service }) => {
  const { client } = await service.activeMerchant();
  const other = await service.activeMerchant();
  await other.client.apiKeys.create({ name: 'somebody else' });
  const [first, gone, last] = [
    await client.apiKeys.create({ name: 'first' }),
    await client.apiKeys.create({ name: 'gone' }),
    await client.apiKeys.create({ name: 'last' }),
  ];
  await client.apiKeys.delete(gone.id);
  const { data } = await client.apiKeys.list();
  expect(data.map(({ id }) => id)).toEqual([last.id, first.id]);
  for (const key of data) expect(Object.keys(key)).not.toContain('apiSecret');
});

test('hides an expired key, even before its row is deleted', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const key = await client.apiKeys.create({ name: 'short', expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect((await client.apiKeys.list()).data).toHaveLength(1);
  await service.db
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', key.id)
    .execute();
  expect((await client.apiKeys.list()).data).toEqual([]);
  service.clock.advance(1000);
  await service.runJob('api-keys.expire');
  await service.runJob('api-keys.expire');
  const events = await service.db.selectFrom('events').select('type').where('resource_id', '=', key.id).execute();
  expect(events.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked']);
  const { data } = await client.auditLogs.list({ resourceType: 'api_key' });
  expect(data).toMatchObject([
    {
      actorType: 'system',
      actorId: 'api-keys',
      action: 'api_key.expire',
      resourceId: key.id,
      metadata: { keyName: 'short' },
    },
    { action: 'api_key.create' },
  ]);
});
