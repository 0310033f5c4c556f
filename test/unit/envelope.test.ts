import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyRing, decrypt, encrypt, type Place, rewrap } from '../../src/lib/envelope.ts';

const PLACE: Place = { table: 'webhook_keys', column: 'sealed_seed', row: 'whk_1', tenant: 'mer_1' };
const master = randomBytes(32);
const ring = createKeyRing(master);
const SECRET = Buffer.from('a seed of thirty-two bytes, maybe');

describe('an envelope', () => {
  test.each([0, 1, 32, 5000])('of %i bytes decrypts to the same bytes', (length) => {
    const value = randomBytes(length);
    expect(decrypt(ring, PLACE, encrypt(ring, PLACE, value)).equals(value)).toBe(true);
  });

  test('differs each time and shows nothing of the value', () => {
    const [first, second] = [encrypt(ring, PLACE, SECRET), encrypt(ring, PLACE, SECRET)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes(SECRET)).toBe(false);
  });

  test.each([
    ['table', { ...PLACE, table: 'api_keys' }],
    ['column', { ...PLACE, column: 'public_key' }],
    ['row', { ...PLACE, row: 'whk_2' }],
    ['tenant', { ...PLACE, tenant: 'mer_2' }],
    ['row and tenant, with the same text in all', { ...PLACE, row: 'whk_1m', tenant: 'er_1' }],
  ])('does not decrypt for another %s', (_, elsewhere) => {
    const envelope = encrypt(ring, PLACE, SECRET);
    expect(() => decrypt(ring, elsewhere, envelope)).toThrow();
  });

  test('does not decrypt with one byte changed or its end missing', () => {
    const envelope = encrypt(ring, PLACE, SECRET);
    for (let at = 0; at < envelope.length; at += 1) {
      const changed = Buffer.from(envelope);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => decrypt(ring, PLACE, changed), `byte ${at}`).toThrow();
      expect(() => decrypt(ring, PLACE, envelope.subarray(0, at)), `${at} bytes`).toThrow();
    }
  });

  test('decrypts from a view into a larger buffer', () => {
    const envelope = encrypt(ring, PLACE, SECRET);
    const within = new Uint8Array([9, 9, ...envelope, 9]).subarray(2, 2 + envelope.length);
    expect(decrypt(ring, PLACE, within).equals(SECRET)).toBe(true);
  });
});

describe('a key ring', () => {
  const next = randomBytes(32);

  test('decrypts what an old key encrypted, and encrypts with the current one', () => {
    const rotated = createKeyRing(next, [master]);
    expect(decrypt(rotated, PLACE, encrypt(ring, PLACE, SECRET)).equals(SECRET)).toBe(true);
    const envelope = encrypt(rotated, PLACE, SECRET);
    expect(decrypt(createKeyRing(next), PLACE, envelope).equals(SECRET)).toBe(true);
    expect(() => decrypt(ring, PLACE, envelope)).toThrow(/no master key [0-9a-f]{16}/);
  });

  test('re-wraps once, without touching the value, and only for its place', () => {
    const rotated = createKeyRing(next, [master]);
    const old = encrypt(ring, PLACE, SECRET);
    const wrapped = rewrap(rotated, PLACE, old);
    expect(wrapped?.subarray(69).equals(old.subarray(69))).toBe(true);
    expect(wrapped && decrypt(createKeyRing(next), PLACE, wrapped).equals(SECRET)).toBe(true);
    expect(wrapped && rewrap(rotated, PLACE, wrapped)).toBeUndefined();
    expect(() => rewrap(rotated, { ...PLACE, tenant: 'mer_2' }, old)).toThrow();
  });

  test('refuses a key that is not 32 bytes long', () => {
    expect(() => createKeyRing(randomBytes(31))).toThrow(RangeError);
    expect(() => createKeyRing(master, [randomBytes(33)])).toThrow('a master key has 32 bytes, not 33');
  });
});
