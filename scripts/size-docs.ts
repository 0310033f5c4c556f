/**
 * `npm run size:docs`: how heavy and how fast the documentation is in a real browser with an empty cache, on a phone
 * with 400 kbit/s, 400 ms of latency and a processor of a quarter of the speed, beside what the one page that was there
 * before cost. Fails when a page misses a limit.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { startDocServer } from '../test/support/doc-server.ts';
import { type Visit, visitSlowly } from './bench/page-visits.ts';

type Inside = { readonly elements: number; readonly heapBytes: number };
type Row = { readonly name: string; readonly visit: Visit & Inside };
type Kind = {
  readonly name: string;
  readonly path: string;
  /** What a reader waits for. */
  readonly shows: string;
  readonly limits: { readonly plainBytes: number; readonly elements: number };
};

/** Pages of text share a style sheet and a script, which are counted here: an empty cache has neither. */
const TEXT = { shows: 'h1', limits: { plainBytes: 130_000, elements: 2500 } };
/** Redoc is a megabyte before anything is compressed. */
const REFERENCE = { shows: '#redoc [data-section-id]', limits: { plainBytes: 2_200_000, elements: 12_000 } };
const KINDS: readonly Kind[] = [
  { name: 'home', path: '/docs', ...TEXT },
  { name: 'a guide', path: '/docs/guides/webhooks', ...TEXT },
  { name: 'the longest guide', path: '/docs/guides/incidents', ...TEXT },
  { name: 'all pages', path: '/docs/all', ...TEXT },
  { name: 'reference, list', path: '/docs/reference', ...TEXT },
  { name: 'reference', path: '/docs/reference#operation/createPayment', ...REFERENCE },
  { name: 'administrators', path: '/docs/reference/admin#operation/approveMerchant', ...REFERENCE },
];
/** The page that had all guides and operations until there was a site, measured by this script. */
const BEFORE: Row = {
  name: 'all on one page, before',
  visit: {
    requests: 4,
    bytes: 2_147_421,
    plainBytes: 2_147_479,
    fontBytes: 0,
    elements: 93_337,
    heapBytes: 94_664_016,
    paintedMs: 23_288,
    shownMs: 59_400,
  },
};

const server = await startDocServer();
const browser = await launchBrowser();
try {
  const rows: Row[] = [];
  for (const kind of KINDS) {
    process.stderr.write(`measuring ${kind.name} …\n`);
    rows.push({ name: kind.name, visit: await visit(browser, kind) });
  }
  process.stdout.write(`${table([...rows, BEFORE])}\n`);
  const missed = KINDS.filter(({ limits }, index) => !holds(rows[index], limits));
  for (const { name, limits } of missed) {
    process.stderr.write(
      `${name} misses its limit: ${limits.plainBytes} bytes as read, ${limits.elements} elements.\n`,
    );
  }
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await server.close();
}

function visit(with_: Browser, { path, shows }: Kind): Promise<Visit & Inside> {
  return visitSlowly(with_, server.url + path, [shows], inspect);
}

async function inspect(page: Page, session: CDPSession): Promise<Inside> {
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return { elements: await page.evaluate("document.querySelectorAll('*').length"), heapBytes };
}

function holds(row: Row | undefined, limits: Kind['limits']): boolean {
  return row !== undefined && row.visit.plainBytes <= limits.plainBytes && row.visit.elements <= limits.elements;
}

function table(rows: readonly Row[]): string {
  const head = ['page', 'requests', 'kB sent', 'kB read', 'elements', 'MB of heap', 'painted s', 'shown s'];
  const cells = rows.map(
    ({ name, visit: { requests, bytes, plainBytes, elements, heapBytes, paintedMs, shownMs } }) => [
      name,
      String(requests),
      (bytes / 1000).toFixed(0),
      (plainBytes / 1000).toFixed(0),
      String(elements),
      (heapBytes / 1e6).toFixed(1),
      (paintedMs / 1000).toFixed(2),
      (shownMs / 1000).toFixed(2),
    ],
  );
  const all = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}
