import { expect } from 'vitest';
import { serviceTest, test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const QUARTER_MS = 15 * 60_000;

const limited = (merchant: TestMerchant, maxPayments: number) =>
  merchant.client.paymentLinks.create({ title: 'Seat', amount: 25, maxPayments, thankYou: 'Row 4.' });
const start = (service: TestService, slug: string) => service.client().public.paymentLinks.startPayment(slug, {});
const left = async (service: TestService, slug: string) => {
  const { paymentsLeft, paymentsOpen } = await service.client().public.paymentLinks.get(slug);
  return { paymentsLeft, paymentsOpen };
};
const SOLD_OUT = { status: 409, code: 'CONFLICT', reason: 'sold_out' };

test('money that comes after its place was given away is taken, and no more places are', async ({
  service,
  merchant,
}) => {
  const { id, slug } = await limited(merchant, 1);
  const slow = await start(service, slug);
  await expect(start(service, slug)).rejects.toMatchObject(SOLD_OUT);
  service.clock.advance(QUARTER_MS + 1000);
  await service.chain.mine(2);
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(slow.id)).toMatchObject({ status: 'expired' });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 1, paymentsOpen: 0 });
  const quick = await start(service, slug);
  await service.chain.transfer(quick, { amount: '25' });
  await service.chain.transfer(slow, { amount: '25' });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(slow.id)).toMatchObject({ status: 'paid', exception: 'late' });
  expect(await merchant.client.payments.get(quick.id)).toMatchObject({ status: 'paid', exception: null });
  expect(await merchant.client.paymentLinks.get(id)).toMatchObject({ paymentCount: 2, totalPaid: 50, maxPayments: 1 });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 0, paymentsOpen: 0 });
  await expect(start(service, slug)).rejects.toMatchObject({
    ...SOLD_OUT,
    message: 'This payment link takes 1 payment, and none is left. All of them are paid.',
  });
});

test('who has paid reads the thanks of when they started, and nobody before', async ({ service, merchant }) => {
  const { id, slug } = await limited(merchant, 5);
  const payment = await start(service, slug);
  expect(payment).toMatchObject({ thankYou: null, thankYouUrl: null });
  await merchant.client.paymentLinks.update(id, { thankYou: 'Row 5.' });
  await service.chain.transfer(payment, { amount: '25', confirmed: false });
  await service.runPaymentJobs();
  const confirming = await service.client().public.payments.get(payment.id);
  expect(confirming).toMatchObject({ status: 'confirming', thankYou: null });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 4, paymentsOpen: 1 });
  await service.chain.mine(2);
  await service.runPaymentJobs();
  expect(await service.client().public.payments.get(payment.id)).toMatchObject({ status: 'paid', thankYou: 'Row 4.' });
  expect(await left(service, slug)).toEqual({ paymentsLeft: 4, paymentsOpen: 0 });
});

test('a place is held for a quarter of an hour, and the payer, the page and the database say the same', async ({
  service,
  merchant,
}) => {
  const { slug } = await limited(merchant, 2);
  const payment = await start(service, slug);
  const ends = new Date(service.clock.now().getTime() + QUARTER_MS).toISOString();
  expect(payment.expiresAt).toBe(ends);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ expiresAt: ends });
  const { slug: free } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25 });
  expect((await start(service, free)).expiresAt > ends).toBe(true);
});

const strict = serviceTest({ env: { RATE_LIMITS: 'place_hold=3', TRUST_PROXY: '127.0.0.1' } });

strict('an address holds three places of a link, whatever it pays, and others get the rest', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const [seats, cups] = [await limited(merchant, 5), await limited(merchant, 5)];
  const post = (slug: string, ip: string) =>
    service.send('POST', `/v1/public/payment-links/by-slug/${slug}/payments`, {
      body: {},
      headers: { 'x-forwarded-for': ip },
    });
  for (let i = 0; i < 3; i += 1) expect(await post(seats.slug, '203.0.113.9')).toMatchObject({ status: 201 });
  const refused = await post(seats.slug, '203.0.113.9');
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  // Of five places three can be held for nine of fifteen minutes, so there the window is eighteen.
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(1080);
  expect(await left(service, seats.slug)).toEqual({ paymentsLeft: 2, paymentsOpen: 3 });
  expect(await post(cups.slug, '203.0.113.9'), 'of another link').toMatchObject({ status: 201 });
  expect(await post(seats.slug, '203.0.113.10'), 'of another address').toMatchObject({ status: 201 });
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25 });
  for (let i = 0; i < 5; i += 1)
    expect(await post(slug, '203.0.113.9'), 'without a limit').toMatchObject({ status: 201 });
});

strict('one address keeps no last place: it is free for others at least half of the time', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { slug } = await limited(merchant, 1);
  const post = (ip: string) =>
    service.send('POST', `/v1/public/payment-links/by-slug/${slug}/payments`, {
      body: {},
      headers: { 'x-forwarded-for': ip },
    });
  let held = 0;
  for (let quarter = 0; quarter < 24; quarter += 1) {
    const { status } = await post('203.0.113.20');
    if (status === 201) held += 1;
    service.clock.advance(QUARTER_MS + 1000);
    service.clock.advanceReal(QUARTER_MS + 1000);
    await service.chain.mine(2);
    await service.runPaymentJobs();
    expect(await left(service, slug)).toEqual({ paymentsLeft: 1, paymentsOpen: 0 });
  }
  // Before: all 24. At most one window more than those that six hours hold, cut at their edges.
  expect(held).toBeLessThanOrEqual(15);
  expect(held).toBeGreaterThanOrEqual(9);
});
