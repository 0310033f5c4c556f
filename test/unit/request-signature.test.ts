import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy, textToSign } from '../../src/api-keys/signature.ts';

const SECRET = createSecretKey(Buffer.from('sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b'));
const TIMESTAMP = '1767323045';
const POST = { timestamp: TIMESTAMP, method: 'POST', target: '/v1/sdk/checkout/sessions' };
const GET = { timestamp: TIMESTAMP, method: 'GET', idempotencyKey: '' };
const URLS = '"successUrl":"https://shop.example/ok","cancelUrl":"https://shop.example/no"';
const USD = `{"amount":49.99,"currency":"USD",${URLS},"metadata":{"orderId":"A-1001"}}`;
const LKR = `{"amount":1500,"currency":"LKR",${URLS},"metadata":{"note":"සිංහල ☕"}}`;
const PAYMENT = '/v1/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n';

const vectors = [
  [
    'a POST with an idempotency key',
    { ...POST, idempotencyKey: 'order-1001' },
    USD,
    '59a12af2c252287a01d468e079161926f56e38760d55504d1f33b8abe8a51d8d',
  ],
  [
    'the same without one',
    { ...POST, idempotencyKey: '' },
    USD,
    '205689395f1a01693f9d8687f26babf2c165388663177ac9bffccdb2458209ab',
  ],
  [
    'a body with non-ASCII text',
    { ...POST, idempotencyKey: 'order-1001' },
    LKR,
    'eba8f4e6a02a578fb900950a2d4db432e9e98abf48aae2cbb49f5111e15d771b',
  ],
  [
    'a GET with a query',
    { ...GET, target: '/v1/payments?page=2&status=paid' },
    '',
    'd5134fc08c8d66dbc8e92cbd186e24d8d52e6d6b5496b1139aead82a82e0f4cb',
  ],
  [
    'a GET of one payment',
    { ...GET, target: PAYMENT },
    '',
    'df02b1464206848109584eb6432a8875c7c6085f66db38af8dc3138e2c7cc737',
  ],
  [
    'the same without a timestamp',
    { ...GET, timestamp: '', target: PAYMENT },
    '',
    'b5acad61e264434b991e89466b8a914dd4727938ab948481cd4844dcf34605a2',
  ],
] as const;

test.each(vectors)('the published signature of %s verifies', (_what, request, body, signature) => {
  expect(isSignedBy(SECRET, textToSign(request, Buffer.from(body)), signature)).toBe(true);
});

test.each(vectors)('a signature of %s with any flipped bit does not verify', (_what, request, body, signature) => {
  const text = textToSign(request, Buffer.from(body));
  for (let at = 0; at < signature.length; at += 1) {
    const other = (Number.parseInt(signature[at] as string, 16) ^ 1).toString(16);
    expect(isSignedBy(SECRET, text, signature.slice(0, at) + other + signature.slice(at + 1))).toBe(false);
  }
});

test.each(vectors)(
  'a signature of %s that ends early does not verify after the whole one',
  (_what, request, body, signature) => {
    const text = textToSign(request, Buffer.from(body));
    expect(isSignedBy(SECRET, text, signature)).toBe(true);
    for (const shorter of ['', signature.slice(0, -1), signature.slice(0, 32)]) {
      expect(isSignedBy(SECRET, text, shorter)).toBe(false);
    }
    expect(isSignedBy(SECRET, text, `${signature}0`)).toBe(false);
  },
);

test('the signed text has five lines even when some are empty', () => {
  const lines = textToSign({ ...GET, timestamp: '', target: PAYMENT }, Buffer.alloc(0)).split('\n');
  expect(lines).toEqual(['', 'GET', PAYMENT, expect.stringMatching(/^e3b0c44298fc/), '']);
});
