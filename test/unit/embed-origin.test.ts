import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEmbedOrigin } from '../../src/merchants/embed-origin.ts';

const LIVE = { livemode: true };
const SANDBOX = { livemode: false };

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example/', 'https://shop.example'],
  ['HTTPS://Shop.Example:443', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['https://xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example'],
  ['https://කඩය.example', 'https://xn--3zc4azc.example'],
  // What begins like another's name is a name of its own.
  ['https://shop.example.evil', 'https://shop.example.evil'],
])('%s is stored as %s', (text, origin) => {
  expect(parseEmbedOrigin(text, LIVE)).toEqual({ origin });
});

test.each([
  'null',
  '*',
  'https://*',
  'https://*.shop.example',
  'https://shop.example:*',
  'https:',
  'https://',
  'https:///shop.example',
  'shop.example',
  '//shop.example',
  'http://shop.example',
  'https://shop.example.',
  'https://.shop.example',
  'https://shop..example',
  'https://-shop.example',
  'https://shop',
  'https://shop.example/cart',
  'https://shop.example//',
  'https://shop.example?x',
  'https://shop.example#x',
  'https://owner@shop.example',
  'https://owner:secret@shop.example',
  'https://shop.example@evil.example',
  'https:\\\\shop.example',
  'https://shop.example\\@evil.example',
  'https://shop%2eexample',
  'https://shop.example;script-src',
  "https://shop.example 'unsafe-inline'",
  'https://shop.example, https://evil.example',
  ' https://shop.example',
  'https://shop.example:99999',
  'https://shop.example:',
  'https://192.0.2.7',
  'https://3221225991',
  'https://[::1]',
  'javascript:alert(1)',
  'data:text/html,x',
  'file://shop.example',
  'blob:https://shop.example/0f',
  'ftp://shop.example',
  'chrome-extension://abcdefgh',
  `https://${'a'.repeat(64)}.example`,
  `https://${'a.'.repeat(130)}example`,
])('%s is refused', (text) => {
  expect(parseEmbedOrigin(text, LIVE)).toEqual({ problem: expect.stringMatching(/^must /) });
  expect(parseEmbedOrigin(text, SANDBOX)).toEqual({ problem: expect.stringMatching(/^must /) });
});

test.each([
  ['http://localhost', 'http://localhost'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['http://LOCALHOST:80/', 'http://localhost'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://localhost:8443', 'https://localhost:8443'],
  ['https://0x7f.1', 'https://127.0.0.1'],
])('%s is taken in the sandbox, and only there', (text, origin) => {
  expect(parseEmbedOrigin(text, SANDBOX)).toEqual({ origin });
  expect(parseEmbedOrigin(text, LIVE)).toHaveProperty('problem');
});

test.each(['http://localhost.evil.example', 'http://127.0.0.2', 'http://10.0.0.1', 'http://notlocalhost'])(
  '%s is no loopback host',
  (text) => expect(parseEmbedOrigin(text, SANDBOX)).toHaveProperty('problem'),
);

test('what is taken is one source of a policy: the origin of itself, and nothing more', () => {
  const piece = fc.constantFrom(
    ...[
      'https://',
      'http://',
      'shop',
      '.',
      'example',
      'localhost',
      ':',
      '443',
      '@',
      '/',
      '\\',
      '*',
      ' ',
      ';',
      '%',
      "'",
      'ß',
      '。',
    ],
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((parts) => parts.join('')),
    fc.webUrl(),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, fc.boolean(), (text, livemode) => {
      const parsed = parseEmbedOrigin(text, { livemode });
      if ('problem' in parsed) return;
      expect(parsed.origin).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/);
      expect(new URL(parsed.origin).origin).toBe(parsed.origin);
      expect(new URL(text).origin).toBe(parsed.origin);
      expect(parseEmbedOrigin(parsed.origin, { livemode })).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});
