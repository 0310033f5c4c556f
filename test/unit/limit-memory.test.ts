import { expect, test } from 'vitest';
import { after } from '../../src/lib/clock.ts';
import { createMemory } from '../../src/limits/memory.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const LIFETIME_MS = 1000;

const open = (entriesMax?: number) => {
  let made = 0;
  const memory = createMemory(
    () => {
      made += 1;
      return { number: made };
    },
    LIFETIME_MS,
    entriesMax,
  );
  return { get: (key: string, ms = 0) => memory.get(key, after(NOW, ms)).number, peek: memory.peek, made: () => made };
};

test('an entry that is used within its lifetime stays, however old it is', () => {
  const { get } = open();
  for (let ms = 0; ms < 10 * LIFETIME_MS; ms += LIFETIME_MS - 1) expect(get('busy', ms)).toBe(1);
});

test('an unused entry is forgotten after one to two lifetimes', () => {
  const { get, peek } = open();
  get('idle');
  for (const ms of [LIFETIME_MS - 1, LIFETIME_MS]) get('other', ms);
  expect(peek('idle')).toEqual({ number: 1 });
  get('other', 2 * LIFETIME_MS);
  expect(peek('idle')).toBeUndefined();
  expect(get('idle', 2 * LIFETIME_MS)).toBe(3);
});

test('the number of entries is bounded, and the latest are kept', () => {
  const { get, peek } = open(10_000);
  const keys = Array.from({ length: 100_000 }, (_, number) => `key ${number}`);
  for (const key of keys) get(key);
  const kept = keys.filter((key) => peek(key) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(10_000);
  expect(kept).toEqual(keys.slice(-kept.length));
  expect(kept.length).toBeGreaterThanOrEqual(5000);
});

test('peeking creates no entry, and a clock that moves backwards keeps none for long', () => {
  const { get, peek, made } = open();
  expect(peek('never')).toBeUndefined();
  expect(made()).toBe(0);
  get('before', 3_600_000);
  expect(get('before')).toBe(1);
  for (const ms of [0, LIFETIME_MS, 2 * LIFETIME_MS]) get('after', ms);
  expect(peek('before')).toBeUndefined();
});
