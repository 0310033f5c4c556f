import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTurns } from '../../src/http/turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that notes when it begins, and ends when it is told to. */
function work() {
  const begun: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const start = (index: number) => (): Promise<number> => {
    begun.push(index);
    ends[index] = Promise.withResolvers<number>();
    return ends[index].promise;
  };
  return {
    begun,
    start,
    end: (index: number) => ends[index]?.resolve(index),
    fail: (index: number) => ends[index]?.reject(new Error('it failed')),
  };
}

const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

test('no more go on at once than may, and the others follow in their order', async () => {
  const { begun, start, end } = work();
  const inTurn = openTurns(2, 1000);
  const all = [0, 1, 2, 3].map((index) => inTurn(start(index)));
  await settle();
  expect(begun).toEqual([0, 1]);
  end(1);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  end(0);
  await settle();
  expect(begun).toEqual([0, 1, 2, 3]);
  end(2);
  end(3);
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('one that takes long makes room once, and its end makes none again', async () => {
  const { begun, start, end } = work();
  const inTurn = openTurns(1, 25);
  const all = [0, 1, 2].map((index) => inTurn(start(index)));
  await vi.advanceTimersByTimeAsync(24);
  expect(begun).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual([0, 1]);
  end(0);
  await settle();
  expect(begun).toEqual([0, 1]);
  end(1);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  end(2);
  await Promise.all(all);
});

test('one that fails makes room, and its caller gets the failure', async () => {
  const { begun, start, end, fail } = work();
  const inTurn = openTurns(1, 1000);
  const first = inTurn(start(0)).catch((error: Error) => error.message);
  const second = inTurn(start(1));
  await settle();
  fail(0);
  expect(await first).toBe('it failed');
  await settle();
  expect(begun).toEqual([0, 1]);
  end(1);
  await second;
});

test('a crowd that waits leaves as it came', async () => {
  vi.useRealTimers();
  let going = 0;
  let most = 0;
  const inTurn = openTurns(3, 1000);
  await Promise.all(
    Array.from({ length: 50 }, () =>
      inTurn(async () => {
        most = Math.max(most, ++going);
        await sleep(1);
        going -= 1;
      }),
    ),
  );
  expect([most, going]).toEqual([3, 0]);
});
