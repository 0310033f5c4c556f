import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Weight, watchWeight } from '../../test/support/page-weight.ts';

/** What a payer on a slow phone waits for. */
export type Visit = Weight & {
  /** Until anything is there to read, in ms from the start of the request. */
  readonly paintedMs: number;
  /** Until everything is there that the payer came for. */
  readonly shownMs: number;
};

/** 400 kbit/s each way, and 400 ms from a request to the first byte of its answer. */
const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const CPU_SLOWDOWN = 4;
const VIEW = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const WAIT_MS = 60_000;
/** What loads behind what a payer waits for is weighed, too. */
const SETTLED_MS = 1500;

/** Looks at a page that has settled. */
type Inspect<More> = (page: Page, session: CDPSession) => Promise<More>;

/** Opens a page with an empty cache, slowly, and says when it showed all of `selectors`, and what `inspect` finds. */
export async function visitSlowly<More = object>(
  browser: Browser,
  url: string,
  selectors: readonly string[],
  inspect: Inspect<More> = async () => ({}) as More,
): Promise<Visit & More> {
  const context = await browser.newContext(VIEW);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const weigh = await watchWeight(session);
    await slowDown(session);
    await page.addInitScript(noteWhenShown, selectors);
    await page.goto(url, { waitUntil: 'load', timeout: WAIT_MS });
    await untilShown(page, selectors);
    await page.waitForTimeout(SETTLED_MS);
    return { ...weigh(), ...(await readTimes(page)), ...(await inspect(page, session)) };
  } finally {
    await context.close();
  }
}

/** Asks by the debugger: the policy of a page refuses what Playwright would have it evaluate. */
async function untilShown(page: Page, selectors: readonly string[]): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while ((await page.evaluate('window.shownMs')) === undefined) {
    if (performance.now() > end) throw new Error(`${page.url()} never showed ${selectors.join(', ')}`);
    await page.waitForTimeout(100);
  }
}

async function slowDown(session: CDPSession): Promise<void> {
  const speed = { downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: LATENCY_MS, ...speed });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** Runs in the page before its own scripts: looks in every frame whether all of it is there, images included. */
function noteWhenShown(selectors: readonly string[]): void {
  type Seen = { getClientRects(): ArrayLike<unknown>; complete?: boolean; naturalWidth?: number };
  type Surroundings = {
    document: { querySelector(selector: string): Seen | null };
    requestAnimationFrame(look: () => void): void;
    shownMs?: number;
  };
  const here = globalThis as unknown as Surroundings;
  const isShown = (selector: string): boolean => {
    const found = here.document.querySelector(selector);
    return found !== null && found.getClientRects().length > 0 && found.complete !== false && found.naturalWidth !== 0;
  };
  const look = (): void => {
    if (selectors.every(isShown)) here.shownMs = performance.now();
    else here.requestAnimationFrame(look);
  };
  here.requestAnimationFrame(look);
}

const readTimes = (page: Page): Promise<Pick<Visit, 'paintedMs' | 'shownMs'>> =>
  page.evaluate(
    "({ paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, shownMs: window.shownMs })",
  );
