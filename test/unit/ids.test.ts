import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crockford, madeBetween, newId } from '../../src/lib/ids.ts';

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

test('whatever an id begins with says when it was made', () => {
  const moments = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true });
  const behind = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(moments, behind, fc.nat({ max: 30 }), (moment, ms, length) => {
      newId('event', moment);
      // As a clock that was set back.
      const now = new Date(Math.max(0, moment.getTime() - ms));
      const made = madeBetween('payment', newId('payment', now).slice(0, length));
      expect(made && made.from <= now && now < made.to).toBe(true);
    }),
  );
  const { from, to } = madeBetween('payment', newId('payment', new Date()).slice(0, 15)) ?? {};
  expect(Number(to) - Number(from)).toBe(10_001);
});

test.for(['ay_', 'cs_0', 'pay-', 'pay_8', 'pay_o', 'pay_none', 'pay_0-', 'PAY_0', `pay_${'0'.repeat(27)}`])(
  'no id of a payment begins with %s',
  (beginning) => {
    expect(madeBetween('payment', beginning)).toBeNull();
  },
);

test('base32 is written from the highest bit, left-padded', () => {
  expect(crockford(new Uint8Array(16))).toBe('0'.repeat(26));
  expect(crockford(new Uint8Array(16).fill(255))).toBe(`7${'z'.repeat(25)}`);
  expect(crockford(Uint8Array.of(1))).toBe('01');
  expect(crockford(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff))).toBe('zzzzzzzz');
});
