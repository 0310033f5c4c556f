import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CUSTOMER_COOKIE, listed, publicPlan } from '../support/customer-deps.ts';
import { createInjectedWallet, type InjectedWallet } from '../support/injected-wallet.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { usePayers } from '../support/payers.ts';
import { arrived, NOW, publicPayment } from '../support/public-payment.ts';
import { CLAIM } from '../support/public-refund.ts';
import { customerWallet } from '../support/subscriptions.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(async () => {
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

const ZONE = 'Asia/Colombo';
const wallet = (): InjectedWallet =>
  createInjectedWallet({ rpcUrl: 'http://127.0.0.1:1', account: customerWallet(), name: 'Fox' });
const button = (page: Page, name: string) => page.getByRole('button', { name });
const wordsOf = (page: Page): Promise<string | null> => page.locator('main').textContent();

type Visit = { readonly page: Page; readonly answer: () => Promise<void> };

/** A first visit from Colombo; the page comes once more, in its zone, when the test lets it. */
async function visit(path: string): Promise<Visit> {
  const page = await payers.open(`${server.url}/checkout/brand/8a1f4b.css`, { timezoneId: ZONE }, [wallet()]);
  await page.context().addCookies([{ ...CUSTOMER_COOKIE, url: server.url }]);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let seen = 0;
  await page.route(`**/checkout${path}`, async (route) => {
    if (route.request().method() === 'GET' && ++seen === 2) await released;
    await route.continue();
  });
  await page.goto(`${server.url}/checkout${path}`);
  await expect.poll(() => seen).toBe(2);
  const answer = async (): Promise<void> => {
    release();
    await page.locator(`html[data-zone="${ZONE}"]`).waitFor();
  };
  return { page, answer };
}

test('times in the payer’s zone come late, and what was typed and every button stay', async () => {
  const plan = publicPlan();
  server.plans.set(plan.id, plan);
  const [joining, linked, refunded] = await Promise.all(
    [`/plan/${plan.id}`, '/pay/donation', `/refund/${CLAIM}`].map((path) => visit(path)),
  );
  await joining!.page.getByLabel('Name').fill('Nimal');
  await linked!.page.locator('#email').fill('nimal@example.org');
  await linked!.page.locator('#amount').fill('40');
  const about = await linked!.page.locator('#about').textContent();
  await refunded!.page.locator('#address').fill('0x1');
  await Promise.all([joining, linked, refunded].map((each) => each?.answer()));
  expect(await joining!.page.getByLabel('Name').inputValue()).toBe('Nimal');
  expect(await button(joining!.page, 'Subscribe with Fox').count()).toBe(1);
  expect(await linked!.page.locator('#email').inputValue()).toBe('nimal@example.org');
  expect(await linked!.page.locator('#about').textContent()).toBe(about);
  expect(await refunded!.page.locator('#address').inputValue()).toBe('0x1');
});

test('a list and a receipt say the payer’s time, open what was opened, and can be signed for and printed', async () => {
  server.customer = [listed()];
  const paid = publicPayment({ ...arrived(15, 2), status: 'paid', paidAt: NOW.toISOString() });
  server.put(paid);
  const [mine, receipt] = await Promise.all(['/customer', `/receipt/${paid.id}`].map((path) => visit(path)));
  await mine!.page.getByText('Cancel Tea club').click();
  expect(await wordsOf(mine!.page)).toContain('UTC');
  await Promise.all([mine, receipt].map((each) => each?.answer()));
  await mine!.page.getByText('GMT+5:30').first().waitFor();
  expect(await wordsOf(mine!.page), 'also in what is open').not.toContain('UTC');
  expect(await button(mine!.page, 'Cancel it with Fox').isVisible()).toBe(true);
  await receipt!.page.getByText('GMT+5:30').first().waitFor();
  expect(await button(receipt!.page, 'Print').isVisible()).toBe(true);
});

test('a form whose signature is being asked for when the page comes again is sent', async () => {
  const plan = publicPlan();
  server.plans.set(plan.id, plan);
  const { page, answer } = await visit(`/plan/${plan.id}`);
  await page.route('**/v1/public/wallet-challenges', async (route) => {
    await answer();
    await route.fulfill({ json: { id: 'wch_1', message: 'hello' } });
  });
  await page.getByLabel('Name').fill('Nimal');
  await page.getByLabel('E-mail').fill('nimal@example.org');
  await button(page, 'Subscribe with Fox').click();
  await expect.poll(() => server.requests).toContain(`POST /checkout/plan/${plan.id}`);
});
