import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toHtml } from '../../scripts/generate/docs/markdown.ts';
import { operationIds } from '../support/contract.ts';
import { GUIDE_NAMES, headingsOf, publishedGuide } from './guide.ts';

const FOLDER = 'generated/docs';
/** What a page may weigh as it is read, without what it shares with others. */
const PAGE_BYTES_MAX = 100_000;
/** Served by other parts of the service. */
const ELSEWHERE = ['/v1/openapi.json', '/v1/openapi.client.json'];

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const pages = new Map(
  files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
);

/** The file that answers an address of the site. */
function fileOf(path: string): string {
  if (path === '/docs') return 'index.html';
  const inside = path.replace(/^\/docs\//, '').replace(/^\//, '');
  return /\.[a-z]+$/.test(inside) ? inside : `${inside}.html`;
}

const anchorsOf = (html: string): Set<string> => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));

/** The links of a page that lead to no page or anchor of the site. */
function deadLinks(from: string, html: string): string[] {
  const links = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  return links.filter((link) => {
    if (/^https?:/.test(link)) return link.startsWith('http://localhost:3000') && !existsAt(link.slice(21));
    return !existsAt(link.startsWith('#') ? link : link, from);
  });
}

function existsAt(link: string, from = ''): boolean {
  const [path = '', anchor = ''] = link.split('#');
  if (ELSEWHERE.includes(path) || path === '/llms.txt' || path === '/llms-full.txt') return true;
  if (/^\/docs\/assets\/redoc\./.test(path)) return true; // It stays in its package; the page's own test loads it.
  const file = path === '' ? from : fileOf(path);
  if (!existsSync(join(FOLDER, file))) return false;
  const [, operation] = /^operation\/(.+)$/.exec(anchor) ?? [];
  if (operation !== undefined) return pages.get(file)?.includes(`data-operation="${operation}"`) === true;
  return anchor === '' || anchorsOf(pages.get(file) ?? '').has(anchor);
}

test('every link of every page leads to a page and an anchor that exist', () => {
  expect(pages.size).toBeGreaterThan(30);
  const dead = [...pages].flatMap(([file, html]) => deadLinks(file, html).map((link) => `${file}: ${link}`));
  expect(dead).toEqual([]);
});

test('every guide is a page and a text, every heading an anchor, every operation a text', () => {
  for (const name of GUIDE_NAMES) {
    const html = pages.get(join('guides', `${name}.html`)) ?? '';
    const inner = headingsOf(publishedGuide(name)).length;
    expect([name, html.match(/<h[1-6] id=/g)?.length]).toEqual([name, inner]);
    expect(html).toContain(`<link rel="alternate" type="text/markdown" href="/docs/guides/${name}.md"`);
  }
  const texts = operationIds.filter((id) => !existsSync(join(FOLDER, 'reference', `${id}.md`)));
  expect(texts).toEqual([]);
});

test('a page is light, and has no code or style of its own', () => {
  for (const [file, html] of pages) {
    expect([file, Buffer.byteLength(html) < PAGE_BYTES_MAX]).toEqual([file, true]);
    expect([file, /<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/.exec(html)?.[0]]).toEqual([file, undefined]);
  }
});

test('merchants and operators have books of their own', () => {
  const menuOf = (file: string): string => /<nav class="menu"[\s\S]*?<\/nav>/.exec(pages.get(file) ?? '')?.[0] ?? '';
  expect(menuOf('guides/refunds.html')).toContain('/docs/guides/webhooks"');
  expect(menuOf('guides/refunds.html')).not.toContain('/docs/guides/incidents"');
  expect(menuOf('guides/incidents.html')).toContain('/docs/guides/administration"');
  expect(menuOf('guides/incidents.html')).not.toContain('/docs/guides/webhooks"');
});

test('each reference has its own operations alone, and every component that they need', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Contract;
  const [own, admin] = [read('reference/openapi.json'), read('reference/admin/openapi.json')];
  expect(Object.keys(own.paths).filter((path) => /^\/v1\/(admin|audit-logs)/.test(path))).toEqual([]);
  expect(Object.keys(admin.paths).filter((path) => !/^\/v1\/(admin|audit-logs)/.test(path))).toEqual([]);
  const ids = [own, admin].flatMap(({ paths }) =>
    Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
  );
  expect(ids.sort()).toEqual([...operationIds].sort());
  expect([Object.keys(own.webhooks ?? {}).length > 30, admin.webhooks]).toEqual([true, undefined]);
  for (const each of [own, admin]) {
    const references = [...JSON.stringify(each).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
    const missing = references.filter(([, section = '', name = '']) => each.components[section]?.[name] === undefined);
    expect(missing.map(([text]) => text)).toEqual([]);
  }
  expect(admin.components['schemas']?.['CreatePaymentRequest']).toBeUndefined();
});

type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly webhooks?: object;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

test('the index for programs has the form of llmstxt.org and names every text', () => {
  const text = readFileSync(join(FOLDER, 'llms.txt'), 'utf8');
  expect(text).toMatch(/^# Kasi\n\n> .+\n\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(http:\/\/localhost:3000(\/[^)]+)\)/gm)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsAt(path))).toEqual([]);
  for (const name of GUIDE_NAMES) expect(links).toContain(`/docs/guides/${name}.md`);
  for (const id of operationIds) expect(links).toContain(`/docs/reference/${id}.md`);
});

test('an operation as Markdown says who may call it, what it takes, gives and refuses, with samples', () => {
  const text = readFileSync(join(FOLDER, 'reference/createPayment.md'), 'utf8');
  expect(text).toMatch(/^# Create a payment\n\n`POST \/v1\/payments`\n/);
  expect(text).toContain('scope `payments:write`');
  expect(text).toContain('- `idempotency-key` (header, string, optional): ');
  expect(text).toMatch(/- `amount` \(number money, required, more than 0, at most 300000000\): More than 0/);
  expect(text).toMatch(/^ {2}- `unitAmount` \(number money, required/m);
  expect(text).toMatch(/\*\*201\*\* The payment can be paid\./);
  expect(text).toMatch(/- \*\*403\*\* /);
  expect(text).toContain('kasi.payments.create(');
  expect(text).toContain('curl http://localhost:3000/v1/payments');
});

test('blocks of code that follow one another are one group, named operations links to the reference', () => {
  const html = toHtml(
    '# A\n\n`POST /v1/x?a=b`, `GET /v1/y`\n\n```ts\n1\n```\n```python\n2\n```\n\n```sh\n3\n```\n\nb\n\n```ts\n4\n```\n',
    (to) => to,
    (method, path) => (method === 'POST' ? `/docs/reference#${path}` : undefined),
  );
  expect(html).toContain(
    '<a class="op" href="/docs/reference#/v1/x"><code>POST /v1/x?a=b</code></a>, <code>GET /v1/y</code>',
  );
  expect(html.match(/<div class="codes">/g)).toHaveLength(1);
  expect(html.indexOf('</div>\n<p>b</p>')).toBeGreaterThan(0);
});

test('a guide with a link that leads nowhere is not published', () => {
  expect(() =>
    toHtml(
      '# A\n\n[b](nothing.md)',
      (to) => {
        throw new Error(to);
      },
      () => undefined,
    ),
  ).toThrow('nothing.md');
});
