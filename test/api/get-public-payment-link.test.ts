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
    displayAmount: {
      amount: 3702,
      currency: 'LKR',
      rate: { value: '300', source: 'fixed', quotedAt: service.clock.now().toISOString() },
    },
    payerAmount: null,
    items: [],
    acceptedTokens: ['USDT', 'BTC'],
    slug: 'cinnamon',
    url: link.url,
    merchantName: 'Colombo Spices',
    merchantBrand: { color: null, logoUrl: null },
    merchantCollects: true,
    embedOrigins: [],
    ...{ customFields: [], maxPayments: null, paymentsLeft: null, paymentsOpen: null },
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

test("shows rupees by the platform's own rate, to the cent, and none by a rate that is none", async ({
  service,
  merchant,
}) => {
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Pepper', amount: 0.99 });
  await service.set({ manualRates: { 'USD/LKR': '301.4567' } });
  const { displayAmount } = await read(service, slug);
  expect(displayAmount).toMatchObject({ amount: 298.44, rate: { value: '301.4567', source: 'manual' } });
  await service.set({ manualRates: {} });
});

test('says what is left, and keeps what a payer reads afterwards to itself', async ({ service, merchant }) => {
  const { id, slug } = await merchant.client.paymentLinks.create({
    ...{ title: 'Cloves', amount: 5, maxPayments: 2, thankYou: 'The door code is 4711.' },
    ...{ thankYouUrl: 'https://shop.example/download' },
    customFields: [{ key: 'note', label: 'Note', kind: 'text', required: true }],
  });
  const shown = await read(service, slug);
  expect(shown).toMatchObject({ maxPayments: 2, paymentsLeft: 2, paymentsOpen: 0 });
  expect(shown.customFields).toMatchObject([{ key: 'note', kind: 'text', required: true, maxLength: 100 }]);
  expect(JSON.stringify(shown)).not.toMatch(/4711|download/);
  await service.client().public.paymentLinks.startPayment(slug, { customFields: { note: 'hello' } });
  expect(await read(service, slug)).toMatchObject({ paymentsLeft: 1, paymentsOpen: 1 });
  await merchant.client.paymentLinks.update(id, { maxPayments: 1 });
  expect(await read(service, slug)).toMatchObject({ paymentsLeft: 0, paymentsOpen: 1, status: 'active' });
});
