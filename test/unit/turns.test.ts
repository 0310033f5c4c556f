import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallersTurns, openCallersTurns, openTurns } from '../../src/http/turns.ts';

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

describe('turns of callers', () => {
  /** Has each of these callers ask for a piece of work, in this order, and waits until those that may have begun. */
  async function ask(callers: string, turnsOf: (caller: string) => CallersTurns) {
    const pieces = work();
    const all = [...callers].map((caller, index) => turnsOf(caller)(caller, pieces.start(index)));
    await settle();
    /** Lets one end, and tells whose begins. */
    const next = async (index: number): Promise<string | undefined> => {
      const before = pieces.begun.length;
      pieces.end(index);
      await settle();
      return callers[pieces.begun[before] ?? -1];
    };
    return { ...pieces, all, next };
  }

  test('a caller has so many pieces of a kind going on, and all callers together so many', async () => {
    const turnsFor = openCallersTurns(4, 100);
    const [reading, writing] = [turnsFor(2), turnsFor(1)];
    const { begun } = await ask('aaaWWbc', (caller) => (caller === 'W' ? writing : reading));
    expect(begun).toEqual([0, 1, 3, 5]);
  });

  test('what becomes free goes round the callers that wait', async () => {
    const turns = openCallersTurns(2, 100)(2);
    const { begun, next, all } = await ask('aaaabbbc', () => turns);
    expect(begun).toEqual([0, 1]);
    expect([await next(0), await next(1), await next(2), await next(4)]).toEqual(['a', 'b', 'c', 'a']);
    expect([await next(7), await next(3), await next(5), await next(6)]).toEqual(['b', 'b', undefined, undefined]);
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    // Nothing is left of them: as many may begin as at first.
    expect((await ask('abc', () => turns)).begun).toEqual([0, 1]);
  });

  test('one that fails makes room, and what is too much is refused and takes none', async () => {
    const turns = openCallersTurns(1, 1)(1);
    const { all, fail, begun, end } = await ask('aab', () => turns);
    await expect(turns('a', () => Promise.resolve(3))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    fail(0);
    await expect(all[0]).rejects.toThrow('it failed');
    await settle();
    expect(begun).toEqual([0, 1]);
    end(1);
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    end(2);
    expect(await Promise.all(all.slice(1))).toEqual([1, 2]);
    expect(await turns('a', () => Promise.resolve(4))).toBe(4);
  });
});
