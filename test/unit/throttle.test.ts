import { expect, test } from 'vitest';
import { type Counter, delaySeconds, failAccount, failAddress } from '../../src/identity/throttle.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';

const START = new Date('2026-01-02T03:00:00.000Z');
const NONE: Counter = { failures: 0, windowStart: START, blockedUntil: null };

test('an account waits 1, 2, 4 … 900 seconds from its fifth consecutive failure', () => {
  expect(Array.from({ length: 18 }, (_, index) => delaySeconds(index + 1))).toEqual([
    0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900,
  ]);
});

test('the wait of an account starts at its latest failure', () => {
  let counter = NONE;
  for (let second = 0; second < 6; second += 1) counter = failAccount(counter, after(START, second * 1000));
  expect(counter).toEqual({
    failures: 6,
    windowStart: after(START, 5000),
    blockedUntil: after(START, 7000),
  });
});

test('an address is blocked by its 20th failure until 15 minutes after the first', () => {
  let counter = NONE;
  for (let failure = 0; failure < 19; failure += 1) counter = failAddress(counter, 20, after(START, failure * 1000));
  expect(counter).toEqual({ failures: 19, windowStart: START, blockedUntil: null });
  counter = failAddress(counter, 20, after(START, 60_000));
  expect(counter).toEqual({ failures: 20, windowStart: START, blockedUntil: after(START, 15 * MINUTE_MS) });
});

test('an attempt counted just after a later one does not restart the window', () => {
  const counter: Counter = { failures: 19, windowStart: after(START, 50), blockedUntil: null };
  expect(failAddress(counter, 20, START)).toMatchObject({ failures: 20, windowStart: after(START, 50) });
});

test('the window of an address restarts when it is over', () => {
  const old: Counter = { failures: 20, windowStart: START, blockedUntil: after(START, 15 * MINUTE_MS) };
  const later = after(START, 15 * MINUTE_MS);
  expect(failAddress(old, 20, later)).toEqual({ failures: 1, windowStart: later, blockedUntil: null });
  const within = after(START, 15 * MINUTE_MS - 1);
  expect(failAddress({ ...old, failures: 3 }, 20, within)).toEqual({
    failures: 4,
    windowStart: START,
    blockedUntil: null,
  });
});
