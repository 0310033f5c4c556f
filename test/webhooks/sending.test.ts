import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Attempt, createSending } from '../../src/webhooks/sending.ts';

const CONCURRENCY = 256;
const AHEAD_MAX = 128;

// Time stands still, so that a crowded machine makes no attempt slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The time after which an attempt is slow. */
const becomeSlow = (): void => void vi.advanceTimersByTime(1000);
/** In so many turns far more begins than may be made at once. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
};

/** Attempts that end when the test ends them, by their index. */
function stage() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const slow: string[] = [];
  const ended = { count: 0 };
  /** The room at each report. */
  const rooms: number[] = [];
  const sending = createSending({
    onEnd: () => {
      ended.count += 1;
    },
    onSlow: (merchantIds) => slow.push(...merchantIds),
    onRoom: () => rooms.push(sending.room()),
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
  const haveBegun = async (count: number): Promise<void> => {
    await settle();
    expect(begun).toHaveLength(count);
  };
  /** Makes a quick attempt after the other, so that it is known how fast they are. */
  const hurry = async (): Promise<void> => {
    sending.take(attempts(1));
    ends[made - 1]?.();
    await settle();
    expect(sending.taken()).toBe(0);
    begun.length = 0;
  };
  return { sending, attempts, begun, ends, slow, ended, rooms, haveBegun, hurry };
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
  vi.advanceTimersByTime(400);
  ends[0]?.();
  await settle();
  expect(sending.taken()).toBe(0);
  // Of 256 that take 400 ms, 32 end in 50 ms.
  expect(sending.room()).toBe(CONCURRENCY + 32);
});

test('an attempt without an answer for a second takes no room, and what waits for it begins', async () => {
  const { sending, attempts, slow, ends, haveBegun, hurry } = stage();
  await hurry();
  sending.take(attempts(CONCURRENCY + AHEAD_MAX));
  await haveBegun(CONCURRENCY);
  becomeSlow();
  await haveBegun(CONCURRENCY + AHEAD_MAX);
  expect(slow).toHaveLength(CONCURRENCY);
  expect([sending.slow(), sending.waiting()]).toEqual([CONCURRENCY, 0]);
  ends[1]?.();
  await settle();
  expect(sending.slow()).toBe(CONCURRENCY - 1);
});

test('reports room after the waiting attempts have begun, although no attempt ends afterwards', async () => {
  const { sending, attempts, rooms, haveBegun, hurry } = stage();
  await hurry();
  sending.take(attempts(CONCURRENCY + AHEAD_MAX));
  await haveBegun(CONCURRENCY);
  rooms.length = 0;
  becomeSlow();
  await haveBegun(CONCURRENCY + AHEAD_MAX);
  await settle();
  expect(rooms.at(-1)).toBe(sending.room());
  expect(sending.room()).toBeGreaterThan(0);
});

test('fewer are taken on ahead as soon as attempts are slow, and not when they end', async () => {
  const { sending, attempts, haveBegun, hurry } = stage();
  await hurry();
  sending.take(attempts(CONCURRENCY));
  await haveBegun(CONCURRENCY);
  expect(sending.room()).toBe(AHEAD_MAX);
  becomeSlow();
  expect(sending.slow()).toBe(CONCURRENCY);
  expect(sending.room()).toBeLessThan(CONCURRENCY + AHEAD_MAX / 4);
});

test('no more than 1,024 are made at once, slow ones included, nor wait to be', async () => {
  const { sending, attempts, begun, ends, hurry } = stage();
  await hurry();
  const most = { taken: 0, begun: 0 };
  for (let round = 0; round < 10; round += 1) {
    sending.take(attempts(sending.room()));
    await settle();
    most.taken = Math.max(most.taken, sending.taken());
    becomeSlow();
    await settle();
  }
  most.begun = begun.length;
  expect(most).toEqual({ taken: 1024, begun: 1024 });
  expect([sending.room(), sending.waiting()]).toEqual([0, 0]);
  ends[1]?.();
  await settle();
  expect(sending.room()).toBe(1);
});
