import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import type { InjectedWallet } from './injected-wallet.ts';

export const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;
export const DESK = { viewport: { width: 1280, height: 860 } } as const;
/** The shop that test sessions lead back to. It exists only in the browser of `createPayers`. */
export const SHOP = 'https://shop.example';

/** Payers who open pages, each in their own browser context. */
export type Payers = {
  readonly open: (url: string, options?: BrowserContextOptions, wallets?: readonly InjectedWallet[]) => Promise<Page>;
  /** The complaints since the last call: console messages, exceptions, requests to third parties. */
  readonly takeComplaints: () => string[];
  /** Closes every page. */
  readonly leave: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The payers of a file's tests. After each test every page is closed, and nothing may have complained: no console
 * messages, no requests to third parties. Call it below the file's other hooks: what is registered last ends first.
 */
export function usePayers(): Payers {
  let opened: Payers | undefined;
  beforeAll(async () => {
    opened = await createPayers();
  });
  afterAll(() => opened?.close());
  afterEach(async () => {
    await opened?.leave();
    // Soft, because the hooks after it close what the next file must not find.
    expect.soft(opened?.takeComplaints(), 'no console messages, no third-party requests').toEqual([]);
  });
  const present = (): Payers => {
    if (opened) return opened;
    throw new Error('payers come before the first test');
  };
  return {
    open: (...asked) => present().open(...asked),
    takeComplaints: () => present().takeComplaints(),
    leave: () => present().leave(),
    close: () => present().close(),
  };
}

/** A page beside four other tests, or on a busy machine, takes longer than the half minute that is usual. */
const PATIENCE_MS = 60_000;

export async function createPayers(): Promise<Payers> {
  const browser: Browser = await launchBrowser();
  const complaints: string[] = [];
  const leave = async (): Promise<void> => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return {
    open: async (url, options = {}, wallets = []) => {
      const context = await browser.newContext({ ...DESK, ...options });
      await context.route(`${SHOP}/**`, (route) => route.fulfill({ body: 'the shop' }));
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      for (const wallet of wallets) await wallet.injectInto(page);
      page.on('console', (message) => {
        if (!/status of (400|404|409|410|500)/.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { origin } = new URL(request.url());
        if (origin !== new URL(url).origin && origin !== SHOP) complaints.push(request.url());
      });
      await page.goto(url);
      return page;
    },
    takeComplaints: () => complaints.splice(0),
    leave,
    close: () => browser.close(),
  };
}

/** Waits until the page's heading contains `words`. */
export const waitForHeading = (page: Page, words: string): Promise<void> =>
  page.locator('#status', { hasText: words }).waitFor();

/** Marks the document, to detect whether it was replaced. */
export const mark = (page: Page): Promise<unknown> => page.evaluate('window.sameDocument = true');
export const isMarked = (page: Page): Promise<unknown> => page.evaluate('window.sameDocument === true');

/** What axe finds wrong with the page, one line per rule; with `rule`, only by that one. */
export async function violations(page: Pick<Page, 'evaluate'>, rule?: string): Promise<string[]> {
  type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
  const options = rule === undefined ? {} : { runOnly: [rule] };
  // Run by the debugger, so that the page's policy needs no exception.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const run = `axe.run(${JSON.stringify(options)}).then((result) => result.violations)`;
  const found = (await page.evaluate(run)) as Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Waits until the first wrong field has the focus: a test that is quicker makes the browser complain. */
export const waitForFocus = (page: Page): Promise<void> => page.locator('[autofocus]:focus').waitFor();
