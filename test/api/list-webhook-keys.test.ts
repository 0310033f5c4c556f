import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows only the public part of a key that each merchant has from the start', async ({ service }) => {
  const [first, second] = [await service.registerMerchant(), await service.registerMerchant()];
  const { data } = await first.client.webhooks.keys.list();
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^whk_/),
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt: null,
    },
  ]);
  // A key belongs to real time, as its signatures do.
  expect(Math.abs(Date.parse(data[0]?.createdAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect((await second.client.webhooks.keys.list()).data[0]?.publicKey).not.toBe(data[0]?.publicKey);
  const { sealed_seed: sealed } = await service.db
    .selectFrom('webhook_keys')
    .select('sealed_seed')
    .where('merchant_id', '=', first.id)
    .executeTakeFirstOrThrow();
  expect(sealed.length).toBeGreaterThan(32);
});

test('answers 401 without a token', async ({ service }) => {
  expect((await service.send('GET', '/v1/webhooks/keys')).status).toBe(401);
});
