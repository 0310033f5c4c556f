import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { publicPlan } from '../support/customer-deps.ts';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { PHONE, usePayers, waitForHeading } from '../support/payers.ts';
import { arrived, publicPayment } from '../support/public-payment.ts';
import { customerWallet } from '../support/subscriptions.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(async () => {
  server.setStreaming(true);
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

const wallet = (): InjectedWallet =>
  createInjectedWallet({ rpcUrl: 'http://127.0.0.1:1', account: customerWallet(), name: 'Fox' });
/** The browser takes the page as it was left, as after its back button. */
const comeBack = (page: Page): Promise<unknown> =>
  page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");

test('a page that hangs when it is fetched again is given up, is said, and is fetched once more', async () => {
  const payment = publicPayment();
  server.put(payment);
  const path = `/checkout/payment/${payment.id}`;
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE);
  await page.clock.install();
  await page.goto(`${server.url}${path}`);
  await waitForHeading(page, 'Awaiting payment');
  let asked = 0;
  // Never answered, as behind a connection that is gone without anybody having said so.
  await page.route(`**${path}`, () => {
    asked += 1;
  });
  server.put(publicPayment({ ...arrived(10), status: 'pending' }));
  await expect.poll(() => asked).toBe(1);
  await page.clock.fastForward(21_000);
  await page.getByText('Connection lost').waitFor();
  await page.unroute(`**${path}`);
  await page.clock.fastForward(6_000);
  await waitForHeading(page, 'still missing');
  expect(await page.locator('#offline').isVisible()).toBe(false);
  payers.takeComplaints();
});

test('an older page that comes late does not undo what the payer has chosen since', async () => {
  const payment = publicPayment();
  server.put(payment);
  const path = `/checkout/payment/${payment.id}`;
  const page = await payers.open(`${server.url}${path}`, PHONE);
  await waitForHeading(page, 'Awaiting payment');
  const late: (() => Promise<void>)[] = [];
  await page.route(`**${path}`, async (route: Route) => {
    if (late.length > 0 || route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    late.push(() => route.fulfill({ response }));
  });
  await page.evaluate("dispatchEvent(new Event('online'))");
  await expect.poll(() => late.length).toBe(1);
  server.setStreaming(false);
  await page.getByRole('button', { name: /^USDC/ }).click();
  await page.locator('#send-amount', { hasText: 'USDC' }).waitFor();
  await page.evaluate(`(() => {
    window.shown = [];
    new MutationObserver(() => window.shown.push(document.getElementById('send-amount')?.textContent))
      .observe(document.body, { childList: true, subtree: true });
  })()`);
  const again = page.waitForResponse((response) => response.url().endsWith(path));
  await late[0]?.();
  await again;
  await page.waitForResponse((response) => response.url().endsWith(path));
  expect(await page.evaluate('window.shown.filter((text) => !text.includes("USDC"))')).toEqual([]);
});

test('a form that its sender stopped can be sent again', async () => {
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE);
  await page.clock.install();
  await page.goto(`${server.url}/checkout/pay/donation`);
  await page.locator('#amount').fill('40');
  let asked = 0;
  await page.route('**/checkout/pay/donation', (route) => {
    if (route.request().method() === 'GET') return route.continue();
    asked += 1;
    return route.fulfill({ status: 204 }); // No page comes, as when it is stopped.
  });
  const button = page.getByRole('button', { name: 'Continue to payment' });
  await button.click();
  await expect.poll(() => asked).toBe(1);
  await page.evaluate("document.getElementById('continue').click()");
  expect(asked, 'a second click starts no second payment').toBe(1);
  await page.clock.fastForward(21_000);
  await button.click();
  await expect.poll(() => asked).toBe(2);
});

test.each(['pageshow', 'stop'])('who comes back to a form that a wallet signed can sign again (%s)', async (how) => {
  const plan = publicPlan();
  server.plans.set(plan.id, plan);
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE, [wallet()]);
  await page.clock.install();
  await page.route('**/v1/public/wallet-challenges', (route) =>
    route.fulfill({ json: { id: 'wch_1', message: 'hello' } }),
  );
  await page.goto(`${server.url}/checkout/plan/${plan.id}`);
  let asked = 0;
  await page.route(`**/checkout/plan/${plan.id}`, (route) => {
    if (route.request().method() === 'GET') return route.continue();
    asked += 1;
    return route.fulfill({ status: 204 }); // No page comes, as when it is stopped.
  });
  await page.getByLabel('Name').fill('Nimal');
  await page.getByLabel('E-mail').fill('nimal@example.org');
  const button = page.getByRole('button', { name: 'Subscribe with Fox' });
  await button.click();
  await expect.poll(() => asked).toBe(1);
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  if (how === 'pageshow') await comeBack(page);
  else await page.clock.fastForward(21_000);
  expect(await button.getAttribute('aria-disabled')).toBe('false');
  await button.click();
  await expect.poll(() => asked).toBe(2);
});
