import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createInjectedWallet } from '../support/injected-wallet.ts';
import { DESK, PHONE, violations } from '../support/payers.ts';
import {
  type EmbedStage,
  focusIn,
  frameOf,
  heard,
  hears,
  openEmbedStage,
  pageIn,
  shoot,
  waitIn,
} from './embed-stage.ts';

let stage: EmbedStage;
beforeAll(async () => {
  stage = await openEmbedStage();
});
afterAll(() => stage.close());
afterEach(async () => {
  expect(await stage.leave(), 'no console messages, no third-party requests').toEqual([]);
});

test.each([
  ['phone', 'light', PHONE],
  ['phone', 'dark', PHONE],
  ['desk', 'light', DESK],
  ['desk', 'dark', DESK],
] as const)(
  'on a %s, %s, a shop is told what became of a session, and gets its payer back',
  async (name, scheme, size) => {
    const { sessionId, paymentId } = await stage.newSession();
    const page = await stage.openShop(`session="${sessionId}"`, {
      ...size,
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    await page.getByRole('link', { name: 'Pay' }).click();
    await page.getByRole('dialog', { name: 'Checkout' }).waitFor();
    await waitIn(page, 'Awaiting payment');
    expect(new URL(page.url()).origin, 'the shop stays').toBe(stage.shop.origin);
    const dialog = await page.locator('kasi-checkout dialog').boundingBox();
    if (name === 'phone') expect(dialog).toEqual({ x: 0, y: 0, ...PHONE.viewport });
    else expect(dialog?.width).toBe(480);
    expect(await pageIn(page).evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shoot(page, `${name}-${scheme}-open`);
    expect(await violations(page)).toEqual([]);
    expect(await violations(pageIn(page))).toEqual([]);

    await frameOf(page).getByRole('button', { name: 'Pay with sandbox wallet' }).click();
    await waitIn(page, 'Payment complete');
    await hears(page, 'kasi-paid');
    const facts = { paymentId, sessionId };
    expect(await heard(page)).toEqual([
      { type: 'kasi-ready', detail: { ...facts, status: 'initiated' } },
      { type: 'kasi-paid', detail: { ...facts, status: 'paid' } },
    ]);
    await shoot(page, `${name}-${scheme}-paid`);
    expect(await violations(pageIn(page))).toEqual([]);
    expect(await frameOf(page).getByRole('link', { name: 'Your receipt' }).getAttribute('target')).toBe('_blank');

    const returns = page.evaluate(
      "new Promise((heard) => addEventListener('kasi-return', (e) => heard(e.detail.url)))",
    );
    await frameOf(page).getByRole('link', { name: 'Back to Kasi Demo Store' }).click();
    const url = `${stage.shop.origin}/thanks?session_id=${sessionId}`;
    expect(await returns.catch(() => url)).toBe(url);
    await page.waitForURL(url);
  },
);

test('a shop that keeps its payer on the page hears where they would have gone, and the dialog closes', async () => {
  const { sessionId, paymentId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`);
  await page.evaluate("addEventListener('kasi-return', (event) => event.preventDefault())");
  await page.evaluate("document.querySelector('kasi-checkout').open()");
  await waitIn(page, 'Awaiting payment');
  await frameOf(page).getByRole('link', { name: 'Cancel and return' }).click();
  await hears(page, 'kasi-closed');
  const facts = { paymentId, sessionId, status: 'initiated' };
  const url = `${stage.shop.origin}/cart?session_id=${sessionId}`;
  expect((await heard(page)).slice(1)).toEqual([
    { type: 'kasi-return', detail: { ...facts, url } },
    { type: 'kasi-closed', detail: facts },
  ]);
  expect(page.url()).toBe(`${stage.shop.origin}/`);
  expect(await page.locator('iframe').count()).toBe(0);
});

test('by keyboard alone it opens, is read, and closes from inside and outside the frame; the focus returns', async () => {
  const { sessionId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`);
  const isOpen = (): Promise<boolean> => page.locator('kasi-checkout dialog').isVisible();
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
  await page.evaluate('scrollTo(0, 200)');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitIn(page, 'Awaiting payment');
  await expect.poll(() => focusIn(page)).toBe('IFRAME Checkout');
  expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).toBe('hidden');
  await page.keyboard.press('Tab');
  await expect.poll(() => pageIn(page).evaluate('document.activeElement.name')).toBe('option');
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  await expect.poll(focused).toBe('Pay');
  expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).toBe('visible');

  await page.keyboard.press('Enter');
  await waitIn(page, 'Awaiting payment');
  await expect.poll(() => focusIn(page)).toBe('IFRAME Checkout');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => focusIn(page)).toBe('BUTTON Close');
  await page.keyboard.press('Escape');
  await expect.poll(isOpen).toBe(false);
  await expect.poll(focused).toBe('Pay');

  await page.keyboard.press('Enter');
  await waitIn(page, 'Awaiting payment');
  await expect.poll(() => focusIn(page)).toBe('IFRAME Checkout');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => focusIn(page)).toBe('BUTTON Close');
  await page.keyboard.press('Enter');
  await expect.poll(isOpen).toBe(false);
  await expect.poll(focused).toBe('Pay');
  expect((await heard(page)).map(({ type }) => type)).toEqual([1, 2, 3].flatMap(() => ['kasi-ready', 'kasi-closed']));
  await page.evaluate("document.querySelector('kasi-checkout').open()");
  await waitIn(page, 'Awaiting payment');
  await page.evaluate("document.querySelector('kasi-checkout').remove()");
  expect(await page.evaluate('document.documentElement.style.overflow'), 'a removed one lets go').toBe('');
});

test('who opens it again at once has it open, whatever event of the one before is still to come', async () => {
  const { sessionId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`);
  await page.evaluate(`{
    const checkout = document.querySelector('kasi-checkout');
    checkout.open();
    checkout.close();
    checkout.open();
    checkout.shadowRoot.querySelector('dialog').close();
    checkout.open();
    checkout.open();
  }`);
  await waitIn(page, 'Awaiting payment');
  expect(await page.locator('kasi-checkout dialog').count()).toBe(1);
  await hears(page, 'kasi-ready');
  expect((await heard(page)).map(({ type }) => type)).toEqual(['kasi-closed', 'kasi-closed', 'kasi-ready']);
});

test('a link keeps language and time zone from page to page where cookies are blocked, and asks for nothing twice', async () => {
  const options = { ...PHONE, timezoneId: 'Asia/Colombo', locale: 'en-GB' };
  const page = await stage.openShop('link="demo" lang="ta"', options);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.getByRole('link', { name: 'Pay' }).click();
  await frameOf(page).getByRole('button', { name: 'கொடுப்பனவுக்குத் தொடருங்கள்' }).click();
  await waitIn(page, 'கொடுப்பனவுக்காகக் காத்திருக்கிறோம்');
  const own = pageIn(page);
  expect(await own.evaluate('document.documentElement.lang')).toBe('ta');
  expect(await own.evaluate('document.documentElement.dataset.zone')).toMatch(/^Asia\/Colombo$/);
  expect(await own.evaluate('document.cookie'), 'this browser keeps none for a frame of another site').toBe('');
  await page.waitForTimeout(1500);
  const pages = requests.filter((each) => /^\w+ \/checkout\/(pay|payment)\//.test(each));
  expect(pages.map((each) => each.replace(/pay_\w+/, 'pay_'))).toEqual([
    ...['GET /checkout/pay/demo', 'POST /checkout/pay/demo', 'GET /checkout/payment/pay_'],
  ]);
  await frameOf(page).getByRole('link', { name: 'Español' }).click();
  await waitIn(page, 'Esperando el pago');
  await frameOf(page).getByRole('button', { name: 'USDC' }).click();
  await frameOf(page).locator('#send-amount', { hasText: 'USDC' }).waitFor();
  expect(await own.evaluate('document.documentElement.lang')).toBe('es');
  await frameOf(page).locator('#sandbox-pay').click();
  await waitIn(page, 'Pago completado');
  await hears(page, 'kasi-paid');
  const told = (await heard(page)).filter(({ type }) => type === 'kasi-paid');
  expect(told).toEqual([
    { type: 'kasi-paid', detail: { paymentId: expect.stringMatching(/^pay_/), sessionId: null, status: 'paid' } },
  ]);
});

const wallet = async () =>
  createInjectedWallet({
    ...{ rpcUrl: await stage.rpcUrl(), name: 'Fox' },
    account: deriveAccounts(MNEMONIC)(3),
  });

test('a wallet that reaches into the frame pays there, on the chain', async () => {
  const { sessionId, paymentId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`, DESK, { wallets: [await wallet()] });
  await page.getByRole('link', { name: 'Pay' }).click();
  await frameOf(page).getByRole('button', { name: /^ETH/ }).click();
  await frameOf(page).locator('#send-amount', { hasText: 'ETH' }).waitFor();
  await page.waitForTimeout(1500);
  expect(await frameOf(page).locator('#window').isVisible(), 'nobody needs a window').toBe(false);
  await frameOf(page).getByRole('button', { name: 'Pay with Fox' }).click();
  await waitIn(page, 'Payment complete');
  expect(await stage.merchant.payments.get(paymentId)).toMatchObject({
    status: 'paid',
    transactions: [{ token: 'ETH' }],
  });
  await hears(page, 'kasi-paid');
});

test('where no wallet reaches into the frame, a window is offered, and the frame stays in step with it', async () => {
  const { sessionId } = await stage.newSession();
  const page = await stage.openShop(`session="${sessionId}"`);
  await page.getByRole('link', { name: 'Pay' }).click();
  const [own] = await Promise.all([
    page.context().waitForEvent('page'),
    frameOf(page).getByRole('link', { name: 'Open in a window' }).click(),
  ]);
  await own.getByRole('button', { name: 'Pay with sandbox wallet' }).waitFor();
  expect(await own.evaluate('opener')).toBeNull();
  expect(await own.locator('#window').count(), 'it is a page like every other').toBe(0);
  await own.getByRole('button', { name: 'Pay with sandbox wallet' }).click();
  await waitIn(page, 'Payment complete');
  await hears(page, 'kasi-paid');
});

test('what is over is told, and a payment may be named, too', async () => {
  const { id } = await stage.merchant.payments.create({ amount: 5, currency: 'USD' });
  const page = await stage.openShop(`payment="${id}"`, DESK, { origin: stage.shop.sister });
  await page.getByRole('link', { name: 'Pay' }).click();
  await waitIn(page, 'Awaiting payment');
  await stage.merchant.payments.cancel(id);
  await hears(page, 'kasi-expired');
  expect((await heard(page)).at(-1)).toEqual({
    ...{ type: 'kasi-expired', detail: { paymentId: id, sessionId: null, status: 'expired' } },
  });
});

test('without scripts the link inside the element leads to the page', async () => {
  const page = await stage.openShop('link="demo"', { ...DESK, javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Pay' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  expect(page.url()).toBe(`${stage.url}/checkout/pay/demo`);
});
