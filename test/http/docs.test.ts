import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';

const PUBLIC_URL = 'https://api.pay.example:8443';
const test = serviceTest({ env: { PUBLIC_URL } });

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly bytes: number };

/** Asks like a browser, and undoes the encoding by itself: `fetch` would hide it. */
async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { request } = await import('undici');
  const answer = await request(url, { headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  const found = new Headers(answer.headers as Record<string, string>);
  const encoding = found.get('content-encoding');
  const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
  return { status: answer.statusCode, headers: found, text: plain.toString('utf8'), bytes: body.length };
}

const PAGES = [
  '/docs',
  '/docs/guides/webhooks',
  '/docs/guides/webhooks.md',
  '/docs/reference',
  '/docs/reference/openapi.json',
];
const TEXTS = [
  '/docs.md',
  '/docs/reference.md',
  '/docs/reference/admin.md',
  '/docs/reference/createPayment.md',
  '/llms.txt',
  '/llms-full.txt',
  '/v1/openapi.json',
  '/v1/openapi.client.json',
];

test.for([...PAGES, ...TEXTS])(
  '%s names where the service is reached, is compressed, and asked for again',
  async (path, { service }) => {
    const whole = await get(`${service.url}${path}`);
    expect([whole.status, whole.headers.get('content-encoding'), whole.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-cache',
    ]);
    expect(whole.text).toContain(path === '/docs/reference/openapi.json' ? PUBLIC_URL : PUBLIC_URL);
    expect(whole.text).not.toContain('localhost:3000');
    for (const encoding of ['br', 'gzip']) {
      const packed = await get(`${service.url}${path}`, { 'accept-encoding': encoding });
      expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
        encoding,
        'accept-encoding',
      ]);
      expect(packed.text).toBe(whole.text);
      expect(packed.bytes).toBeLessThan(whole.bytes * 0.6);
      const etag = packed.headers.get('etag') ?? '';
      expect(etag).not.toBe(whole.headers.get('etag'));
      const again = await get(`${service.url}${path}`, {
        'accept-encoding': encoding,
        'if-none-match': `"other", W/${etag}`,
      });
      expect([again.status, again.bytes, again.headers.get('etag')]).toEqual([304, 0, etag]);
    }
  },
);

test('what pages share is kept for ever under the hash of its content', async ({ service }) => {
  const { text } = await get(`${service.url}/docs/reference`);
  const shared = [...text.matchAll(/(?:href|src|data-code|data-index|data-redoc)="(\/docs\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(shared.some((path) => path.includes('/redoc.'))).toBe(true);
  expect(shared.length).toBeGreaterThan(5);
  for (const path of new Set(shared)) {
    const { status, headers } = await get(`${service.url}${path}`, { 'accept-encoding': 'br' });
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable']);
  }
  const redoc = await get(`${service.url}${shared.find((path) => path.includes('/redoc.'))}`);
  expect(redoc.text).not.toContain('cdn.redoc.ly/redoc/logo');
  expect((await get(`${service.url}/docs/assets/redoc.000000000000.js`)).status).toBe(404);
});

test('pages allow no code and no style in themselves, and name their Markdown', async ({ service }) => {
  const { headers } = await get(`${service.url}/docs/guides/webhooks`);
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self';");
  expect(headers.get('link')).toBe('</docs/guides/webhooks.md>; rel="alternate"; type="text/markdown"');
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('a page that there is not is a page to people and an error to programs', async ({ service }) => {
  for (const path of [
    '/docs/guides/nothing',
    '/docs/missing',
    '/docs/..%2f..%2fpackage.json',
    '/docs/assets/docs.js',
    '/docs/',
  ]) {
    const page = await get(`${service.url}${path}`, { accept: 'text/html,*/*' });
    const error = await get(`${service.url}${path}`);
    if (path === '/docs/') {
      expect([path, page.status]).toEqual([path, 200]);
      continue;
    }
    expect([path, page.status, page.text.includes('There is no such page')]).toEqual([path, 404, true]);
    expect([path, error.status, JSON.parse(error.text).error.code]).toEqual([path, 404, 'NOT_FOUND']);
  }
});
