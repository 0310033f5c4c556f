import { expect, test } from 'vitest';
import { crockford, newId } from '../../src/lib/ids.ts';

test('an id is its prefix and 26 characters of Crockford base32, and sorts by time of creation', () => {
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2031-06-01T00:00:00.000Z'].map(
    (text) => new Date(text),
  );
  const ids = times.map((time) => newId('payment', time));
  for (const id of ids) expect(id).toMatch(/^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect([...ids].sort()).toEqual(ids);
});

test('ten thousand ids of one millisecond are unique and in order', () => {
  const now = new Date('2026-01-01T00:00:00.000Z');
  const ids = Array.from({ length: 10_000 }, () => newId('event', now));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('base32 is written from the highest bit, left-padded', () => {
  expect(crockford(new Uint8Array(16))).toBe('0'.repeat(26));
  expect(crockford(new Uint8Array(16).fill(255))).toBe(`7${'z'.repeat(25)}`);
  expect(crockford(Uint8Array.of(1))).toBe('01');
  expect(crockford(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff))).toBe('zzzzzzzz');
});
