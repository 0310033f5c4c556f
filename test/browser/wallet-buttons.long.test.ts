import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { DESK, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { arrived, publicPayment } from '../support/public-payment.ts';
import { customerWallet } from '../support/subscriptions.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(() => expect(server.errors).toEqual([]));
const payers = usePayers();

const wallet = (): InjectedWallet =>
  createInjectedWallet({ rpcUrl: 'http://127.0.0.1:1', account: customerWallet(), name: 'Fox' });
const button = (page: Page) => page.getByRole('button', { name: 'Pay with Fox' });
/** What becomes of an open payment while its merchant may not collect. */
const CLOSED = { merchantCollects: false, options: [], cryptoAddress: '', paymentUri: '' };
const path = `/checkout/payment/${publicPayment().id}`;

test.each(['wallet-words', 'pay-wallet', 'pay-signed'])(
  'a script of wallets that does not come is fetched again (%s)',
  async (name) => {
    server.put(publicPayment());
    const page = await payers.open(`${server.url}/checkout/brand/none.css`, DESK, [wallet()]);
    let lost = 0;
    await page.route(`**/assets/${name}*.js*`, (route) => {
      lost += 1;
      return lost === 1 ? route.abort() : route.continue();
    });
    await page.goto(`${server.url}${path}`);
    await button(page).waitFor();
    expect(lost).toBeGreaterThan(1);
    payers.takeComplaints();
  },
);

test('a page that was opened while its merchant could not collect has the buttons once it can', async () => {
  server.put(publicPayment(CLOSED));
  const page = await payers.open(`${server.url}${path}`, DESK, [wallet()]);
  await waitForHeading(page, 'This payment can no longer be made');
  server.put(publicPayment());
  await waitForHeading(page, 'Awaiting payment');
  await button(page).waitFor();
});

test('a wallet of several keeps the focus of the keyboard when the page is fetched anew', async () => {
  server.put(publicPayment());
  const [fox, bear] = ['Fox', 'Bear'].map((name) =>
    createInjectedWallet({ rpcUrl: 'http://127.0.0.1:1', account: customerWallet(), name }),
  );
  const page = await payers.open(`${server.url}${path}`, DESK, [fox!, bear!]);
  const second = page.getByRole('button', { name: 'Pay with Bear' });
  await second.focus();
  const later = new Date(Date.parse(publicPayment().expiresAt) + 60_000).toISOString();
  const version = await page.locator('#main').getAttribute('data-version');
  server.put(publicPayment({ expiresAt: later }));
  await page.locator(`#main:not([data-version="${version}"])`).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay with Bear');
});

test('what a wallet has sent is still shown when its merchant may not collect any more', async () => {
  server.put(publicPayment());
  const page = await payers.open(`${server.url}${path}`, DESK, [wallet()]);
  await button(page).waitFor();
  const hash = `0x${'1'.repeat(64)}`;
  await page.evaluate(`localStorage.setItem('kasi ' + document.getElementById('main').dataset.payment,
    JSON.stringify({ wallet: 'example.Fox', since: Date.now() - 100000, seen: '', hash: '${hash}' }))`);
  server.put(publicPayment(CLOSED));
  await waitForHeading(page, 'This payment can no longer be made');
  const sent = page.locator('#sent-hash', { hasText: hash });
  await sent.waitFor();
  await page.reload();
  await sent.waitFor();
  await page.locator('#hint', { hasText: 'Your wallet has sent it. This page goes on by itself' }).waitFor();
  expect(await button(page).count(), 'nothing is asked for').toBe(0);
  expect(await violations(page)).toEqual([]);
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/closed-sent-desk.png` });
  server.put(publicPayment({ ...arrived(15, 1), status: 'confirming' }));
  await waitForHeading(page, 'Payment received, confirming');
  expect(await page.evaluate('localStorage.length'), 'the page shows it by now').toBe(0);
});

test('a page without anything to pay hears, too, that its merchant may not collect any more', async () => {
  const over = { ...publicPayment(), status: 'expired', linkSlug: 'spring-workshop' } as const;
  server.put(over);
  const page = await payers.open(`${server.url}${path}`, DESK);
  const again = page.getByRole('link', { name: 'Start again' });
  await again.waitFor();
  server.put({ ...over, merchantCollects: false });
  await again.waitFor({ state: 'detached' });
});
