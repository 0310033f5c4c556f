import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const read = (service: TestService, id: string) => service.client().public.merchants.webhookKeys(id);

test("shows anyone a merchant's keys as a JWKS, the same that the merchant sees", async ({ service }) => {
  const merchant = await service.registerMerchant();
  const { keys } = await read(service, merchant.id);
  expect(keys).toEqual([
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      kid: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      use: 'sig',
      alg: 'EdDSA',
    },
  ]);
  const [own] = (await merchant.client.webhooks.keys.list()).data;
  expect(own?.publicKey).toBe(`whpk_${Buffer.from(keys[0]?.x ?? '', 'base64url').toString('base64')}`);
});

test('may be cached for five minutes', async ({ service }) => {
  const { id } = await service.registerMerchant();
  const { headers } = await service.send('GET', `/v1/public/merchants/${id}/webhook-keys`);
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});

test('answers 404 for an unknown merchant', async ({ service }) => {
  await expect(read(service, 'mer_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
