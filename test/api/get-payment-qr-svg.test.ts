import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const create = () => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const svg = (id: string) => service.client().public.payments.qrSvg(id);

test('it is an image without scripts, and another one for another payment', async () => {
  const [first, second] = [await svg((await create()).id), await svg((await create()).id)];
  for (const image of [first, second]) {
    expect(image).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(image).not.toMatch(/<script|href|on\w+=/i);
  }
  expect(first).not.toBe(second);
});

test('it may be shown on other sites and is kept nowhere', async () => {
  const { id } = await create();
  const { headers } = await service.send('GET', `/v1/public/payments/${id}/qr.svg`);
  expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('there is none of an unknown payment', async () => {
  await expect(svg('pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
