import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const svg = (service: TestService, id: string) => service.client().public.payments.qrSvg(id);

test('is an image without scripts, different for each payment', async ({ service, merchant }) => {
  const [first, second] = [
    await svg(service, (await create(merchant)).id),
    await svg(service, (await create(merchant)).id),
  ];
  for (const image of [first, second]) {
    expect(image).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(image).not.toMatch(/<script|href|on\w+=/i);
  }
  expect(first).not.toBe(second);
});

test('may be embedded by other sites and is never cached', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const { headers } = await service.send('GET', `/v1/public/payments/${id}/qr.svg`);
  expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('answers 404 for an unknown payment', async ({ service }) => {
  await expect(svg(service, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
