import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeyRing, open, type Place, rewrap, seal } from '../../src/lib/seal.ts';

const PLACE: Place = { table: 'webhook_keys', column: 'sealed_seed', row: 'whk_1', tenant: 'mer_1' };
const master = randomBytes(32);
const ring = createKeyRing(master);
const SECRET = Buffer.from('a seed of thirty-two bytes, maybe');

describe('a sealed value', () => {
  test.each([0, 1, 32, 5000])('of %i bytes opens to the same bytes', (length) => {
    const value = randomBytes(length);
    expect(open(ring, PLACE, seal(ring, PLACE, value)).equals(value)).toBe(true);
  });

  test('is never the same twice and shows nothing of the value', () => {
    const [first, second] = [seal(ring, PLACE, SECRET), seal(ring, PLACE, SECRET)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes(SECRET)).toBe(false);
  });

  test.each([
    ['table', { ...PLACE, table: 'api_keys' }],
    ['column', { ...PLACE, column: 'public_key' }],
    ['row', { ...PLACE, row: 'whk_2' }],
    ['tenant', { ...PLACE, tenant: 'mer_2' }],
    ['row and tenant, with the same text in all', { ...PLACE, row: 'whk_1m', tenant: 'er_1' }],
  ])('does not open in another %s', (_, elsewhere) => {
    const sealed = seal(ring, PLACE, SECRET);
    expect(() => open(ring, elsewhere, sealed)).toThrow();
  });

  test('does not open when any one byte of it differs, or its end is missing', () => {
    const sealed = seal(ring, PLACE, SECRET);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => open(ring, PLACE, changed), `byte ${at}`).toThrow();
      expect(() => open(ring, PLACE, sealed.subarray(0, at)), `${at} bytes`).toThrow();
    }
  });

  test('opens from a view into a larger buffer', () => {
    const sealed = seal(ring, PLACE, SECRET);
    const within = new Uint8Array([9, 9, ...sealed, 9]).subarray(2, 2 + sealed.length);
    expect(open(ring, PLACE, within).equals(SECRET)).toBe(true);
  });
});

describe('a key ring', () => {
  const next = randomBytes(32);

  test('with a new current key still opens what an old one sealed, and seals with the new one', () => {
    const rotated = createKeyRing(next, [master]);
    expect(open(rotated, PLACE, seal(ring, PLACE, SECRET)).equals(SECRET)).toBe(true);
    const sealed = seal(rotated, PLACE, SECRET);
    expect(open(createKeyRing(next), PLACE, sealed).equals(SECRET)).toBe(true);
    expect(() => open(ring, PLACE, sealed)).toThrow(/no master key [0-9a-f]{16}/);
  });

  test('re-wraps without touching the value, once, and only in its place', () => {
    const rotated = createKeyRing(next, [master]);
    const old = seal(ring, PLACE, SECRET);
    const wrapped = rewrap(rotated, PLACE, old);
    expect(wrapped?.subarray(69).equals(old.subarray(69))).toBe(true);
    expect(wrapped && open(createKeyRing(next), PLACE, wrapped).equals(SECRET)).toBe(true);
    expect(wrapped && rewrap(rotated, PLACE, wrapped)).toBeUndefined();
    expect(() => rewrap(rotated, { ...PLACE, tenant: 'mer_2' }, old)).toThrow();
  });

  test('refuses a key that has not 32 bytes', () => {
    expect(() => createKeyRing(randomBytes(31))).toThrow(RangeError);
    expect(() => createKeyRing(master, [randomBytes(33)])).toThrow('a master key has 32 bytes, not 33');
  });
});
