import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Attempt, createSending } from '../../src/webhooks/sending.ts';
import { SOON } from './fixture.ts';

const CONCURRENCY = 256;
const AHEAD_MAX = 128;

/** Attempts that end when they are told to, by their place. */
function stage() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const slow: string[] = [];
  const ended = { count: 0 };
  const sending = createSending({
    onEnd: () => {
      ended.count += 1;
    },
    onSlow: (merchantIds) => slow.push(...merchantIds),
  });
  let made = 0;
  const attempts = (count: number): Attempt[] =>
    Array.from({ length: count }, () => {
      const place = made++;
      return {
        merchantId: `mer_${place}`,
        make: () => {
          begun.push(place);
          return new Promise((resolve) => {
            ends[place] = resolve;
          });
        },
      };
    });
  const haveBegun = (count: number) => expect.poll(() => begun.length, SOON).toBe(count);
  /** Makes a quick attempt after the other, so that it is known how fast they are. */
  const hurry = async (): Promise<void> => {
    sending.take(attempts(1));
    ends[made - 1]?.();
    await expect.poll(() => sending.taken(), SOON).toBe(0);
    begun.length = 0;
  };
  return { sending, attempts, begun, ends, slow, ended, haveBegun, hurry };
}

test('a process takes on no more than it may send until it knows how long an answer takes', async () => {
  const { sending, attempts, haveBegun } = stage();
  expect(sending.room()).toBe(CONCURRENCY);
  sending.take(attempts(CONCURRENCY));
  await haveBegun(CONCURRENCY);
  expect(sending.room()).toBe(0);
});

test('what was taken on ahead begins in its order when others end, before anything else is taken on', async () => {
  const { sending, attempts, begun, ends, ended, haveBegun, hurry } = stage();
  await hurry();
  expect(sending.room()).toBe(CONCURRENCY + AHEAD_MAX);
  const first = 1;
  sending.take(attempts(CONCURRENCY + AHEAD_MAX));
  await haveBegun(CONCURRENCY);
  expect([sending.taken(), sending.waiting(), sending.room()]).toEqual([CONCURRENCY + AHEAD_MAX, AHEAD_MAX, 0]);
  for (const place of [first + 3, first, first + 200]) ends[place]?.();
  await haveBegun(CONCURRENCY + 3);
  expect(begun).toEqual(Array.from({ length: CONCURRENCY + 3 }, (_, index) => first + index));
  expect(ended.count).toBe(1 + 3);
  expect(sending.waiting()).toBe(AHEAD_MAX - 3);
});

test('more is taken on once half of what waits has begun, so that claims are large', async () => {
  const { sending, attempts, ends, haveBegun, hurry } = stage();
  await hurry();
  sending.take(attempts(CONCURRENCY + AHEAD_MAX));
  await haveBegun(CONCURRENCY);
  const end = async (from: number, to: number) => {
    for (let place = from; place < to; place += 1) ends[place]?.();
    await haveBegun(CONCURRENCY + to - 1);
  };
  await end(1, AHEAD_MAX / 2);
  expect(sending.room()).toBe(0);
  await end(AHEAD_MAX / 2, AHEAD_MAX / 2 + 1);
  expect(sending.room()).toBe(AHEAD_MAX / 2);
});

test('fewer are taken on ahead where answers take long, because they would wait for them', async () => {
  const { sending, attempts, ends } = stage();
  sending.take(attempts(1));
  await sleep(400);
  ends[0]?.();
  await expect.poll(() => sending.taken(), SOON).toBe(0);
  const ahead = sending.room() - CONCURRENCY;
  expect(ahead).toBeGreaterThan(0);
  // 256 that take 400 ms end at 32 in 50 ms.
  expect(ahead).toBeLessThanOrEqual(32);
});

test('an attempt without an answer for a second takes no room, and what waits for it begins', async () => {
  const { sending, attempts, slow, ends, haveBegun, hurry } = stage();
  await hurry();
  sending.take(attempts(CONCURRENCY + AHEAD_MAX));
  await haveBegun(CONCURRENCY + AHEAD_MAX);
  expect(slow).toHaveLength(CONCURRENCY);
  expect([sending.slow(), sending.waiting()]).toEqual([CONCURRENCY, 0]);
  ends[1]?.();
  await expect.poll(() => sending.slow(), SOON).toBe(CONCURRENCY - 1);
});
