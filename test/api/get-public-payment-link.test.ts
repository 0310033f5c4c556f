import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const test = base.extend('merchant', { scope: 'file' }, ({ service }) =>
  service.activeMerchant({ businessName: 'Colombo Spices' }),
);

const read = (service: TestService, slug: string) => service.client().public.paymentLinks.get(slug);
const soon = (service: TestService) => new Date(service.clock.now().getTime() + 60_000).toISOString();

test('shows a payer what is sold and by whom, but nothing of what was collected', async ({ service, merchant }) => {
  const expiresAt = soon(service);
  const link = await merchant.client.paymentLinks.create({
    title: 'Cinnamon',
    description: 'A hundred grams',
    amount: 12.34,
    acceptedTokens: ['USDT', 'BTC'],
    slug: 'cinnamon',
    expiresAt,
  });
  expect(await read(service, 'cinnamon')).toEqual({
    id: link.id,
    title: 'Cinnamon',
    description: 'A hundred grams',
    amount: 12.34,
    currency: 'USD',
    payerAmount: null,
    items: [],
    acceptedTokens: ['USDT', 'BTC'],
    slug: 'cinnamon',
    url: link.url,
    merchantName: 'Colombo Spices',
    merchantBrand: { color: null, logoUrl: null },
    embedOrigins: [],
    status: 'active',
    expiresAt,
    livemode: false,
  });
});

test('answers 410 for an expired link, as soon as the clock says so', async ({ service, merchant }) => {
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Short', amount: 1, expiresAt: soon(service) });
  service.clock.advance(59_999);
  expect(await read(service, slug)).toMatchObject({ status: 'active' });
  service.clock.advance(1);
  await expect(read(service, slug)).rejects.toMatchObject({
    status: 410,
    code: 'EXPIRED',
    message: 'This payment link has expired.',
  });
});

test('names being disabled as the reason, also for a link that expired too', async ({ service, merchant }) => {
  const { id, slug } = await merchant.client.paymentLinks.create({ title: 'Off', amount: 1, expiresAt: soon(service) });
  await merchant.client.paymentLinks.update(id, { status: 'disabled' });
  const disabled = { status: 410, code: 'DISABLED' };
  await expect(read(service, slug)).rejects.toMatchObject(disabled);
  service.clock.advance(60_000);
  await expect(read(service, slug)).rejects.toMatchObject(disabled);
});

test.for(['no-such-link', 'NO-SUCH-LINK', '%20', "'", '%F0%9F%98%80', 'x'.repeat(90)])(
  'answers 404 for %s',
  async (slug, { service }) => {
    expect(await service.send('GET', `/v1/public/payment-links/by-slug/${slug}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
  },
);
