import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDocServer } from '../support/doc-server.ts';
import { createPayers, DESK, type Payers, PHONE, violations } from '../support/payers.ts';

let readers: Payers;
let server: Awaited<ReturnType<typeof startDocServer>>;
beforeAll(async () => {
  server = await startDocServer();
  readers = await createPayers();
});
afterAll(async () => {
  await readers.close();
  await server.close();
});
afterEach(async () => {
  await readers.leave();
  expect(readers.takeComplaints(), 'no console messages, no third-party requests').toEqual([]);
});

const open = (path: string, options?: Parameters<Payers['open']>[1]): Promise<Page> =>
  readers.open(`${server.url}${path}`, options);
const evaluate = <T>(page: Page, script: string): Promise<T> => page.evaluate(script) as Promise<T>;
/** Until Redoc has taken the place of the static list. */
const untilInteractive = (page: Page): Promise<void> =>
  page.locator('#reference [data-section-id]').first().waitFor({ state: 'attached', timeout: 30_000 });

/** Opens the search by its key and asks; the hits as their texts. */
async function ask(page: Page, query: string): Promise<string[]> {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill(query);
  await page.locator('[role=status]', { hasText: /hit|Nothing/i }).waitFor();
  return page.locator('[role=option]').allInnerTexts();
}

const KINDS = [
  '/docs',
  '/docs/operators',
  '/docs/all',
  '/docs/reference',
  '/docs/guides/webhooks',
  '/docs/guides/incidents',
];

test.for(KINDS)('%s has nothing that axe finds wrong, in the dark on a phone and in the light', async (path) => {
  for (const look of [{ ...PHONE, colorScheme: 'dark' } as const, { ...DESK, colorScheme: 'light' } as const]) {
    const page = await open(path, look);
    expect(await violations(page)).toEqual([]);
    expect(await evaluate(page, 'document.documentElement.scrollWidth'), 'not wider than the screen').toBe(
      look.viewport.width,
    );
    await page.close();
  }
});

test.for([
  ['webhook signature', /^Verify · Webhooks/],
  ['refund', /Refund/],
  ['express', /^Recipe: Express/],
  ['docker', /^A shop in Docker · Sandbox/],
  ['changelog', /What changed/],
  ['underpaid', /States of a payment/],
  ['idempotency', /^Idempotency/],
  ['GET /v1/refunds', /List refunds/i],
  ['payment.completed', /payment\.completed/],
  ['createPayment', /^Create a payment/],
  ['embd', /Embed the checkout/],
  ['install', /^Clients · Guide/],
  ['pip install', /^Clients · Guide/],
  ['deploy', /^Going live · Guide/],
  ['pricing', /^What it costs · Money/],
  ['fees', /^What it costs · Money/],
  ['test mode', /^Sandbox · Guide/],
  ['test card', /^Sandbox · Guide/],
  ['sandbox', /^Sandbox · Guide/],
] as const)('the search finds what is meant by %s first', async ([query, wanted]) => {
  const page = await open('/docs');
  const [first] = await ask(page, query);
  expect(first?.replaceAll('\n', ' ')).toMatch(wanted);
});

test('what is typed while the search is loaded is not lost', async () => {
  const page = await open('/docs');
  await page.route('**/search.*.js', async (route) => {
    await sleep(500);
    await route.continue();
  });
  await page.keyboard.type('/idempot', { delay: 20 });
  await page.getByRole('combobox').waitFor();
  expect(await page.getByRole('combobox').inputValue()).toBe('idempot');
  await page.keyboard.type('ency');
  await page.locator('[role=option]', { hasText: 'Idempotency' }).first().waitFor();
});

test('the search is used by the keyboard alone, and read by a screen reader', async () => {
  const page = await open('/docs/guides/money');
  await ask(page, 'idempotency');
  const field = page.getByRole('combobox');
  const chosen = () => field.getAttribute('aria-activedescendant');
  const first = await chosen();
  await page.keyboard.press('ArrowDown');
  expect(await chosen()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await chosen()).toBe(first);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/guides/idempotency');
  await page.keyboard.press('/');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => evaluate(page, "document.querySelector('dialog').open")).toBe(false);
});

test('without a script everything is there: all code, the way to all pages, and the operations of the reference', async () => {
  const page = await open('/docs/guides/getting-started', { ...PHONE, javaScriptEnabled: false });
  expect(await page.locator('pre:visible').count()).toBe(await page.locator('pre').count());
  await page.getByRole('link', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Refunds' }).click();
  await page.waitForURL('**/docs/guides/refunds');
  await page.getByRole('link', { name: 'All pages' }).first().click();
  await page.getByRole('link', { name: 'Create a payment', exact: true }).waitFor();
  await page.goto(`${server.url}/docs/reference`);
  await page.getByRole('link', { name: 'Create a payment', exact: true }).click();
  await page.waitForURL('**/docs/reference/createPayment.md');
});

test('addresses of the time when all stood on one page lead on', async () => {
  for (const [old, now] of [
    ['#section/Getting-started', '/docs/guides/getting-started'],
    ['#section/States-of-a-payment/What-is-removed', '/docs/guides/payment-states#what-is-removed'],
    ['#section/Incidents/The-kinds', '/docs/guides/incidents#the-kinds'],
    ['#operation/createPayment', '/docs/reference#operation/createPayment'],
    ['#tag/payments/operation/createPayment', '/docs/reference#tag/payments/operation/createPayment'],
    ['#operation/approveMerchant', '/docs/reference/admin#operation/approveMerchant'],
  ]) {
    const page = await open(`/docs${old}`);
    await page.waitForURL((url) => `${url.pathname}${url.hash}` === now, { timeout: 60_000 });
    await page.close();
  }
});

test('an address that was broken on the way leaves the page whole', async () => {
  for (const path of ['/docs#section/%E0%A4%A', '/docs/reference#operation/%']) {
    const page = await open(path);
    expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Create a payment', exact: true }).count()).toBe(
      path.includes('reference') ? 1 : 0,
    );
    await page.close();
  }
});

test('code is copied, and a language that is chosen stays so on the next page', async () => {
  const page = await open('/docs/guides/getting-started');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await evaluate(page, 'navigator.clipboard.readText()')).toContain('/v1/auth/register');
  await page.getByRole('tab', { name: 'TypeScript' }).first().press('ArrowRight');
  for (const tab of await page.getByRole('tab', { name: 'Python' }).all()) {
    expect(await tab.getAttribute('aria-selected')).toBe('true');
  }
  await page.getByText('from kasi import Kasi').first().waitFor();
  await page.reload();
  await page.getByText('from kasi import Kasi').first().waitFor();
});

test.for(['/docs/reference#operation/createPayment', '/docs/reference/admin#operation/approveMerchant'])(
  '%s opens the interactive reference at that operation, light and dark',
  async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open(path, { ...DESK, colorScheme });
      await untilInteractive(page);
      const id = path.split('operation/')[1];
      const top = `Math.round(document.querySelector('[id$="operation/${id}"]').getBoundingClientRect().top)`;
      await expect.poll(() => evaluate<number>(page, top)).toBeLessThan(120);
      expect(await violations(page)).toEqual([]);
      await page.close();
    }
  },
);
