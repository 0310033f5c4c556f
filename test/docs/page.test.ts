import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { test } from '../fixture.ts';
import { operationIds, operationOf } from '../support/contract.ts';
import { createPayers, DESK, type Payers, PHONE } from '../support/payers.ts';
import { description, headingsOf } from './guide.ts';

let readers: Payers;
let docs: string;
test.beforeAll(async ({ service }) => {
  docs = `${service.url}/docs`;
  readers = await createPayers();
});
afterAll(() => readers.close());
afterEach(async () => {
  await readers.leave();
  expect(readers.takeComplaints(), 'no console messages, no third-party requests').toEqual([]);
});

async function open(options: Parameters<Payers['open']>[1]): Promise<Page> {
  const page = await readers.open(docs, options);
  await page.locator('h2', { hasText: 'Move the clock forward' }).waitFor({ state: 'attached', timeout: 20_000 });
  return page;
}

const evaluate = <T>(page: Page, script: string): Promise<T> => page.evaluate(script) as Promise<T>;

test('the menu leads to every guide, chapter and operation; each operation shows its samples, TypeScript first', async () => {
  const page = await open(DESK);
  const labels = await evaluate<string[]>(
    page,
    "[...document.querySelectorAll('[role=menuitem]')].map((e) => e.ariaLabel)",
  );
  // Headings of the third rank are sections of a chapter, which the menu does not list.
  const chapters = headingsOf(description).filter((heading) => !heading.startsWith('###'));
  const headings = chapters.map((heading) => heading.replace(/^#+ /, ''));
  const summaries = operationIds.map((id) => (operationOf(id) as unknown as { summary: string }).summary);
  expect([...headings, ...summaries].filter((label) => !labels.includes(label))).toEqual([]);

  const dead = await evaluate<string[]>(
    page,
    `[...document.querySelectorAll('.redoc-markdown a[href^="#"]')]
      .map((link) => decodeURIComponent(link.hash.slice(1)))
      .filter((id) => document.getElementById(id) === null)`,
  );
  expect(dead, 'dead links').toEqual([]);

  const tabs = await evaluate<string[]>(
    page,
    "[...document.querySelectorAll('[role=tablist]')].map((list) => [...list.children].map((tab) => tab.textContent).join(' '))",
  );
  expect(tabs.filter((labels) => labels.startsWith('TypeScript curl'))).toHaveLength(operationIds.length);
});

test('the keyboard can skip the menu, and reach a guide by it', async () => {
  const page = await open(DESK);
  await page.keyboard.press('Tab');
  expect(await evaluate(page, 'document.activeElement.textContent')).toBe('Skip the menu');
  await page.keyboard.press('Enter');
  expect(await evaluate(page, 'location.hash')).toBe('#section/Getting-started');
  await page.locator('[role=menuitem][aria-label="Idempotency"]').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => evaluate(page, 'location.hash')).toBe('#section/Idempotency');
  const top = "Math.round(document.getElementById('section/Idempotency').getBoundingClientRect().top)";
  await expect.poll(() => evaluate<number>(page, top)).toBeLessThan(40);
});

test("nothing is wider than a phone's screen: code and tables scroll on their own", async () => {
  const page = await open(PHONE);
  expect(await evaluate(page, 'document.documentElement.scrollWidth')).toBe(PHONE.viewport.width);
  const clipped = await evaluate<string[]>(
    page,
    `[...document.querySelectorAll('.redoc-markdown pre, .redoc-markdown table')]
      .filter((e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX !== 'auto')
      .map((e) => e.textContent.slice(0, 60))`,
  );
  expect(clipped).toEqual([]);
});
