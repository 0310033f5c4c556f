import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { compressed } from '../../src/http/compress.ts';
import type { PageAnswer } from '../../src/ports/page.ts';
import { test } from '../fixture.ts';

const HTML: PageAnswer = {
  status: 200,
  type: 'text/html; charset=utf-8',
  body: '<p>සිංහල ☕</p>'.repeat(200),
  headers: { vary: 'cookie' },
};
const text = (body: PageAnswer['body']): string => Buffer.from(body).toString('utf8');

test.each([
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['*', 'br'],
] as const)('for "%s" a page comes as %s, and says so', async (accepted, encoding) => {
  const { body, headers, status } = await compressed(HTML, accepted);
  expect(status).toBe(200);
  expect(headers).toEqual({ vary: 'cookie, accept-encoding', 'content-encoding': encoding });
  expect(body.length).toBeLessThan(500);
  const unpack = encoding === 'br' ? brotliDecompressSync : gunzipSync;
  expect(unpack(body).toString('utf8')).toBe(HTML.body);
});

test.each(['', 'identity', 'zstd', 'br;q=0, gzip;q=0'])('for "%s" it comes as it is', async (accepted) => {
  const { body, headers } = await compressed(HTML, accepted);
  expect(body).toBe(HTML.body);
  expect(headers).toEqual({ vary: 'cookie, accept-encoding' });
});

test('what is small, or compressed already, is left alone', async () => {
  const font = { ...HTML, type: 'font/woff2', body: Buffer.alloc(5000) };
  for (const answer of [{ ...HTML, body: '' }, { ...HTML, body: '<p>short</p>' }, font]) {
    expect(await compressed(answer, 'br')).toBe(answer);
  }
});

test('a static file is compressed once, and its validator stands for these bytes', async () => {
  const file = { status: 200, type: 'text/css', body: Buffer.from('a{b:c}'.repeat(500)), headers: { etag: '"abc"' } };
  const [first, second, other] = [
    await compressed(file, 'br'),
    await compressed(file, 'br'),
    await compressed(file, 'gzip'),
  ];
  expect(second.body).toBe(first.body);
  expect([first.headers?.['etag'], other.headers?.['etag']]).toEqual(['"abc-br"', '"abc-gzip"']);
  expect(text(gunzipSync(other.body))).toBe(text(file.body));
});

test('the service compresses its pages and their files, and neither a customer’s own page nor answers of the API', async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const ask = (path: string) => fetch(service.url + path, { headers: { 'accept-encoding': 'br' } });
  const page = await ask(`/checkout/payment/${id}`);
  expect(page.headers.get('content-encoding')).toBe('br');
  const html = await page.text();
  const style = /href="(\S+\.css)"/.exec(html)?.[1] ?? '';
  const sheet = await ask(style);
  expect(sheet.headers.get('content-encoding')).toBe('br');
  expect(sheet.headers.get('cache-control')).toContain('immutable');
  const personal = await ask('/checkout/customer');
  expect(personal.headers.get('content-encoding'), 'a length would tell what is guessed in the address').toBeNull();
  const api = await ask(`/v1/public/payments/${id}`);
  expect(api.headers.get('content-encoding')).toBeNull();
});
