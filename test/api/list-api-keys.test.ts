import { sql } from 'kysely';
import { expect } from 'vitest';
import { apiKeyJobs } from '../../src/api-keys/jobs.ts';
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

test('keys that have expired are few, however fast a merchant makes them, and keep no others waiting', async ({
  service,
}) => {
  const { db } = service;
  const [hostile, other] = [await service.activeMerchant(), await service.activeMerchant()];
  const make = ({ client }: typeof other) =>
    client.apiKeys.create({ name: 'short', expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const unrevoked = async (merchantId?: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from api_keys where revoked_at is null
         and ${merchantId === undefined ? sql`expires_at <= now()` : sql`merchant_id = ${merchantId}`}`.execute(db);
    return rows[0]?.count;
  };
  const expire = () => sql`update api_keys set expires_at = now() - interval '1 hour'`.execute(db);
  for (let time = 0; time < 3; time += 1) {
    for (let made = 0; made < 20; made += 1) await make(hostile);
    await expire();
  }
  expect(await unrevoked(hostile.id)).toBe(20);

  await sql`
    insert into api_keys
    select row.* from generate_series(1, 10) n cross join api_keys old
     cross join lateral jsonb_populate_record(null::api_keys, to_jsonb(old) || jsonb_build_object(
       'id', old.id || n, 'api_key', 'pk_sandbox_' || md5(old.id || n))) row
     where old.merchant_id = ${hostile.id} and old.revoked_at is null`.execute(db);
  await make(other);
  await sql`update api_keys set expires_at = now() - interval '1 minute' where merchant_id = ${other.id}`.execute(db);
  await service.runJob('api-keys.expire');
  expect(await unrevoked()).toBe(0);
});

test('a key whose expiry fails keeps no other waiting, and has its turn again', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const keys = [await client.apiKeys.create({ name: 'fails' }), await client.apiKeys.create({ name: 'behind it' })];
  const ids = keys.map(({ id }) => id);
  const past = sql<Date>`now() - interval '1 minute' * (3 - array_position(${ids}::text[], id))`;
  await service.db.updateTable('api_keys').set({ expires_at: past }).where('id', 'in', ids).execute();
  const { platform } = service.service;
  const { events } = platform;
  const record: typeof events.record = (trx, draft, now) => {
    if (draft.resourceId === ids[0]) throw new Error('a fault');
    return events.record(trx, draft, now);
  };
  const logged: string[] = [];
  const log = (_: unknown, message: string) => void logged.push(message);
  const [job] = apiKeyJobs({ ...platform, events: { ...events, record }, forgetKey: () => undefined, log });
  await job?.run({ now: service.clock.now(), real: service.clock.real(), signal: new AbortController().signal });
  const expired = () =>
    service.db.selectFrom('api_keys').select('id').where('id', 'in', ids).where('revoked_at', 'is not', null).execute();
  expect(await expired()).toEqual([{ id: ids[1] }]);
  expect(logged).toEqual([`the expired API key ${ids[0]} could not be revoked`]);
  await service.runJob('api-keys.expire');
  expect(await expired()).toHaveLength(2);
});
