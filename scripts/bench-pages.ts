/**
 * Measures every hosted page as a payer on a slow phone gets it: 400 kbit/s, 400 ms, a processor of a quarter of the
 * speed, an empty cache. Fails when one misses its limit. Usage: npm run bench:pages [page …]
 */
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { HOSTED_PAGES } from '../test/support/hosted-pages.ts';
import { type PageServer, startPageServer } from '../test/support/page-server.ts';
import { startBarePages } from './bench/bare-pages.ts';
import { median } from './bench/figure.ts';
import { type Visit, visitSlowly } from './bench/page-visits.ts';
import { untilInterrupted } from './lib/service-process.ts';

const LANGUAGES = ['en', 'si', 'ta'];
const BYTES_MAX = 60 * 1024;
const PAINTED_MAX_MS = 2500;
const TIMES = 3;

type HostedPage = (typeof HOSTED_PAGES)[number];
type Row = { readonly name: string; readonly language: string; readonly page: Visit; readonly bare: Visit };

const endings: (() => Promise<void>)[] = [];
try {
  const rows = await untilInterrupted(measure(process.argv.slice(2)));
  process.stdout.write(`${table(rows)}\n`);
  process.exitCode = rows.every(holds) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
for (const end of endings.reverse()) await end();
process.exit(); // Without this, a visit would continue after an interruption.

async function measure(wanted: readonly string[]): Promise<Row[]> {
  const pages = HOSTED_PAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (pages.length === 0) throw new Error(`The pages are: ${HOSTED_PAGES.map(({ name }) => name).join(', ')}`);
  const server = await startPageServer();
  endings.push(server.close);
  const bare = await startBarePages(server.url);
  endings.push(bare.close);
  const browser = await launchBrowser();
  endings.push(() => browser.close());
  const rows: Row[] = [];
  for (const hosted of pages) {
    for (const language of LANGUAGES) {
      process.stderr.write(`measuring ${hosted.name} in ${language} …\n`);
      rows.push(await measurePage(browser, { server, bareUrl: bare.url }, hosted, language));
    }
  }
  return rows;
}

type Places = { readonly server: PageServer; readonly bareUrl: string };

/** The two in turn, so that what else the machine does hits both. */
async function measurePage(browser: Browser, places: Places, hosted: HostedPage, language: string): Promise<Row> {
  const { server, bareUrl } = places;
  if (hosted.payment) server.put(hosted.payment);
  if (hosted.subscription) server.subscriptions.set(hosted.subscription.id, hosted.subscription);
  if (hosted.plan) server.plans.set(hosted.plan.id, hosted.plan);
  const path = `${hosted.path}?lang=${language}`;
  const [pages, bares]: [Visit[], Visit[]] = [[], []];
  for (let time = 0; time < TIMES; time += 1) {
    pages.push(await visitSlowly(browser, server.url + path, hosted.shows));
    bares.push(await visitSlowly(browser, bareUrl + path, hosted.shows));
  }
  return { name: hosted.name, language, page: middle(pages), bare: middle(bares) };
}

function middle(visits: readonly Visit[]): Visit {
  const of = (name: keyof Visit): number => median(visits.map((visit) => visit[name]));
  const weight = {
    requests: of('requests'),
    bytes: of('bytes'),
    fontBytes: of('fontBytes'),
    plainBytes: of('plainBytes'),
  };
  return { ...weight, paintedMs: of('paintedMs'), shownMs: of('shownMs') };
}

function holds({ page }: Row): boolean {
  return page.bytes <= BYTES_MAX && page.paintedMs <= PAINTED_MAX_MS && Number.isFinite(page.shownMs);
}

/** One row a page and language; ratios are to the same HTML without styles and scripts, in the same run. */
function table(rows: readonly Row[]): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  const ratio = (one: number, other: number): string => `×${(one / other).toFixed(1)}`;
  const head = ['', 'page', 'requests', 'bytes', '÷ bare', 'of fonts', 'painted s', '÷ bare', 'shown s', '÷ bare'];
  const cells = rows.map((row) => [
    holds(row) ? 'ok' : 'MISSED',
    `${row.name} ${row.language}`,
    String(row.page.requests),
    String(row.page.bytes),
    ratio(row.page.bytes, row.bare.bytes),
    String(row.page.fontBytes),
    seconds(row.page.paintedMs),
    ratio(row.page.paintedMs, row.bare.paintedMs),
    seconds(row.page.shownMs),
    ratio(row.page.shownMs, row.bare.shownMs),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...cells].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\nlimits: ${BYTES_MAX} bytes without fonts, painted within ${seconds(PAINTED_MAX_MS)} s`;
}
