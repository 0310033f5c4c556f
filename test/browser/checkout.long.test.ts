import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { isMarked, mark, PHONE, SHOP, usePayers, waitForHeading } from '../support/payers.ts';

const SESSION = { currency: 'LKR', successUrl: `${SHOP}/thanks?order=7`, cancelUrl: `${SHOP}/cart` } as const;

let kasi: KasiProcess;
let merchant: Client;
const payers = usePayers();

beforeAll(async () => {
  kasi = await startKasi();
  merchant = createClient({ baseUrl: kasi.url, ...kasi.demo });
});
afterAll(() => kasi.stop());

test('a payer opens a link, selects a token and pays from a wallet, and the merchant has the money', async () => {
  const before = await merchant.settlements.balance();
  const page = await payers.open(`${kasi.url}/checkout/pay/demo`, PHONE);
  await page.getByText('No real money moves here').waitFor();
  await page.getByLabel('E-mail').fill('nimal@example.org');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await waitForHeading(page, 'Awaiting payment');
  await mark(page);
  const codeWidth = (): Promise<unknown> => page.evaluate("document.querySelector('.code img').naturalWidth");
  await expect.poll(codeWidth, { message: 'the QR code is an image that loads' }).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'USDC' }).click();
  await page.locator('#send-amount', { hasText: '25.00 USDC' }).waitFor();
  await page.getByRole('button', { name: 'Pay with sandbox wallet' }).click();
  await waitForHeading(page, 'Payment complete');
  expect(await isMarked(page)).toBe(true);
  expect(await page.title()).toBe('Paid · USD 25.00 to Kasi Demo Store');

  const [id = ''] = /pay_[0-9a-z]+/.exec(page.url()) ?? [];
  expect(await merchant.payments.get(id)).toMatchObject({
    status: 'paid',
    token: 'USDC',
    customerEmail: 'nimal@example.org',
  });
  const { availableBalance } = await merchant.settlements.balance();
  expect(availableBalance - before.availableBalance).toBeCloseTo(25, 2);
});

test('a session is underpaid, then completed, confirmed block by block, and leads back to the shop', async () => {
  const { sessionId, checkoutUrl } = await merchant.checkout.sessions.create({ amount: 4500, ...SESSION });
  const { paymentId } = await merchant.public.checkout.sessions.get(sessionId);
  const page = await payers.open(checkoutUrl, PHONE);
  await mark(page);
  expect(await page.locator('h1').textContent()).toBe('Pay LKR 4,500.00');
  const uri = await page.locator('#wallet').getAttribute('href');
  expect(uri).toMatch(/^ethereum:0x[0-9a-f]{40}@31337\/transfer\?address=0x[0-9a-fA-F]{40}&uint256=15000000$/);

  await merchant.sandbox.payments.pay(paymentId, { amount: '10' });
  await waitForHeading(page, '5.00 USDT still missing');
  expect(await page.locator('#telling').textContent()).toContain('LKR 3,000.00 of LKR 4,500.00 has arrived.');
  expect(await page.locator('#wallet').getAttribute('href')).toBe(uri?.replace(/15000000$/, '5000000'));

  await merchant.sandbox.payments.pay(paymentId, { confirm: false });
  await waitForHeading(page, 'Payment received');
  await merchant.sandbox.chain.mine({ blocks: 2 });
  await waitForHeading(page, 'Payment complete');
  expect(await isMarked(page)).toBe(true);
  await page.locator('#return').click();
  await page.waitForURL(`${SHOP}/thanks?order=7&session_id=${sessionId}`);
  expect(await merchant.checkout.sessions.get(sessionId)).toMatchObject({ status: 'completed' });
});

test('the page shows a cancellation by the merchant at once', async () => {
  const { sessionId, checkoutUrl } = await merchant.checkout.sessions.create({ amount: 100, ...SESSION });
  const page = await payers.open(checkoutUrl, PHONE);
  await waitForHeading(page, 'Awaiting payment');
  await merchant.checkout.sessions.expire(sessionId);
  await waitForHeading(page, 'This payment was cancelled');
  await page.getByRole('link', { name: 'Back to Kasi Demo Store' }).click();
  await page.waitForURL(`${SHOP}/cart?session_id=${sessionId}`);
});

test('a disabled, an expired and an unknown link each have their own page', async () => {
  const link = await merchant.paymentLinks.create({ title: 'Tea', amount: 5, currency: 'USD' });
  const page = await payers.open(link.url, PHONE);
  await page.getByRole('heading', { name: 'Pay USD 5.00' }).waitFor();
  await merchant.paymentLinks.update(link.id, { status: 'disabled' });
  expect((await page.reload())?.status()).toBe(410);
  await waitForHeading(page, 'This link is switched off');
  await merchant.paymentLinks.delete(link.id);
  expect((await page.reload())?.status()).toBe(404);
  await waitForHeading(page, 'There is no such link');
});

test('after the deadline the page says so, and a new payment can be started from the same link', async () => {
  const page = await payers.open(`${kasi.url}/checkout/pay/demo`, PHONE);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await waitForHeading(page, 'Awaiting payment');
  await merchant.sandbox.clock.advance({ seconds: 61 * 60 });
  await waitForHeading(page, 'This payment has expired');
  await page.getByRole('link', { name: 'Start again' }).click();
  await page.waitForURL(`${kasi.url}/checkout/pay/demo`);
});
