import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { publicPlan } from '../support/customer-deps.ts';
import { HOSTED_PAGES } from '../support/hosted-pages.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { PHONE, usePayers } from '../support/payers.ts';
import { publicSubscription } from '../support/public-subscription.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(() => {
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

test('what needs a wallet says without scripts that scripts are missing, and with them that a wallet is', async () => {
  const [plan, subscription] = [publicPlan(), publicSubscription()];
  server.plans.set(plan.id, plan);
  server.subscriptions.set(subscription.id, subscription);
  for (const path of [`plan/${plan.id}`, `subscription/${subscription.id}`, 'customer']) {
    const url = `${server.url}/checkout/${path}`;
    const without = await payers.open(url, { ...PHONE, javaScriptEnabled: false });
    expect(await without.locator('#no-script').textContent(), path).toContain('needs JavaScript');
    expect(await without.locator('#no-wallet').isVisible(), path).toBe(false);
    const with_ = await payers.open(url, PHONE);
    await with_.locator('#no-wallet').waitFor();
    expect(await with_.locator('#no-script').count(), path).toBe(0);
  }
});

test('a page whose script has not come after twenty seconds says so, and one that runs never does', async () => {
  const plan = publicPlan();
  server.plans.set(plan.id, plan);
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE);
  const note = page.locator('#late');
  const isSaidAt = async (path: string): Promise<boolean> => {
    await page.goto(`${server.url}/checkout/${path}`, { waitUntil: 'load' });
    expect(await note.isVisible(), `${path} before`).toBe(false);
    await page.evaluate('for (const animation of document.getAnimations()) animation.finish()');
    return note.isVisible();
  };
  const paths = ['pay/spring-workshop', `plan/${plan.id}`];
  for (const path of paths) expect(await isSaidAt(path), path).toBe(false);
  await page.route('**/proof.*.js', (route) => route.abort());
  expect(await isSaidAt(`plan/${plan.id}`)).toBe(true);
  expect(await isSaidAt('pay/spring-workshop')).toBe(false);
  await page.unroute('**/proof.*.js');
  await page.route('**/checkout.*.js', (route) => route.abort());
  for (const path of paths) expect(await isSaidAt(path), path).toBe(true);
  expect(payers.takeComplaints()).toEqual(Array(3).fill('Failed to load resource: net::ERR_FAILED'));
});

/** What a finger hits without looking. */
const TARGET_PX = 44;

test('links that stand by themselves are as high as a finger', async () => {
  const [shown] = HOSTED_PAGES;
  if (shown?.payment) server.put(shown.payment);
  const page = await payers.open(`${server.url}${shown?.path}`, PHONE);
  await page.locator('#verify summary').click();
  const links = await page.locator('.languages a, #verify-link').all();
  expect(links).toHaveLength(6);
  for (const link of links) {
    const box = await link.boundingBox();
    expect.soft(box?.height, (await link.textContent()) ?? '').toBeGreaterThanOrEqual(TARGET_PX);
  }
});

test('a code fits the narrowest phone with letters twice as large, and stays square', async () => {
  const viewport = { width: 320, height: 640 };
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, { ...PHONE, viewport });
  const [payment, ...more] = HOSTED_PAGES;
  for (const shown of [payment, more.find(({ name }) => name === 'subscription')]) {
    if (shown?.payment) server.put(shown.payment);
    if (shown?.subscription) server.subscriptions.set(shown.subscription.id, shown.subscription);
    await page.goto(`${server.url}${shown?.path}`);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const code = page.locator('.code img').first();
    await code.waitFor();
    const box = await code.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), shown?.name).toBeLessThanOrEqual(viewport.width);
    expect(box?.height).toBeCloseTo(box?.width ?? 0, 0);
  }
});
