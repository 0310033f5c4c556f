import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTotpStep, newTotpSecret, totpBase32, totpUri } from '../../src/identity/totp.ts';

/** The secret of RFC 6238's test vectors. */
const SECRET = Buffer.from('12345678901234567890', 'ascii');

const at = (seconds: number): Date => new Date(seconds * 1000);

/** RFC 4226 written out, so that the library is not checked against itself. */
function hotp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac[19] as number) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

// RFC 6238, appendix B; its codes have eight digits, and the last six are those of a code with six.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i seconds the code of RFC 6238 is accepted: %s', (seconds, code) => {
  expect(findTotpStep(SECRET, code.slice(2), at(seconds))).toBe(Math.floor(seconds / 30));
});

test('a code is valid in its own step and the adjacent ones, to the millisecond', () => {
  const step = 1_000_000;
  const code = hotp(SECRET, step);
  const start = step * 30_000;
  const found = (ms: number) => findTotpStep(SECRET, code, new Date(ms));
  expect([found(start - 30_001), found(start - 30_000), found(start)]).toEqual([undefined, step, step]);
  expect([found(start + 59_999), found(start + 60_000)]).toEqual([step, undefined]);
});

test('for any secret and time, the code of RFC 4226 is accepted and the base32 text decodes to the secret', () => {
  const times = fc.integer({ min: 60, max: 4_102_444_800 });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), times, (secret, seconds) => {
      const step = Math.floor(seconds / 30);
      expect(findTotpStep(secret, hotp(secret, step), at(seconds))).toBeDefined();
      expect(decodeBase32(totpBase32(secret))).toEqual(Buffer.from(secret));
    }),
  );
});

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test.each(['', '28708', '2870820', '28708a', '２８７０８２', 'éééééé', '-28708', '287082\n'])(
  '%j is refused without an error',
  (text) => {
    expect(findTotpStep(SECRET, text, at(59))).toBeUndefined();
  },
);

test('the otpauth URI carries issuer, account and secret', () => {
  const uri = new URL(totpUri(SECRET, 'Kasi (sandbox)', 'owner@teahouse.example'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Kasi (sandbox):owner@teahouse.example');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Kasi (sandbox)',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('new secrets have 160 bits and are distinct', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(secrets.every(({ length }) => length === 20)).toBe(true);
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(100);
});
